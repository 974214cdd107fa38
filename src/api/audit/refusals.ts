/**
 * What was asked for and not done: a change that a known caller was refused, or that failed, is put down when it has been answered. What was done stands
 * in the transaction that did it (record.ts).
 */
import type { ApiDeps } from '../deps.ts';
import type { ApiApp, Reply, Request } from '../http/app-types.ts';
import type { Operation } from '../access/matrix.ts';
import type { Caller } from '../caller.ts';
import { isRecorded, recordAudit, type Deed } from './record.ts';

/** More than these at once are logged only: whoever is refused often must not take the database's connections from others. */
const maxAtOnce = 16;

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

export function auditRefusals(app: ApiApp, { database: { db }, log }: Pick<ApiDeps, 'database' | 'log'>): void {
  const underWay = new Set<Promise<void>>();
  app.addHook('onResponse', async (request, reply) => {
    const { caller } = request;
    const deed = deedOf(request, reply);
    if (caller === undefined || deed === undefined || isRecorded(caller)) return;
    if (underWay.size >= maxAtOnce) {
      log.warn({ ...fieldsOf(caller), action: deed.action }, 'not in the audit: too many refusals at once');
      return;
    }
    const written = recordAudit(db, caller, deed)
      .catch((error: unknown) => {
        log.error({ ...fieldsOf(caller), action: deed.action, err: error }, 'cannot write to the audit');
      })
      .finally(() => underWay.delete(written));
    underWay.add(written);
  });
  app.addHook('onClose', async () => {
    await Promise.all(underWay);
  });
}

function fieldsOf({ requestId, userName, organizationName }: Caller): Readonly<Record<string, string>> {
  return { requestId, user: userName, organization: organizationName };
}

function deedOf(request: Request, { statusCode }: Reply): Deed | undefined {
  const { operation, url } = routeOf(request);
  if (operation === undefined || reading.has(request.method)) return undefined;
  if (statusCode !== 403 && statusCode < 500) return undefined;
  const entity = entityOf(request);
  return {
    action: operation,
    outcome: statusCode === 403 ? 'refused' : 'failed',
    ...(entity === undefined ? {} : { entity }),
    details: { status: statusCode, method: request.method, route: url },
  };
}

function routeOf({ routeOptions }: Request): { readonly operation: Operation | undefined; readonly url: string } {
  return { operation: routeOptions.config.operation, url: routeOptions.url ?? '' };
}

/** The last URN in the path. Its name is not known, and perhaps there is no such thing. */
function entityOf({ params }: Request): Deed['entity'] {
  const urns = Object.values((params ?? {}) as Readonly<Record<string, string>>)
    .map((value) => /^urn:vcloud:(\w+):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(value))
    .filter((match) => match !== null);
  const [, kind, id] = urns.at(-1) ?? [];
  return kind === undefined || id === undefined
    ? undefined
    : { kind: kind as NonNullable<Deed['entity']>['kind'], id, name: '' };
}
