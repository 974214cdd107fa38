/** Whether different answers of the sandbox agree: a list, every get, and the history of a watch. */
import assert from 'node:assert/strict';
import { request } from 'node:https';
import { isObject, type Json, type JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { send, type Wire } from './request.ts';

export interface Served {
  readonly path: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** All objects of a resource at a revision, each as its text. */
export interface Snapshot {
  readonly revision: string;
  readonly objects: ReadonlyMap<string, string>;
}

interface WatchEvent {
  readonly type: string;
  readonly object: JsonObject;
}

export async function getJson(wire: Wire, target: string): Promise<JsonObject> {
  const answer = await send(wire, { method: 'GET', target, headers: {}, body: undefined, manner: 'whole' });
  assert.equal(answer?.code, 200, `GET ${target}: ${answer?.body.slice(0, 300)}`);
  return JSON.parse(answer.body) as JsonObject;
}

/** Every resource that can be listed and watched, by discovery. */
export async function servedResources(wire: Wire): Promise<readonly Served[]> {
  const groups = (await getJson(wire, '/apis'))['groups'] as unknown as { versions: { groupVersion: string }[] }[];
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => `/apis/${groupVersion}`));
  const served: Served[] = [];
  for (const base of ['/api/v1', ...versions]) {
    const { resources } = (await getJson(wire, base)) as unknown as {
      resources: { name: string; namespaced: boolean; verbs: string[] }[];
    };
    for (const { name, namespaced, verbs } of resources) {
      if (verbs.includes('list') && verbs.includes('watch'))
        served.push({ path: `${base}/${name}`, plural: name, namespaced });
    }
  }
  return served;
}

export async function snapshot(wire: Wire, path: string): Promise<Snapshot> {
  const list = (await getJson(wire, path)) as unknown as {
    kind: string;
    apiVersion: string;
    metadata: { resourceVersion: string };
    items: JsonObject[];
  };
  const kind = list.kind.replace(/List$/, '');
  const typed = list.items.map((item) => ({ kind, apiVersion: list.apiVersion, ...item }));
  return {
    revision: list.metadata.resourceVersion,
    objects: new Map(typed.map((item) => [keyOf(item), textOf(item)])),
  };
}

/** Throws if a list, the gets after it, and watches do not agree. Returns the number of objects. */
export async function checkConsistency(wire: Wire, resource: Served, before: Snapshot | undefined): Promise<number> {
  const now = await snapshot(wire, resource.path);
  for (const [key, text] of now.objects) {
    const [namespace = '', name = ''] = key.split('/');
    const base = resource.path.slice(0, -resource.plural.length);
    const target = `${base}${resource.namespaced ? `namespaces/${namespace}/` : ''}${resource.plural}/${encodeURIComponent(name)}`;
    assert.equal(textOf(await getJson(wire, target)), text, `${target} differs from the list`);
  }
  const fresh = await watched(
    wire,
    `${resource.path}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
  );
  same(played(fresh, new Map()), now, `a new watch of ${resource.path}`);
  if (before !== undefined) {
    const history = await watched(wire, `${resource.path}?watch=true&resourceVersion=${before.revision}`).catch(
      noHistory,
    );
    if (history !== undefined) same(played(history, before.objects), now, `the history of ${resource.path}`);
  }
  return now.objects.size;
}

/**
 * A definition that was changed in between has a new storage, whose events begin there: then there is no history to
 * replay.
 */
function noHistory(error: unknown): undefined {
  if (error instanceof Error && error.message.includes('/apis/fuzz-') && error.message.includes('"Expired"'))
    return undefined;
  throw error;
}

function same(objects: ReadonlyMap<string, string>, now: Snapshot, what: string): void {
  assert.deepEqual(
    [...objects.keys()].toSorted(),
    [...now.objects.keys()].toSorted(),
    `${what} leads to other objects`,
  );
  for (const [key, text] of now.objects) assert.equal(objects.get(key), text, `${what} leads to another ${key}`);
}

/** The state after the events, which must be consistent. */
function played(events: readonly WatchEvent[], before: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const state = new Map(before);
  for (const { type, object } of events) {
    const key = keyOf(object);
    assert.equal(state.has(key), type !== 'ADDED', `${type} of ${key}, which was ${state.has(key) ? '' : 'not '}there`);
    if (type === 'DELETED') state.delete(key);
    else state.set(key, textOf(object));
  }
  return state;
}

/** The events of a watch up to its first bookmark. */
function watched(wire: Wire, target: string): Promise<WatchEvent[]> {
  return new Promise((resolve, reject) => {
    const { url, ca, token } = wire;
    const options = {
      host: url.hostname,
      port: url.port,
      ca,
      agent: false,
      headers: { authorization: `Bearer ${token}` },
    };
    const path = `${target}&allowWatchBookmarks=true&timeoutSeconds=2`;
    const outgoing = request({ ...options, path }, (response) => {
      let text = '';
      const events: WatchEvent[] = [];
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (text + chunk).split('\n');
        text = lines.pop() ?? '';
        for (const line of lines) {
          const event = JSON.parse(line) as WatchEvent;
          if (event.type === 'ERROR') reject(new Error(`${path}: ${line}`));
          if (event.type === 'BOOKMARK' || event.type === 'ERROR') {
            outgoing.destroy();
            resolve(events);
            return;
          }
          events.push(event);
        }
      });
      response.on('error', reject).on('end', () => reject(new Error(`${path} ended without a bookmark`)));
    });
    outgoing.on('error', reject).end();
  });
}

function keyOf(object: JsonObject): string {
  const { namespace = '', name = '' } = object['metadata'] as { namespace?: string; name?: string };
  return `${namespace}/${name}`;
}

/** The order of fields has no meaning, and differs. */
function textOf(object: JsonObject): string {
  return JSON.stringify(object, (_, value: Json) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}
