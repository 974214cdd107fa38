/** The lower limit: a client that reads the initial events of all VMs without parsing them. */
import type { Credentials } from '../../test/cluster/cluster.ts';
import { Connection } from '../sandbox/connection.ts';
import { collection } from './machines.ts';

const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const endOfInitial = 'k8s.io/initial-events-end';

export interface Read {
  readonly seconds: number;
  readonly megabytes: number;
}

export async function readInitialEvents(server: Credentials): Promise<Read> {
  const began = performance.now();
  const connection = await Connection.open(server);
  let bytes = 0;
  let tail = '';
  try {
    await new Promise<void>((resolve, reject) => {
      connection.watch(`${collection}?${query}`, {
        follow: (part) => {
          bytes += part.length;
          // Keeps only the end of each part: the bookmark is the last event, and short.
          tail = (tail + part.subarray(-1024).toString('latin1')).slice(-2048);
          if (tail.includes(endOfInitial)) resolve();
        },
        ended: () => reject(new Error('the watch ended before its initial events did')),
        failed: reject,
      });
    });
  } finally {
    connection.close();
  }
  return { seconds: (performance.now() - began) / 1000, megabytes: bytes / 1e6 };
}
