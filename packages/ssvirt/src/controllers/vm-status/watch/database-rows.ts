/**
 * Changes that others make to rows, from the change log. The controller's own writes are not read back, or it would
 * wake itself with every batch.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import { Backoff } from '@ssvirt/kube/backoff';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import { ChangeFeed, type Change, type Position } from '../../../db/change-log/changes.ts';
import type { Connections } from '../../../db/connection/connections.ts';
import type { RowChangeHandlers, RowChanges, VmPlace } from './row-changes.ts';

export interface DatabaseRowsParts {
  readonly database: Connections;
  readonly log: Logger;
}

export function databaseRows({ database, log }: DatabaseRowsParts): RowChanges {
  return {
    async follow(handlers) {
      const { signal } = handlers;
      const backoff = new Backoff({ initialMs: 500, factor: 2, maxMs: 15_000, jitter: 0.5 });
      let from: Position | undefined;
      while (!signal.aborted) {
        const over = new AbortController();
        const feed = new ChangeFeed({
          database,
          // Continues at the last position that was handled.
          ...defined({ from }),
          kinds: ['vdc', 'vapp', 'vm', 'syncFailure'],
          desiredOnly: true,
          onStart: () =>
            void handlers.vdcs().then(
              () => backoff.reset(),
              (error: unknown) => over.abort(error),
            ),
          onChanges: (changes) => tell(database, changes, handlers),
          onReset: async () => {
            handlers.vapps();
            await handlers.vdcs();
          },
        });
        try {
          await feed.run(AbortSignal.any([signal, over.signal]));
          over.signal.throwIfAborted();
        } catch (error) {
          if (!signal.aborted) log.warn({ err: error }, 'change feed from the database failed, retrying');
        }
        from = feed.position;
        await sleep(systemClock, backoff.take(), signal);
      }
    },
  };
}

async function tell(database: Connections, changes: readonly Change[], handlers: RowChangeHandlers): Promise<void> {
  const of = (kind: string): readonly Change[] => changes.filter((change) => change.kind === kind);
  if (of('vdc').length > 0) await handlers.vdcs();
  if (of('vapp').length > 0) handlers.vapps(await vdcsOf(database, of('vapp')));
  if (of('syncFailure').length > 0) handlers.retries(await placesOf(database, 'sync_failures', of('syncFailure')));
  if (of('vm').length > 0) handlers.machines(await placesOf(database, 'vms', of('vm')));
}

async function placesOf(
  { pool }: Connections,
  table: 'vms' | 'sync_failures',
  changes: readonly Change[],
): Promise<readonly VmPlace[]> {
  const { rows } = await pool.query<VmPlace>(
    `SELECT cluster, namespace, vm_name AS name FROM ${table} WHERE id = ANY ($1::uuid[])`,
    [changes.map(({ entityId }) => entityId)],
  );
  return rows;
}

async function vdcsOf(
  { pool }: Connections,
  vapps: readonly Change[],
): Promise<readonly { readonly cluster: string; readonly namespace: string }[]> {
  const { rows } = await pool.query<{ cluster: string; namespace: string }>(
    'SELECT DISTINCT d.cluster, d.namespace FROM vapps a JOIN vdcs d ON d.id = a.vdc_id WHERE a.id = ANY ($1::uuid[])',
    [vapps.map(({ entityId }) => entityId)],
  );
  return rows;
}
