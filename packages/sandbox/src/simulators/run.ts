/** A running `ssvirt sandbox simulate`. */
import { resolve } from 'node:path';
import type { Config } from '@ssvirt/base/config/keys';
import type { Loaded } from '@ssvirt/base/config/load';
import { ConfigError } from '@ssvirt/base/config/setting';
import { createClient } from '@ssvirt/kube/client/create';
import { KubeError } from '@ssvirt/kube/errors';
import { KubeconfigError, loadKubeconfig, type KubeconfigSource } from '@ssvirt/kube/kubeconfig/load';
import { createLogger, quieter } from '@ssvirt/base/config/log';
import { StartError } from '../cli/start-error.ts';
import { lockFolder, type FolderLock } from '../store/folder-lock.ts';
import { DefinitionsError } from './definitions-error.ts';
import { askedDials } from './dial-settings.ts';
import { TakenError } from './serving/taken.ts';
import { startSimulators, type Simulators } from './start.ts';
import { NotReadyError } from './until.ts';

export interface RunTarget {
  readonly kubeconfig: string;
  readonly context?: string;
}

const REACHABLE_WITHIN_MS = 3000;

/** `runSimulators` runs until a signal ends it. A failed start throws a ConfigError, which is printed as a sentence. */
export async function runSimulators(target: RunTarget, { config, sources }: Loaded<Config>): Promise<void> {
  const began = performance.now();
  const end = ended();
  const log = createLogger(quieter(config.log));
  const { parts, crds, data } = config.sandbox;
  let lock: FolderLock | undefined;
  const simulators = await explained(async () => {
    const source = await sourceOf(target);
    await reach(source);
    const dials = askedDials(config.sandbox, sources);
    const name = target.context ?? source.context ?? 'cluster';
    if (data !== undefined) lock = lockFolder(resolve(data));
    const folders = { ...(crds === undefined ? {} : { crds }), ...(data === undefined ? {} : { data }) };
    return { server: source.server, ...(await startSimulators({ source, name, parts, dials, log, ...folders })) };
  });
  process.stdout.write(readyText(simulators, Math.round(performance.now() - began)));
  try {
    await Promise.race([end, simulators.ended]);
  } finally {
    await simulators.stop();
    lock?.release();
  }
}

async function sourceOf({ kubeconfig, context }: RunTarget): Promise<KubeconfigSource> {
  return loadKubeconfig({ path: kubeconfig, ...(context === undefined ? {} : { context }) });
}

/** Reports an unreachable server at once instead of retrying for a minute. */
async function reach(source: KubeconfigSource): Promise<void> {
  const client = createClient({ cluster: source.server, source, userAgent: 'ssvirt-simulators' });
  try {
    await client.request({ method: 'GET', path: '/version', timeoutMs: REACHABLE_WITHIN_MS });
  } finally {
    await client.close();
  }
}

const meantForPeople = [DefinitionsError, StartError, NotReadyError, TakenError, KubeError, KubeconfigError];

async function explained<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (meantForPeople.some((kind) => error instanceof kind)) throw new ConfigError([(error as Error).message]);
    throw error;
  }
}

function readyText({ installed, server }: Simulators & { readonly server: string }, milliseconds: number): string {
  const { parts, definitions, webhooks, apis } = installed;
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['simulated', parts],
    ['definitions', definitions],
    ['webhooks', webhooks],
    ['APIs', apis],
  ];
  return [
    `The simulators are ready after ${milliseconds} ms, on ${server}.`,
    ...rows.filter(([, names]) => names.length > 0).map(([title, names]) => `  ${title.padEnd(12)} ${summary(names)}`),
    'Their dials are in the ConfigMap ssvirt-simulators in the namespace kubevirt: edit it, or use ssvirt sandbox dial.',
    'Stop with Ctrl-C: webhooks and APIs are then unregistered; definitions and objects stay.',
    '',
  ].join('\n');
}

const NAMED = 8;

function summary(names: readonly string[]): string {
  const more = names.length - NAMED;
  return more > 0 ? `${names.slice(0, NAMED).join(', ')} and ${more} more` : names.join(', ');
}

function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
