/** The sandbox's own HTTP API for authenticated clients: faults, compaction, setting the revision back. */
import type { PathHandler } from '../server/api/server.ts';
import { readBody } from '../server/api/request/body.ts';
import type { Context } from '../server/api/context.ts';
import { sendJson, success } from '../server/api/render.ts';
import { errors } from '../server/api/status.ts';
import { parseShallow } from '../values/depth.ts';
import { CONTROL_PREFIX, type Faults } from '../server/faults/faults.ts';
import { isObject, type Json } from '../values/json.ts';
import type { Store } from '../store/store.ts';

export interface ControlDeps {
  readonly faults: Faults;
  readonly store: Store;
}

export function controlPaths(deps: ControlDeps): PathHandler {
  return async (context) => {
    if (!context.path.startsWith(CONTROL_PREFIX)) return false;
    const [, , what, id] = context.path.split('/');
    switch (`${context.method} ${what}`) {
      case 'GET faults':
        await sendJson(context, 200, {
          items: deps.faults.list().map((rule) => ({ ...rule, verbs: [...rule.verbs] })),
        });
        return true;
      case 'POST faults': {
        const rule = deps.faults.add(await readJson(context));
        await sendJson(context, 201, { ...rule, verbs: [...rule.verbs] });
        return true;
      }
      case 'DELETE faults':
        if (id === undefined) deps.faults.clear();
        else if (!deps.faults.remove(id)) throw errors.notFound({ group: 'sandbox.ssvirt.io', resource: 'faults' }, id);
        await sendJson(context, 200, success(undefined));
        return true;
      case 'POST compact':
        deps.store.compact();
        await sendJson(context, 200, { revision: deps.store.revision });
        return true;
      case 'POST revision':
        await resetRevision(context, deps.store);
        return true;
      default:
        return false;
    }
  };
}

async function resetRevision(context: Context, store: Store): Promise<void> {
  const body = await readJson(context);
  const revision = isObject(body) ? body['revision'] : undefined;
  if (typeof revision !== 'number' || !Number.isInteger(revision) || revision < 1) {
    throw errors.badRequest(
      `revision: ${JSON.stringify(revision ?? null)} is not a whole number of at least 1: send {"revision": 100}`,
    );
  }
  store.resetRevision(revision);
  await sendJson(context, 200, { revision: store.revision });
}

async function readJson(context: Context): Promise<Json> {
  const text = (await readBody(context.request)).toString('utf8');
  try {
    return parseShallow(text === '' ? '{}' : text);
  } catch {
    throw errors.badRequest('the body is not JSON');
  }
}
