/** Switches VMs on and off without end, so that there is always a write on its way to the database. */
import { setTimeout as pause } from 'node:timers/promises';
import type { SmallCluster } from './small-cluster.ts';

export interface Load {
  stop(): Promise<void>;
}

export function startLoad(clusters: readonly SmallCluster[], names: readonly string[]): Load {
  const stopping = new AbortController();
  const work = clusters.map(async (cluster) => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const name = names[turn % names.length] ?? '';
      await cluster.power(name, Math.floor(turn / names.length) % 2 === 0);
      await pause(5);
    }
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(work);
    },
  };
}
