/**
 * Seeded random scripts: some twenty requests in a separate namespace, with a watch on every kind from the start
 * to the end. The same seed makes the same requests, except for versions and tokens of the server.
 */
import { isObject } from '../../packages/sandbox/src/values/json.ts';
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { Dice } from './dice.ts';
import { httpClient } from './http.ts';
import type { HttpAnswer, HttpClient } from './http.ts';
import { randomCrd, randomGroup, randomKinds } from './random-kinds.ts';
import type { FieldChoice, RandomKind } from './random-kinds.ts';
import { at, crdPath, inParallel, rv, runCase } from './script.ts';
import type { Script } from './script.ts';
import type { Transcript } from './transcript.ts';

const names = ['a', 'b', 'c'];
const managers = ['alice', 'bob', 'carol'];
const markerName = 'zz-marker';
/** Lists and deletions select the script's own objects: the controllers recreate theirs at unpredictable times. */
const ownObjects = 'metadata.name!=kube-root-ca.crt';

export interface RandomOutcome {
  readonly transcript?: Transcript;
  readonly error?: Error;
}

/** Runs the scripts of these seeds side by side; the answers are in the order of the seeds. */
export async function runRandomScripts(
  cluster: Cluster,
  seeds: readonly number[],
  width: number,
): Promise<RandomOutcome[]> {
  const client = httpClient(cluster);
  try {
    await prepare(client);
    return await inParallel(seeds, width, async (seed) => {
      try {
        return { transcript: await runRandom(cluster, client, seed) };
      } catch (error) {
        return { error: error instanceof Error ? error : new Error(String(error)) };
      }
    });
  } finally {
    client.close();
  }
}

export function runRandom(cluster: Cluster, client: HttpClient, seed: number): Promise<Transcript> {
  return runCase(cluster, client, { name: `random ${seed}`, run: (t) => randomScript(t, seed) });
}

async function prepare(client: HttpClient): Promise<void> {
  await client.send({ method: 'POST', path: crdPath, body: randomCrd }); // it may be there from an earlier run
  const deadline = Date.now() + 30_000;
  for (;;) {
    const answer = await client.send({ method: 'GET', path: `/apis/${randomGroup}/v1/widgets?limit=1` });
    if (answer.status === 200) return;
    if (Date.now() > deadline) throw new Error(`cannot prepare the random scripts: ${JSON.stringify(answer.body)}`);
    await new Promise((wake) => setTimeout(wake, 25));
  }
}

async function randomScript(t: Script, seed: number): Promise<void> {
  const dice = new Dice(seed);
  const ns = await t.namespace('random');
  const kinds = dice.some(randomKinds, 0.5);
  if (kinds.length === 0) kinds.push(dice.pick(randomKinds));
  const walker = new Walker(t, dice, ns);
  const watches = await Promise.all(
    kinds.map(async (kind) => {
      const list = await t.quiet.get(kind.path(ns));
      return t.watch(`${kind.path(ns)}?watch=true&resourceVersion=${rv(list)}`);
    }),
  );
  for (let left = 12 + dice.below(12); left > 0; left--) await walker.step(dice.pick(kinds));
  for (const [i, kind] of kinds.entries()) {
    await t.quiet.post(kind.path(ns), { ...walker.whole(kind, markerName, kind.base) });
    await watches[i]?.takeUntilNamed(markerName);
  }
}

class Walker {
  readonly #t: Script;
  readonly #dice: Dice;
  readonly #ns: string;
  /** The last state of an object that was read or written: the base of the next update, fresh or stale. */
  readonly #known = new Map<string, HttpAnswer[]>();

  constructor(t: Script, dice: Dice, ns: string) {
    this.#t = t;
    this.#dice = dice;
    this.#ns = ns;
  }

  whole(kind: RandomKind, name: string, ...parts: JsonObject[]): JsonObject {
    const result: JsonObject = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name } };
    for (const part of parts) merge(result, part);
    return result;
  }

  step(kind: RandomKind): Promise<void> {
    const name = this.#dice.pick(names);
    const actions: readonly [number, () => Promise<void>][] = [
      [5, () => this.#create(kind, name)],
      [3, () => this.#update(kind, name)],
      [3, () => this.#mergePatch(kind, name)],
      [2, () => this.#jsonPatch(kind, name)],
      [3, () => this.#strategicPatch(kind, name)],
      [7, () => this.#apply(kind, name)],
      [2, () => this.#status(kind, name)],
      [2, () => this.#delete(kind, name)],
      [1, () => this.#deleteCollection(kind)],
      [2, () => this.#list(kind)],
      [1, () => this.#get(kind, name)],
    ];
    let roll = this.#dice.below(actions.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, action] of actions) {
      if (roll < weight) return action();
      roll -= weight;
    }
    throw new Error('no action was chosen');
  }

  async #create(kind: RandomKind, name: string): Promise<void> {
    const body = this.whole(kind, name, this.#dice.chance(0.95) ? kind.base : {}, this.#fields(kind.fields, 0.3));
    await this.#send('POST', kind.path(this.#ns), this.#query(), body, kind, name);
  }

  async #update(kind: RandomKind, name: string): Promise<void> {
    const versions = this.#known.get(kind.plural + name) ?? [];
    const stale = this.#dice.chance(0.15);
    const harness = stale ? versions[0] : versions.at(-1);
    const change = this.#fields(kind.fields, 0.2);
    const drop = this.#dice.pick(kind.fields);
    const keepVersion = this.#dice.chance(0.7);
    const body = isObject(harness?.body) ? structuredClone(harness.body) : this.whole(kind, name, kind.base);
    merge(body, change);
    if (this.#dice.chance(0.4)) remove(body, drop.path);
    if (!keepVersion && isObject(body['metadata'])) delete body['metadata']['resourceVersion'];
    await this.#send('PUT', `${kind.path(this.#ns)}/${name}`, this.#query(), body, kind, name);
  }

  async #mergePatch(kind: RandomKind, name: string): Promise<void> {
    const body = this.#fields(kind.fields, 0.2);
    if (this.#dice.chance(0.4)) set(body, this.#dice.pick(kind.fields).path, null);
    await this.#send(
      'PATCH',
      `${kind.path(this.#ns)}/${name}`,
      this.#query(),
      body,
      kind,
      name,
      'application/merge-patch+json',
    );
  }

  async #jsonPatch(kind: RandomKind, name: string): Promise<void> {
    const operations: Json[] = [];
    for (let left = 1 + this.#dice.below(2); left > 0; left--) {
      const field = this.#dice.pick(kind.fields);
      const path = `/${field.path.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
      const value =
        field.values === undefined ? this.#dice.some(field.items ?? [], 0.5) : this.#dice.pick(field.values);
      const op = this.#dice.pick(['add', 'add', 'replace', 'remove', 'test']);
      operations.push(op === 'remove' ? { op, path } : { op, path, value });
    }
    await this.#send(
      'PATCH',
      `${kind.path(this.#ns)}/${name}`,
      this.#query(),
      operations,
      kind,
      name,
      'application/json-patch+json',
    );
  }

  async #strategicPatch(kind: RandomKind, name: string): Promise<void> {
    const body = this.#fields(kind.fields, 0.2);
    const list = this.#dice.pick(kind.fields.filter(({ key }) => key !== undefined).concat(kind.fields.slice(0, 1)));
    if (list.key !== undefined && this.#dice.chance(0.3)) {
      const item = this.#dice.pick(list.items ?? []);
      if (isObject(item)) set(body, list.path, [{ [list.key]: item[list.key], $patch: 'delete' }]);
    }
    if (this.#dice.chance(0.3)) set(body, this.#dice.pick(kind.fields).path, null);
    await this.#send(
      'PATCH',
      `${kind.path(this.#ns)}/${name}`,
      this.#query(),
      body,
      kind,
      name,
      'application/strategic-merge-patch+json',
    );
  }

  async #apply(kind: RandomKind, name: string): Promise<void> {
    const withBase = this.#dice.chance(0.5);
    const body = this.whole(kind, name, withBase ? kind.base : {}, this.#fields(kind.fields, 0.25));
    const force = this.#dice.chance(0.4) ? '&force=true' : '';
    const query = `?fieldManager=${this.#dice.pick(managers)}${force}`;
    keepOneTypeError(body);
    await this.#send(
      'PATCH',
      `${kind.path(this.#ns)}/${name}`,
      query,
      body,
      kind,
      name,
      'application/apply-patch+yaml',
    );
  }

  async #status(kind: RandomKind, name: string): Promise<void> {
    const body = this.#fields(kind.status ?? [], 0.6);
    if (this.#dice.chance(0.3)) merge(body, this.#fields(kind.fields, 0.1));
    keepOneTypeError(body);
    const path = `${kind.path(this.#ns)}/${name}/status`;
    const force = this.#dice.chance(0.5) ? '&force=true' : '';
    const query = `?fieldManager=${this.#dice.pick(managers)}`;
    if (kind.status === undefined) return;
    if (this.#dice.chance(0.5))
      await this.#send('PATCH', path, query, body, kind, name, 'application/merge-patch+json');
    else
      await this.#send(
        'PATCH',
        path,
        query + force,
        this.whole(kind, name, body),
        kind,
        name,
        'application/apply-patch+yaml',
      );
  }

  async #delete(kind: RandomKind, name: string): Promise<void> {
    const last = this.#known.get(kind.plural + name)?.at(-1);
    const options: JsonObject = { kind: 'DeleteOptions', apiVersion: 'v1' };
    if (this.#dice.chance(0.3)) options['propagationPolicy'] = 'Background';
    const precondition = this.#dice.below(5);
    if (precondition === 0 && last !== undefined) options['preconditions'] = { resourceVersion: rv(last) };
    if (precondition === 1 && last !== undefined)
      options['preconditions'] = { uid: String(at(last, 'metadata', 'uid')) };
    if (precondition === 2) options['preconditions'] = { uid: '11111111-2222-4333-8444-555555555555' };
    const query = this.#dice.chance(0.1) ? '?dryRun=All' : '';
    await this.#send('DELETE', `${kind.path(this.#ns)}/${name}`, query, this.#dice.chance(0.6) ? options : undefined);
  }

  async #deleteCollection(kind: RandomKind): Promise<void> {
    const query = `?labelSelector=${encodeURIComponent(this.#selector())}&fieldSelector=${encodeURIComponent(ownObjects)}`;
    await this.#send('DELETE', kind.path(this.#ns), query);
  }

  async #list(kind: RandomKind): Promise<void> {
    const fields = this.#dice.pick([ownObjects, 'metadata.name=a', `metadata.name!=a,${ownObjects}`]);
    const limit = this.#dice.pick(['', '&limit=1', '&limit=2']);
    const query = `?labelSelector=${encodeURIComponent(this.#selector())}&fieldSelector=${encodeURIComponent(fields)}${limit}`;
    const first = await this.#send('GET', kind.path(this.#ns), query);
    const next = at(first, 'metadata', 'continue');
    if (typeof next === 'string' && next !== '')
      await this.#send('GET', kind.path(this.#ns), `${query}&continue=${encodeURIComponent(next)}`);
  }

  async #get(kind: RandomKind, name: string): Promise<void> {
    await this.#send('GET', `${kind.path(this.#ns)}/${name}`, '', undefined, kind, name);
  }

  #selector(): string {
    return this.#dice.pick(['app=web', 'app!=web', 'tier', '!tier', 'app in (web,db)', 'app=db,tier=back']);
  }

  #query(): string {
    const parts = [`fieldManager=${this.#dice.pick(managers)}`];
    if (this.#dice.chance(0.1)) parts.push('fieldValidation=Strict');
    if (this.#dice.chance(0.1)) parts.push('dryRun=All');
    return `?${parts.join('&')}`;
  }

  #fields(choices: readonly FieldChoice[], density: number): JsonObject {
    const result: JsonObject = {};
    for (const field of choices) {
      if (!this.#dice.chance(density)) continue;
      set(
        result,
        field.path,
        field.values === undefined ? this.#dice.some(field.items ?? [], 0.5) : this.#dice.pick(field.values),
      );
    }
    return result;
  }

  async #send(
    method: string,
    path: string,
    query: string,
    body?: Json,
    kind?: RandomKind,
    name = '',
    type?: string,
  ): Promise<HttpAnswer> {
    const answer = await this.#t.send({
      method,
      path: path + query,
      body,
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    });
    const entry = this.#t.transcript.at(-1);
    if (entry !== undefined && body !== undefined) entry['sent'] = structuredClone(body); // for readers of a difference
    if (kind !== undefined && answer.status < 300 && !query.includes('dryRun') && at(answer, 'kind') === kind.kind) {
      this.#known.set(kind.plural + name, [...(this.#known.get(kind.plural + name) ?? []), answer]);
    }
    return answer;
  }
}

/** Of several fields that an apply cannot type, the server names one or all, depending on Go's map order. */
function keepOneTypeError(body: JsonObject): void {
  const { spec, status } = body;
  const unknown = isObject(spec) && spec['unknown'] !== undefined;
  const wrongSize = isObject(spec) && typeof spec['size'] === 'string';
  if (unknown && wrongSize) delete spec['size'];
  if ((unknown || wrongSize) && isObject(status) && typeof status['count'] === 'string') delete status['count'];
}

function set(target: JsonObject, path: readonly string[], value: Json): void {
  let parent = target;
  for (const key of path.slice(0, -1)) {
    const child = parent[key];
    if (isObject(child)) parent = child;
    else parent = parent[key] = {};
  }
  parent[path.at(-1) ?? ''] = structuredClone(value);
}

function remove(target: JsonObject, path: readonly string[]): void {
  let parent: Json | undefined = target;
  for (const key of path.slice(0, -1)) parent = isObject(parent) ? parent[key] : undefined;
  if (isObject(parent)) delete parent[path.at(-1) ?? ''];
}

/** Objects are merged, everything else is replaced. */
function merge(target: JsonObject, source: JsonObject): void {
  for (const [key, value] of Object.entries(source)) {
    const existing = target[key];
    if (isObject(existing) && isObject(value)) merge(existing, value);
    else target[key] = structuredClone(value);
  }
}
