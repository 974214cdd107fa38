/**
 * The samples for new users: boot sources, templates, and a VM in each interesting state. Each is created only once: a
 * ConfigMap records them, so that deleted ones stay deleted. The start waits for them only briefly.
 */
import { sleep, systemClock } from '@ssvirt/kube/clock';
import type { Client } from '@ssvirt/kube/client/client';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import { keyOf, keyOfObject } from '@ssvirt/kube/object';
import { find } from '@ssvirt/kube/reconcile/create-or-patch';
import { virtualMachines } from '../kubevirt/objects.ts';
import type { Placed } from '../place-objects.ts';
import { configMaps } from '../serving/front-proxy.ts';
import type { Simulator, World } from '../world.ts';
import { bootSources, importCrons } from './boot-sources.ts';
import { templates } from './kinds.ts';
import { machineTemplates } from './machine-templates.ts';
import { DEMO, EDIT, machines, RESTART_REQUIRED } from './machines.ts';
import { openshiftTemplates, TEMPLATES } from './openshift-templates.ts';

const MARKER = 'sandbox-samples';
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;
/** A kind that is not served by then is given up. */
const PATIENCE_MS = 10 * 60_000;

/** How long the start waits for the samples, so that they are visible at once. */
const GREETING_MS = 3000;

export const samples: Simulator = (world) => {
  let placed: Promise<void> | undefined;
  // Warm-up and run end by the same signal, so one call can serve both.
  const place = (signal: AbortSignal): Promise<void> => (placed ??= new Samples(world, signal).place());
  return [
    {
      name: 'samples',
      needsLeadership: false,
      warmUp: (signal) => Promise.race([place(signal), sleep(systemClock, GREETING_MS, signal)]),
      run: ({ signal }) => place(signal),
    },
  ];
};

class Samples {
  readonly #world: World;
  readonly #client: Client;
  readonly #signal: AbortSignal;
  readonly #marker: { readonly namespace: string; readonly name: string };
  readonly #deadline = systemClock.now() + PATIENCE_MS;
  #known: ReadonlySet<string> = new Set();

  constructor(world: World, signal: AbortSignal) {
    this.#world = world;
    this.#client = world.as('virt-operator').client;
    this.#signal = signal;
    this.#marker = { namespace: world.kubevirtNamespace, name: MARKER };
  }

  async place(): Promise<void> {
    if (!(await this.#try('what was placed before', () => this.#recall()))) return;
    const placed = [
      ...bootSources,
      ...machines,
      ...openshiftTemplates,
      ...machineTemplates(DEMO),
      ...machineTemplates(TEMPLATES),
    ];
    const isNamespace = ({ type }: Placed): boolean => type.plural === 'namespaces';
    await this.#placeAll(placed.filter(isNamespace));
    const isClaim = ({ type }: Placed): boolean => type.plural === 'persistentvolumeclaims';
    await this.#placeAll(placed.filter(isClaim));
    const isTemplate = ({ type }: Placed): boolean => type === templates;
    const others = placed.filter((one) => !isNamespace(one) && !isClaim(one) && !isTemplate(one));
    await Promise.all([
      this.#placeAll([...importCrons, ...others]),
      this.#placeTemplates(placed.filter(isTemplate)),
      this.#edit(),
    ]);
  }

  /**
   * Templates are stored by the process that serves them. If there are none at all, that store was lost with the
   * process, and they are placed again.
   */
  async #placeTemplates(placed: readonly Placed[]): Promise<void> {
    const signal = this.#signal;
    let lost = false;
    const look = async (): Promise<boolean> => {
      const { items } = await this.#client.list(templates, { limit: 1, signal });
      lost = items.length === 0;
      return true;
    };
    if (await this.#try('the templates that are there', look))
      await this.#placeAll(placed, lost ? new Set() : this.#known);
  }

  async #recall(): Promise<boolean> {
    const found = await find(this.#client, configMaps, this.#marker, { signal: this.#signal });
    if (found === undefined)
      await this.#client.create(configMaps, { metadata: this.#marker, data: {} }, { signal: this.#signal });
    this.#known = new Set(Object.keys(found?.data ?? {}));
    return true;
  }

  async #placeAll(placed: readonly Placed[], known = this.#known): Promise<void> {
    await Promise.all(
      placed.filter((one) => !known.has(markOf(one))).map((one) => this.#try(markOf(one), () => this.#placeOne(one))),
    );
  }

  async #placeOne({ type, object }: Placed): Promise<boolean> {
    try {
      await this.#client.create(type, object, { signal: this.#signal });
    } catch (error) {
      if (!isKind(error, 'AlreadyExists')) throw error;
    }
    return this.#remember(markOf({ type, object }));
  }

  async #remember(mark: string): Promise<boolean> {
    const body = { data: { [mark]: new Date().toISOString() } };
    await this.#client.patch(configMaps, this.#marker, { type: 'merge', body }, { signal: this.#signal });
    return true;
  }

  /** A VM that needs a restart must run first. */
  async #edit(): Promise<void> {
    const key = { namespace: DEMO, name: RESTART_REQUIRED };
    const mark = `edited.${DEMO}.${RESTART_REQUIRED}`;
    if (this.#known.has(mark)) return;
    await this.#try(mark, async () => {
      const vm = await find(this.#client, virtualMachines, key, { signal: this.#signal });
      if (vm?.status?.printableStatus !== 'Running') return false;
      await this.#client.patch(virtualMachines, key, { type: 'merge', body: EDIT }, { signal: this.#signal });
      return this.#remember(mark);
    });
  }

  #hasTime(): boolean {
    return !this.#signal.aborted && systemClock.now() < this.#deadline;
  }

  /** Retries until the call succeeds, the server refuses it finally, or the time is over. */
  async #try(what: string, act: () => Promise<boolean>): Promise<boolean> {
    let last: unknown;
    for (let pause = FIRST_PAUSE_MS; this.#hasTime(); pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
      try {
        if (await act()) return true;
      } catch (error) {
        last = error;
        if (isKind(error, 'Invalid', 'BadRequest')) break;
      }
      // The signal ends the sleep early, and the loop with it.
      await sleep(systemClock, pause, this.#signal).catch(() => {});
    }
    if (this.#signal.aborted) return false;
    // If a part is not simulated, its samples are expected to be missing.
    const level = isNotFound(last) ? 'debug' : 'warn';
    this.#world.log[level]({ err: last, sample: what }, 'a sample was not created');
    return false;
  }
}

/** A key of a ConfigMap, which may contain neither slashes nor colons. */
function markOf({ type, object }: Placed): string {
  return `${type.plural}.${keyOf(keyOfObject(object))}`.replaceAll(/[^-._a-zA-Z0-9]/g, '.');
}
