/**
 * One cell of the matrix: a fault strikes an operation of a controller at its start, and again while it runs, during
 * writes by others. At the end nothing was missed, and nothing was reconciled twice at once.
 */
import assert from 'node:assert/strict';
import type { Harness } from '../harness.ts';
import { until } from '../until.ts';
import type { FaultRow } from './faults.ts';
import { usesWatchList, type Operation } from './operations.ts';
import { WorkRecord } from './record.ts';
import { startReplica, type Replica } from './replica.ts';
import { settle } from './settle.ts';
import { Writer } from './writer.ts';

const objects = 6;

/** The longest time in the cell from the end of a fault until everything is up to date. */
export interface Recovery {
  readonly milliseconds: number;
}

export async function runCell(harness: Harness, row: FaultRow, operation: Operation): Promise<Recovery> {
  const proxy = await harness.newProxy();
  const namespace = await harness.namespace('cell');
  const path = `/apis/test.ssvirt.io/v1/namespaces/${namespace}/widgets`;
  const writer = new Writer(harness.direct, namespace);
  const record = new WorkRecord();
  await writer.create(objects);
  const credential = harness.credential(proxy);
  const client = harness.client({ source: credential });
  const patience = row.silent === true ? { silenceMs: 1_500 } : {};
  const common = { namespace, record, reflector: { watchList: usesWatchList(operation), ...patience } };
  const withLease = operation === 'lease renewal';
  const startStruck = (): Replica =>
    startReplica({ ...common, name: 'struck', client, ...(withLease ? { election: client } : {}) });
  const startSpare = (): Replica =>
    startReplica({ ...common, name: 'spared', client: harness.direct, election: harness.direct });
  // A killed server takes seconds to come back, so it is killed once for each operation.
  const listing = operation === 'list' || operation === 'watch-list';
  const skipsStart = row.alone === true && !listing;
  const skipsLater = (row.alone === true && listing) || row.onlyAtStart?.includes(operation) === true;
  let struck: Replica | undefined;
  let spare: Replica | undefined;

  const play = async (): Promise<number> => {
    const snapshot = await proxy.snapshot(path);
    await writer.change();
    const running = struck !== undefined;
    if (struck !== undefined) await until('the struck one leads', () => struck?.leads === true);
    // A replica that starts does not lead yet.
    const leads = (): boolean => !running || struck?.leads === true;
    const change = (): Promise<void> => writer.change();
    const scene = { harness, proxy, credential, operation, snapshot, running, leads, change };
    const over = row.play(scene).then(() => performance.now());
    struck ??= startStruck();
    // A replica without faults that may take the lease over.
    if (withLease && running) spare = startSpare();
    // Others write while the fault lasts, or as soon as the server is back.
    if (row.alone === true) await over;
    await writer.change();
    const since = await over;
    const replicas = [struck, ...(spare === undefined ? [] : [spare])];
    const settling = { harness, namespace, writer, record, replicas, deletions: !withLease };
    const milliseconds = await settle({ ...settling, since });
    await writer.change();
    await settle({ ...settling, since });
    await spare?.stop();
    spare = undefined;
    return milliseconds;
  };
  try {
    const times: number[] = [];
    if (!skipsStart) times.push(await play());
    else struck = startStruck();
    if (!skipsLater) times.push(await play());
    assert.deepEqual(record.violations, []);
    return { milliseconds: Math.max(...times) };
  } finally {
    await Promise.allSettled([spare?.stop(), struck?.stop()]);
    await Promise.all([client.close(), proxy.stop()]);
  }
}
