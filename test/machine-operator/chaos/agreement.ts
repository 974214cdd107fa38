/** Waits until the actual objects match the declared ones, and reports the differences. */
import { KubeError } from '../../../packages/kube/src/errors.ts';
import type { Controller } from '../../vm-status/controllers.ts';
import type { Declared } from './declared.ts';
import { disagreements } from './disagreements.ts';
import { lookAtWorld, type ChaosContext, type World } from './world.ts';

export interface AgreementOptions {
  readonly deadlineMs: number;
  /** For display: what was done to all of them. */
  readonly happened?: readonly string[];
  /** Only Machines of these clusters count, and only these are read; by default all. */
  readonly clusters?: readonly string[];
  /** Reports progress from time to time. */
  readonly say?: (text: string) => void;
}

export interface Watched extends ChaosContext {
  readonly operators: { readonly all: readonly Controller[] };
}

export async function agree(harness: Watched, all: readonly Declared[], options: AgreementOptions): Promise<void> {
  const { deadlineMs, clusters } = options;
  const deadline = performance.now() + deadlineMs;
  const isOf = (cluster: string): boolean => clusters === undefined || clusters.includes(cluster);
  const members = harness.members.filter(({ name }) => isOf(name));
  const some = all.filter(({ cluster }) => isOf(cluster));
  const namespaces = [...new Set(some.map(({ namespace }) => namespace))];
  let told = performance.now();
  for (;;) {
    const world = await seen(() => lookAtWorld({ supervisor: harness.supervisor, members }, namespaces));
    const found = world instanceof KubeError ? undefined : disagreements(world, some);
    if (found?.length === 0) return;
    if (performance.now() > deadline) {
      if (world instanceof KubeError) throw world;
      throw new Error(text(harness, all, world, found ?? [], options));
    }
    if (performance.now() > told + 15_000) {
      told = performance.now();
      options.say?.(found === undefined ? 'a cluster does not answer' : inShort(found));
    }
    await new Promise((wake) => setTimeout(wake, 400 + all.length * 4));
  }
}

function inShort(found: ReturnType<typeof disagreements>): string {
  const some = found.slice(0, 3).map(({ machine = '', what }) => `${machine} ${what}`);
  return `${found.length} things are not as declared: ${some.join('; ')}`;
}

/** A starved host answers late, so the check is repeated. */
export async function seen<T>(look: () => Promise<T>): Promise<T | KubeError> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return error;
  }
}

function text(
  { operators }: Watched,
  all: readonly Declared[],
  { machines, clusters }: World,
  found: ReturnType<typeof disagreements>,
  { happened = [] }: AgreementOptions,
): string {
  const named = new Set(found.flatMap(({ machine }) => machine ?? []));
  const histories = [...named].slice(0, 3).flatMap((name) => {
    const { history = [], cluster } = all.find((one) => `${one.namespace}/${one.name}` === name) ?? {};
    const events = [...history, ...happened.map((line) => `${line} ***`)].toSorted();
    const vms = clusters.find((one) => one.name === cluster)?.vms;
    // Its managedFields name the writers of the differences.
    const vm = vms?.get(name.replace('/', '/vm-'))?.metadata;
    return [
      `--- ${name} on ${cluster}: ${JSON.stringify(machines.get(name)?.status)}`,
      `its virtual machine: ${JSON.stringify(vm)}`,
      ...events.slice(-100),
    ];
  });
  const shown = found.slice(0, 30).map(({ machine = '', what }) => `${machine} ${what}`);
  const logs = operators.all.map(({ name, log }) => `--- ${name}\n${log.slice(-3000)}`);
  const head = `${found.length} things of ${named.size} Machines are not as declared:`;
  return [head, ...shown, ...histories, ...logs].join('\n');
}
