/**
 * Audit records of changes that a known caller was refused or that failed. They are written after the response, which
 * does not wait for them. Successful changes are recorded in their own transaction (record.ts).
 */
import { defined } from '@ssvirt/base/values/defined';
import type { ApiDeps } from '../deps.ts';
import type { ApiError } from '../errors.ts';
import type { ApiApp, Request } from '../http/app-types.ts';
import type { Caller } from '../caller.ts';
import { isRecorded, recordAudit, type Deed } from './record.ts';

/** Further ones are only logged: a caller with many refusals must not use up the database connections. */
const maxAtOnce = 16;

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Called with every error response, even if the client does not wait for it. */
export type RefusalRecorder = (request: Request, error: ApiError) => void;

export function createRefusalRecorder(
  app: ApiApp,
  { database: { db }, log }: Pick<ApiDeps, 'database' | 'log'>,
): RefusalRecorder {
  const underWay = new Set<Promise<void>>();
  app.addHook('onClose', async () => {
    await Promise.all(underWay);
  });
  return (request, error) => {
    const { caller } = request;
    const deed = deedOf(request, error);
    if (caller === undefined || deed === undefined || isRecorded(caller)) return;
    const fields = { ...fieldsOf(caller), action: deed.action };
    if (underWay.size >= maxAtOnce) {
      log.warn(fields, 'refusal not audited, too many at once');
      return;
    }
    const written = recordAudit(db, caller, deed)
      .catch((err: unknown) => log.error({ ...fields, err }, 'cannot write the audit record'))
      .finally(() => underWay.delete(written));
    underWay.add(written);
  };
}

function fieldsOf({ requestId, userName, organizationName }: Caller): Readonly<Record<string, string>> {
  return { requestId, user: userName, organization: organizationName };
}

function deedOf(request: Request, { code, status }: ApiError): Deed | undefined {
  const { method, routeOptions } = request;
  const { operation } = routeOptions.config;
  if (operation === undefined || reading.has(method)) return undefined;
  if (status !== 403 && status < 500) return undefined;
  const entity = entityOf(request);
  return {
    action: operation,
    outcome: status === 403 ? 'refused' : 'failed',
    ...defined({ entity }),
    details: { code, method, route: routeOptions.url ?? '' },
  };
}

/** The last URN in the path. Its name is unknown, and the object may not exist. */
function entityOf({ params }: Request): Deed['entity'] {
  const urns = Object.values((params ?? {}) as Readonly<Record<string, string>>)
    .map((value) => /^urn:vcloud:(\w+):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(value))
    .filter((match) => match !== null);
  const [, kind, id] = urns.at(-1) ?? [];
  return kind === undefined || id === undefined
    ? undefined
    : { kind: kind as NonNullable<Deed['entity']>['kind'], id, name: '' };
}
