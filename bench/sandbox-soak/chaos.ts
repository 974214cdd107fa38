/** The time between two quiet points: changing faults, compactions, and a kill if the state is on disk. */
import { Connection } from '../sandbox/connection.ts';
import type { Cache } from './cache.ts';
import { readList } from './quiet-point.ts';
import { pause, type World } from './world.ts';

const mostFaults = 4;

export interface ChaosOptions {
  /** In milliseconds. */
  readonly length: number;
  readonly kill: boolean;
  /** Resets the revision, and announces it to all clients. */
  readonly resetRevision: boolean;
}

export async function runChaos(world: World, caches: readonly Cache[], options: ChaosOptions): Promise<void> {
  const { dice, desk } = world;
  const end = performance.now() + options.length;
  const someTime = (): number => performance.now() + options.length * (0.2 + dice.next() * 0.6);
  let killAt = options.kill ? someTime() : Number.POSITIVE_INFINITY;
  let resetAt = options.resetRevision ? someTime() : Number.POSITIVE_INFINITY;
  while (performance.now() < end) {
    await pause(Math.min(options.length / 20, 200 + dice.below(1500)));
    if (performance.now() > killAt) {
      killAt = Number.POSITIVE_INFINITY;
      await killAndRestart(world);
    }
    if (performance.now() > resetAt) {
      resetAt = Number.POSITIVE_INFINITY;
      await goBack(world, caches);
    }
    if (dice.chance(0.15)) await desk.compact();
    if (desk.active >= mostFaults || (desk.active > 0 && dice.chance(0.3))) await desk.switchOff();
    else await desk.switchOn();
  }
}

async function killAndRestart(world: World): Promise<void> {
  const before = await clusterIdentity(world);
  // A write that is acknowledged from here on may be newer, never older.
  const acknowledged = world.revision;
  for (const defect of world.sandbox.newDefects()) world.violations.add(`the sandbox says: ${defect}`);
  await world.desk.whileDown(() => world.sandbox.killAndRestart());
  const after = await clusterIdentity(world);
  if (after.uid !== before.uid) world.violations.add('the uid of kube-system is another one after a restart');
  if (after.revision < acknowledged)
    world.violations.add(`after a restart the revision is ${after.revision}; ${acknowledged} had been acknowledged`);
}

async function clusterIdentity(world: World): Promise<{ uid: string | undefined; revision: number }> {
  for (;;) {
    const connection = await Connection.open(world.sandbox.credentials);
    try {
      const { items, revision } = await readList(connection, { path: '/api/v1/namespaces' });
      return { uid: items.find(({ metadata }) => metadata.name === 'kube-system')?.metadata.uid, revision };
    } catch {
      await pause(20); // A fault answered; faults are on all the time.
    } finally {
      connection.close();
    }
  }
}

/** Acts like a restored etcd backup that is announced: all watchers start over. */
async function goBack(world: World, caches: readonly Cache[]): Promise<void> {
  await Promise.all([world.watching.close(), world.writing.close()]);
  const { revision } = await clusterIdentity(world);
  await world.desk.resetRevision(Math.max(1, Math.floor(revision * (0.5 + world.dice.next() / 2))));
  world.revision = 0;
  for (const cache of caches) cache.forget();
  world.watching.open();
  world.writing.open();
}
