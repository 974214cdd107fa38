/**
 * Tenants at work on several clusters while controllers, API servers and PostgreSQL are killed. In the end, when all is quiet, every row must say what its machine
 * is, and the log of all writes must show that no row ever went back.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Dice } from '../conformance/dice.ts';
import { Disruptions, victims, type Victim } from './disruption.ts';
import { startVmStatusGround, type VmStatusGround } from './ground.ts';
import { SimulatedCluster } from './simulated-cluster.ts';
import { TenantsAtWork } from './tenants-at-work.ts';
import { violations } from './write-log.ts';

export interface ChaosOptions {
  readonly seed: number;
  readonly clusters: number;
  /** In all clusters together. */
  readonly machines: number;
  readonly durationMs: number;
  /** Between two kills, about. */
  readonly calmMs: number;
  /** Between two actions in one cluster, about. */
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

/** Rejects where rows and machines do not come to agree. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const each = Math.ceil(options.machines / options.clusters);
  const starting = names.slice(0, options.clusters).map((name) => SimulatedCluster.start(name, each));
  const clusters = await Promise.all(starting);
  const ground = await startGround(clusters);
  try {
    return await play(ground, options, each);
  } finally {
    await ground.stop();
  }
}

async function startGround(clusters: readonly SimulatedCluster[]): Promise<VmStatusGround<SimulatedCluster>> {
  try {
    // What PostgreSQL has confirmed must be there after a kill; that the machine itself fails is not tried.
    return await startVmStatusGround(clusters, { again: true, postgres: { synchronous_commit: 'on' } });
  } catch (error) {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
    throw error;
  }
}

async function play(
  ground: VmStatusGround<SimulatedCluster>,
  options: ChaosOptions,
  each: number,
): Promise<ChaosResult> {
  const { seed, durationMs, calmMs, pauseMs, say = () => undefined } = options;
  const machineNames = Array.from({ length: each }, (_, i) => `vm-${i}`);
  const tenants = ground.clusters.map(
    (cluster, i) =>
      new TenantsAtWork({ cluster, tenant: ground.tenant, names: machineNames, dice: new Dice(seed + i), pauseMs }),
  );
  const started = [ground.controllers.start(), ground.controllers.start()];
  await Promise.all([...tenants.map((tenant) => tenant.createAll()), ...started]);
  say(`${each * ground.clusters.length} machines in ${ground.clusters.length} clusters`);
  const stopping = new AbortController();
  const working = tenants.map((tenant) => tenant.work(stopping.signal));
  const disruptions = new Disruptions(ground, new Dice(seed + 100));
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
    const tenant = tenants[ground.clusters.findIndex((one) => one.name === cluster)];
    return [...(tenant?.historyOf(name) ?? []), ...happened.map((text) => `${text} ***`)].toSorted();
  };
  await ground.agrees({ deadlineMs: 60_000, historyOf });
  const writes = await ground.writes();
  return {
    actions: sum(tenants, 'done'),
    refused: sum(tenants, 'refused'),
    writes: writes.length,
    disruptions: happened,
    violations: violations(writes),
  };
}

/** Each kind of victim once in a round, in a random order, at least one round; the next may be struck before the one before is back. */
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
    // One that is still down is not struck again.
    await under.get(victim);
    const strike = disruptions.strike(victim);
    under.set(victim, strike);
    // It rejects where it is awaited.
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
