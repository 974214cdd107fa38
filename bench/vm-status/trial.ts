/** One start of one contestant on a scene, with a database of its own. */
import { cpuSeconds } from '../sandbox/processes.ts';
import { start, type Contestant, type Running } from './contestants.ts';
import type { Harness, Postgres } from './postgres.ts';
import type { Probe } from './probe.ts';
import type { Scene } from './scenes.ts';

export interface Trial {
  readonly running: Running;
  readonly probe: Probe;
  /** Seconds from the start of its process to the commit of the last expected row. */
  readonly syncSeconds: number;
  /** Processor seconds until then. */
  readonly syncCpu: number;
  /** Statements until then. */
  readonly syncStatements: number;
}

const patience = 180_000;

/** Starts the contestant, waits for all rows to be in sync, and then calls `use`. */
export async function trial<T>(
  contestant: Contestant,
  scene: Scene,
  postgres: Postgres,
  use: (trial: Trial) => Promise<T>,
): Promise<T> {
  const harness: Harness = await postgres.copy(scene.name);
  try {
    await harness.probe.reset();
    const running = await start(contestant, scene.server, harness.url);
    try {
      await synced(running, harness.probe, scene);
      const last = (await harness.probe.writes()).reduce((latest, { at }) => Math.max(latest, at), 0);
      return await use({
        running,
        probe: harness.probe,
        syncSeconds: (last - running.began) / 1000,
        syncCpu: cpuSeconds([running]),
        syncStatements: await harness.probe.statements(),
      });
    } finally {
      await running.stop();
    }
  } finally {
    await harness.drop();
  }
}

/** Throws if the rows are not in sync in time. */
export async function synced(running: Running, probe: Probe, scene: Scene): Promise<void> {
  if (await probe.inSync(scene.versions, patience, () => running.isAlive())) return;
  const why = running.isAlive() ? `within ${patience / 1000} s` : 'before it ended';
  throw new Error(`${running.name} did not bring all rows in sync ${why}:\n${running.tail()}`);
}
