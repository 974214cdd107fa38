/**
 * Starts the simulators on an API server: definitions, then the server for webhooks and APIs, its registration, and the
 * controllers last, so that each finds what it needs.
 */
import type { Client } from '@ssvirt/kube/client/client';
import type { ConnectionSource } from '@ssvirt/kube/connection';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import { errorFields } from '@ssvirt/kube/error-fields';
import { isKind } from '@ssvirt/kube/errors';
import { createManager } from '@ssvirt/kube/manager/manager';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { Logger } from '@ssvirt/base/config/log';
import { simulatedDefinitions } from './crds/definitions.ts';
import { createWorld, KUBEVIRT_NAMESPACE, type CreatedWorld } from './create-world.ts';
import { dialKeeper, placeDials } from './dial-keeper.ts';
import type { Dials } from './dials.ts';
import { installDefinitions, readDefinitions, replaced } from './install-definitions.ts';
import type { VirtHandler } from './kubevirt/virt-handler.ts';
import { noVirtHandler } from './no-virt-handler.ts';
import { partNames, parts as allParts, type Part, type PartName } from './parts.ts';
import { serve, type Served, type ServeOptions } from './serving/serve.ts';
import { refuseRunning, refuseTaken } from './serving/taken.ts';
import type { World } from './world.ts';

export type { PartName } from './parts.ts';

export interface SimulatorsOptions {
  readonly source: ConnectionSource;
  /** The cluster's name in logs and metrics. */
  readonly name: string;
  /** All by default. */
  readonly parts?: readonly PartName[];
  readonly dials?: Partial<Dials>;
  /** A folder of definitions that replace ours by name. */
  readonly crds?: string;
  /** The folder for the stores of aggregated APIs; without it they are in memory. */
  readonly data?: string;
  /** Answers virt-api instead of the node simulator. */
  readonly virtHandler?: VirtHandler;
  readonly log: Logger;
  readonly metrics?: Metrics;
}

export interface Simulators {
  readonly world: World;
  /** Names of what was installed and registered, for display. */
  readonly installed: Installed;
  /** The server of webhooks and APIs: it can be paused, like a virt-api that died, and resumed. */
  readonly serving: Pick<Served, 'pause' | 'resume'> | undefined;
  /** Rejects when a controller has failed; resolves after `stop`. */
  readonly ended: Promise<void>;
  /**
   * Stops the controllers and unregisters webhooks and APIs, so that the cluster stays usable. Definitions and objects
   * stay.
   */
  stop(options?: StopOptions): Promise<void>;
}

export interface StopOptions {
  /** When the API server ends too, nothing needs to be unregistered. */
  readonly leaveRegistered?: boolean;
}

export interface Installed {
  readonly parts: readonly PartName[];
  readonly definitions: readonly string[];
  readonly webhooks: readonly string[];
  readonly apis: readonly string[];
}

const namespaces: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};
const GRACE_MS = 10_000;
const ATTEMPTS = 5;
const PAUSE_MS = 500;

/** Reverts one step of the start; called in reverse order. */
type Undo = (options: StopOptions) => Promise<void>;

export async function startSimulators(options: SimulatorsOptions): Promise<Simulators> {
  const names = partNames.filter((name) => options.parts?.includes(name) ?? true);
  const chosen = names.map((name) => allParts[name]);
  const definitions = replaced(simulatedDefinitions, options.crds === undefined ? [] : readDefinitions(options.crds));
  // If a server refuses or does not answer, a stack would hide the message.
  const log = options.log.child({}, { serializers: { err: errorFields } });
  const world = createWorld({ ...options, log });
  const undo: Undo[] = [() => world.close()];
  const stop = once((how: StopOptions) => undoAll(undo, how, log));
  try {
    await refuseTaken(world.administrator, isSimulatedGroup);
    if (names.includes('kubevirt')) await refuseRunning(world.administrator, 'subresources.kubevirt.io');
    await insist(world.signal, () =>
      createNamespaces(world.administrator, [KUBEVIRT_NAMESPACE, ...chosen.flatMap((part) => part.namespaces ?? [])]),
    );
    await insist(world.signal, () => installDefinitions(world.administrator, definitions, world.signal));
    await placeDials(world, options.dials);
    const handler = options.virtHandler ?? virtHandlerOf(chosen, world);
    const webhooks = chosen.flatMap((part) => part.webhooks?.(world) ?? []);
    const context = { handler, ...(options.data === undefined ? {} : { data: options.data }) };
    const apis = chosen.flatMap((part) => part.apis?.(world, context) ?? []);
    let serving: Served | undefined;
    if (webhooks.length + apis.length > 0) {
      const served = await serve({ ...servingIn(world), webhooks, apis });
      undo.push((how) => served.close(how));
      serving = served;
    }
    const { ended } = await run(
      world,
      [dialKeeper(world), ...chosen.flatMap((part) => part.simulators.flatMap((simulator) => simulator(world)))],
      undo,
    );
    const installed = {
      parts: names,
      definitions: definitions.map(({ metadata }) => metadata.name ?? ''),
      webhooks: [...new Set(webhooks.map(({ configuration }) => configuration))],
      apis: apis.map(({ group, version }) => `${group}/${version}`),
    };
    return { world, installed, serving, ended, stop: (how = {}) => stop(how) };
  } catch (error) {
    await stop({});
    throw error;
  }
}

/**
 * A KubeVirt or CDI installation of the user is detected by the APIs that it serves, before anything is overwritten.
 */
const isSimulatedGroup = (group: string): boolean => group === 'kubevirt.io' || group.endsWith('.kubevirt.io');

function virtHandlerOf(chosen: readonly Part[], world: World): VirtHandler {
  return chosen.find(({ virtHandler }) => virtHandler !== undefined)?.virtHandler?.(world) ?? noVirtHandler;
}

/**
 * On a busy host, a server that has just started may accept connections too slowly. Every step only applies objects and
 * can be repeated.
 */
async function insist(signal: AbortSignal, step: () => Promise<void>): Promise<void> {
  for (let left = ATTEMPTS; ; left--) {
    try {
      return await step();
    } catch (error) {
      if (left === 1 || !isKind(error, 'Unreachable')) throw error;
      await sleep(systemClock, PAUSE_MS, signal);
    }
  }
}

async function createNamespaces(client: Client, names: readonly string[]): Promise<void> {
  const applying = { fieldManager: 'ssvirt-simulators', force: true };
  await Promise.all([...new Set(names)].map((name) => client.apply(namespaces, { metadata: { name } }, applying)));
}

function servingIn(world: CreatedWorld): Pick<ServeOptions, 'client' | 'namespace' | 'log' | 'signal'> {
  return { client: world.administrator, namespace: KUBEVIRT_NAMESPACE, log: world.log, signal: world.signal };
}

/** Resolves when all caches are filled. */
async function run(
  world: World,
  runnables: readonly Runnable[],
  undo: Undo[],
): Promise<{ readonly ended: Promise<void> }> {
  const { log, metrics } = world;
  const manager = createManager({ log, metrics, graceMs: GRACE_MS });
  for (const runnable of runnables) manager.add(runnable);
  const warm = Promise.withResolvers<void>();
  // Runnables that need leadership run after all others are warm; this is the only one here.
  manager.add({ name: 'warm', run: () => (warm.resolve(), Promise.resolve()) });
  const stopping = new AbortController();
  const ended = manager.run(stopping.signal);
  // Callers of `ended` get the error; without one it must not be an unhandled rejection.
  ended.catch(() => {});
  undo.push(async () => {
    stopping.abort();
    await ended.catch((error: unknown) => log.error({ err: error }, 'the simulators ended with an error'));
  });
  await Promise.race([warm.promise, ended]);
  return { ended };
}

/** Tries every step: failures are logged. */
async function undoAll(undo: Undo[], how: StopOptions, log: Logger): Promise<void> {
  for (const step of undo.toReversed()) {
    try {
      await step(how);
    } catch (error) {
      log.warn({ err: error }, 'cannot take everything back that the simulators registered');
    }
  }
}

function once<A>(act: (argument: A) => Promise<void>): (argument: A) => Promise<void> {
  let done: Promise<void> | undefined;
  return (argument) => (done ??= act(argument));
}
