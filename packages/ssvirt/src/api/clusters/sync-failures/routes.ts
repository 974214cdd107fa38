/** VMs whose state could not be written for a long time: for the provider, who can fix the cause. */
import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import {
  getSyncFailure,
  listSyncFailures,
  requestRetry,
  type SyncFailureRow,
} from '../../../db/clusters/sync-failures.ts';
import { inTransaction } from '../../../db/connection/transaction.ts';
import type { SyncFailureId, Tables } from '../../../db/schema/schema.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Caller } from '../../caller.ts';
import type { ApiContext } from '../../deps.ts';
import { conflict, found } from '../../errors.ts';
import { callerOf, operation, type ApiApp } from '../../http/app-types.ts';
import { listRequest, sendPage } from '../../http/pages.ts';
import { ListQuery, PageOf, UrnSchema } from '../../http/schemas.ts';
import { idOf, urnOf } from '../../urn.ts';
import { SyncFailureBody, syncFailureBody } from './render.ts';

export function syncFailureRoutes(app: ApiApp, { database: { db } }: ApiContext): void {
  const tags = ['sync failures'];

  app.get(
    '/cloudapi/1.0.0/syncFailures',
    {
      config: operation('syncFailures.list'),
      schema: {
        operationId: 'listSyncFailures',
        tags,
        summary: 'List the VMs whose state could not be written',
        querystring: ListQuery,
        response: { 200: PageOf(SyncFailureBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const page = await listSyncFailures(db, callerOf(request).scope, asked);
      return sendPage({ request, reply, model: 'SyncFailures' }, asked, page, syncFailureBody);
    },
  );

  app.get(
    '/cloudapi/1.0.0/syncFailures/:failureId',
    {
      config: operation('syncFailures.get'),
      schema: {
        operationId: 'getSyncFailure',
        tags,
        summary: 'Get a sync failure',
        params: Type.Object({ failureId: UrnSchema('syncFailure', 'The sync failure') }),
        response: { 200: SyncFailureBody },
      },
    },
    async (request) =>
      syncFailureBody(found(await getSyncFailure(db, idOf('syncFailure', request.params.failureId, 'failureId')))),
  );

  app.post(
    '/cloudapi/1.0.0/syncFailures/:failureId/actions/retry',
    {
      config: operation('syncFailures.retry'),
      schema: {
        operationId: 'retrySyncFailure',
        tags,
        summary: 'Try now to write the state of the VM',
        description:
          'Use it when the cause is fixed: the vm-controller then does not wait for the end of its pause, which is up to five minutes. Read the sync failure again: resolvedAt is set when the state was written; otherwise attempts and lastFailedAt grow. 409 if it is resolved already.',
        params: Type.Object({ failureId: UrnSchema('syncFailure', 'The sync failure') }),
        response: { 202: SyncFailureBody },
      },
    },
    async (request, reply) => {
      const id = idOf('syncFailure', request.params.failureId, 'failureId');
      return reply.status(202).send(syncFailureBody(await retry(db, callerOf(request), id)));
    },
  );
}

async function retry(db: Kysely<Tables>, caller: Caller, id: SyncFailureId): Promise<SyncFailureRow> {
  return inTransaction(db, async (tx) => {
    const failure = found(await getSyncFailure(tx, id));
    const { cluster, namespace, vm_name, vm_id, resolved_at } = failure;
    if (resolved_at !== null)
      throw conflict(
        `The state of the VM "${vm_name}" could be written again at ${resolved_at.toISOString()}; there is nothing to retry.`,
      );
    await requestRetry(tx, id);
    await recordAudit(tx, caller, {
      action: 'syncFailures.retry',
      entity: { kind: 'syncFailure', id, name: `${namespace}/${vm_name}` },
      details: { cluster, ...(vm_id === null ? {} : { vm: urnOf('vm', vm_id) }) },
    });
    return failure;
  });
}
