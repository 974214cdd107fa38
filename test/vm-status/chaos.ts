/**
 * Tenants work on several clusters while controllers, API servers and PostgreSQL are killed. At the end, when nothing
 * changes any more, every row must match its VM, and the log of all writes must show that no row ever went back.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Dice } from '../conformance/dice.ts';
import { Disruptions, victims, type Victim } from './disruption.ts';
import { startVmStatusHarness, type VmStatusHarness } from './harness.ts';
import { SimulatedCluster } from './simulated-cluster.ts';
import { TenantsAtWork } from './tenants-at-work.ts';
import { violations } from './write-log.ts';

export interface ChaosOptions {
  readonly seed: number;
  readonly clusters: number;
  /** The number in all clusters together. */
  readonly machines: number;
  readonly durationMs: number;
  /** The average pause between two kills. */
  readonly calmMs: number;
  /** The average pause between two actions in one cluster. */
  readonly pauseMs: number;
  readonly say?: (text: string) => void;
}

export interface ChaosResult {
  readonly actions: number;
  readonly refused: number;
  readonly writes: number;
  readonly disruptions: readonly string[];
  readonly violations: readonly string[];
}

const names = ['local', 'west', 'east', 'north', 'south'];

/** Rejects if rows and VMs never agree. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const each = Math.ceil(options.machines / options.clusters);
  const starting = names.slice(0, options.clusters).map((name) => SimulatedCluster.start(name, each));
  const clusters = await Promise.all(starting);
  const harness = await startHarness(clusters);
  try {
    return await play(harness, options, each);
  } finally {
    await harness.stop();
  }
}

async function startHarness(clusters: readonly SimulatedCluster[]): Promise<VmStatusHarness<SimulatedCluster>> {
  try {
    // Commits of PostgreSQL must survive a kill of its process; a failure of the host is not tested.
    return await startVmStatusHarness(clusters, { again: true, postgres: { synchronous_commit: 'on' } });
  } catch (error) {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
    throw error;
  }
}

async function play(
  harness: VmStatusHarness<SimulatedCluster>,
  options: ChaosOptions,
  each: number,
): Promise<ChaosResult> {
  const { seed, durationMs, calmMs, pauseMs, say = () => undefined } = options;
  const machineNames = Array.from({ length: each }, (_, i) => `vm-${i}`);
  const tenants = harness.clusters.map(
    (cluster, i) =>
      new TenantsAtWork({ cluster, tenant: harness.tenant, names: machineNames, dice: new Dice(seed + i), pauseMs }),
  );
  const started = [harness.controllers.start(), harness.controllers.start()];
  await Promise.all([...tenants.map((tenant) => tenant.createAll()), ...started]);
  say(`${each * harness.clusters.length} machines in ${harness.clusters.length} clusters`);
  const stopping = new AbortController();
  const working = tenants.map((tenant) => tenant.work(stopping.signal));
  const disruptions = new Disruptions(harness, new Dice(seed + 100));
  try {
    await disrupt(disruptions, new Dice(seed + 200), { durationMs, calmMs, say });
  } finally {
    stopping.abort();
    await Promise.all(working);
  }
  await disruptions.lift();
  for (const tenant of tenants) await tenant.settle();
  say(`${disruptions.done.length} disruptions, ${sum(tenants, 'done')} actions; waiting for agreement`);
  const happened = disruptions.done.map(({ at, what }) => `${at.toISOString()} ${what}`);
  const historyOf = (cluster: string, name: string): readonly string[] => {
    const tenant = tenants[harness.clusters.findIndex((one) => one.name === cluster)];
    return [...(tenant?.historyOf(name) ?? []), ...happened.map((text) => `${text} ***`)].toSorted();
  };
  await harness.agrees({ deadlineMs: 60_000, historyOf });
  const writes = await harness.writes();
  return {
    actions: sum(tenants, 'done'),
    refused: sum(tenants, 'refused'),
    writes: writes.length,
    disruptions: happened,
    violations: violations(writes),
  };
}

/**
 * Strikes each kind of victim once per round, in a random order, for at least one round; the next may be struck before
 * the previous one is back.
 */
async function disrupt(
  disruptions: Disruptions,
  dice: Dice,
  { durationMs, calmMs, say }: Required<Pick<ChaosOptions, 'durationMs' | 'calmMs' | 'say'>>,
): Promise<void> {
  const end = Date.now() + durationMs;
  const under = new Map<Victim, Promise<void>>();
  let order = dice.some(victims, 1);
  for (let round = 0; round === 0 || Date.now() < end;) {
    const victim = order.pop() as Victim;
    if (order.length === 0) {
      order = dice.some(victims, 1);
      round++;
    }
    // A victim that is still down is not struck again.
    await under.get(victim);
    const strike = disruptions.strike(victim);
    under.set(victim, strike);
    // The rejection is handled where the promise is awaited.
    strike.catch(() => undefined);
    say(disruptions.done.at(-1)?.what ?? '');
    if (dice.chance(0.5)) await strike;
    await pause(calmMs * (0.5 + dice.next()));
  }
  await Promise.all(under.values());
}

function sum(tenants: readonly TenantsAtWork[], what: 'done' | 'refused'): number {
  return tenants.reduce((total, tenant) => total + tenant[what], 0);
}
