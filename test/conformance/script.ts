/**
 * The language of the cases. A case is an async function over a Script: each request, batch of events and wait goes
 * into the transcript, in order. `quiet` sends requests without recording them, for objects that only need to exist.
 * Every case has its own token in the names of its namespaces and API groups, so cases can run side by side and
 * against a server that was used before.
 */
import { defined } from '@ssvirt/base/values/defined';
import { randomInt } from 'node:crypto';
import { isObject } from '../../packages/sandbox/src/values/json.ts';
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { httpClient } from './http.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from './http.ts';
import { normalise } from './normalise.ts';
import type { AnswerEntry, Transcript } from './transcript.ts';
import { Watch } from './watch.ts';

export interface Case {
  readonly name: string;
  readonly run: (t: Script) => Promise<void>;
  /** Disturbs other cases, so it runs alone after them. */
  readonly exclusive?: boolean;
  /** Takes half a minute or more on a real server: started first, and run live on both servers in CI only. */
  readonly slow?: boolean;
}

export type CaseOptions = Pick<Case, 'exclusive' | 'slow'>;

/** Headers that are part of an answer's meaning. The content type JSON is not recorded. */
const keptHeaders = [
  'content-type',
  'content-encoding',
  'warning',
  'retry-after',
  'allow',
  'www-authenticate',
  'location',
];

export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export type Extra = Pick<HttpRequest, 'headers'>;

/** The verbs, over whatever sends a request. */
export class Requests {
  readonly #send: (request: HttpRequest) => Promise<HttpAnswer>;

  constructor(send: (request: HttpRequest) => Promise<HttpAnswer>) {
    this.#send = send;
  }

  send(request: HttpRequest): Promise<HttpAnswer> {
    return this.#send(request);
  }
  get(path: string, extra: Extra = {}): Promise<HttpAnswer> {
    return this.#send({ method: 'GET', path, ...extra });
  }
  post(path: string, body: Json, extra: Extra = {}): Promise<HttpAnswer> {
    return this.#send({ method: 'POST', path, body, ...extra });
  }
  put(path: string, body: Json, extra: Extra = {}): Promise<HttpAnswer> {
    return this.#send({ method: 'PUT', path, body, ...extra });
  }
  delete(path: string, body?: Json): Promise<HttpAnswer> {
    return this.#send({ method: 'DELETE', path, body });
  }
  patch(type: keyof typeof patchTypes, path: string, body: Json): Promise<HttpAnswer> {
    return this.#send({ method: 'PATCH', path, body, headers: { 'content-type': patchTypes[type] } });
  }
  apply(path: string, manager: string, body: Json, query = ''): Promise<HttpAnswer> {
    return this.patch('apply', `${path}?fieldManager=${manager}${query === '' ? '' : `&${query}`}`, body);
  }
}

/**
 * Seconds that a script waits for a state. The controllers of a real cluster pause for half a minute at a time
 * while they learn of CRDs, of which the cases create and remove many.
 */
const patience = { real: 120, sandbox: 30 } as const;

export class Script extends Requests {
  readonly cluster: Cluster;
  /** Unique to this run of this case; always of the same length. */
  readonly token: string;
  /** Unrecorded; an error answer fails the case. */
  readonly quiet: Requests;
  /** Unrecorded; every status is accepted. */
  readonly client: HttpClient;
  readonly transcript: Transcript;
  readonly #ends: (() => Promise<unknown> | void)[] = [];

  constructor(cluster: Cluster, client: HttpClient) {
    const transcript: Transcript = [];
    super((request) => recordedSend(client, request, transcript));
    this.transcript = transcript;
    this.cluster = cluster;
    this.client = client;
    this.token = newToken();
    this.quiet = new Requests((request) => strictSend(client, request));
  }

  /** The requests of another user, or of none, recorded. */
  as(client: HttpClient): Requests {
    this.defer(() => client.close());
    return new Requests((request) => recordedSend(client, request, this.transcript));
  }

  /** Records a value that the script computed itself. */
  note(note: string, value: Json): void {
    this.transcript.push({ note, value });
  }

  /** Runs at the end of the case, last first. */
  defer(action: () => Promise<unknown> | void): void {
    this.#ends.push(action);
  }

  async watch(path: string, headers: Record<string, string> = {}): Promise<Watch> {
    const incoming = await this.client.open({ method: 'GET', path, headers });
    const watch = new Watch(path, incoming, patience[this.cluster.kind], (entry) => this.transcript.push(entry));
    this.defer(() => watch.close());
    return watch;
  }

  /** Requests until the answer matches, and records only that answer. */
  async until(path: string, fits: (answer: HttpAnswer) => boolean): Promise<HttpAnswer> {
    const answer = await this.eventually(path, fits);
    this.transcript.push(answerEntry({ method: 'GET', path }, answer));
    return answer;
  }

  /** As `until`, unrecorded; the request may also be another than a GET. */
  async eventually(asked: string | HttpRequest, fits: (answer: HttpAnswer) => boolean): Promise<HttpAnswer> {
    const request = typeof asked === 'string' ? { method: 'GET', path: asked } : asked;
    const seconds = patience[this.cluster.kind];
    const deadline = Date.now() + seconds * 1000;
    for (let pause = 10; ; pause = Math.min(pause * 1.5, 250)) {
      const answer = await this.client.send(request);
      if (fits(answer)) return answer;
      if (Date.now() > deadline) {
        throw new Error(
          `${request.method} ${request.path} did not come to fit in ${seconds} s; the last answer: ${JSON.stringify(answer.body).slice(0, 2000)}`,
        );
      }
      await new Promise((wake) => setTimeout(wake, pause));
    }
  }

  /** A new namespace with everything that controllers put into a new namespace. */
  async namespace(label = 'ns'): Promise<string> {
    const name = `${label}-${this.token}`;
    await this.quiet.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await this.eventually(`/api/v1/namespaces/${name}/serviceaccounts/default`, ({ status }) => status === 200);
    await this.eventually(`/api/v1/namespaces/${name}/configmaps/kube-root-ca.crt`, ({ status }) => status === 200);
    return name;
  }

  /** Creates a CRD, unrecorded, and waits until its resources can be used. It is gone after the case. */
  async crd(definition: JsonObject): Promise<void> {
    await this.quiet.post(crdPath, definition);
    await this.served(definition);
  }

  /** Waits until the server serves all versions of a CRD; its clean-up is scheduled. */
  async served(definition: JsonObject): Promise<void> {
    const { group, names, versions } = definition['spec'] as unknown as CrdSpec;
    this.defer(() => this.client.send({ method: 'DELETE', path: `${crdPath}/${names.plural}.${group}` }));
    for (const { name, served } of versions) {
      if (served)
        await this.eventually(`/apis/${group}/${name}/${names.plural}?limit=1`, ({ status }) => status === 200);
    }
    // It is served as soon as its names are accepted, which the status shows before "established".
    await this.eventually(`${crdPath}/${names.plural}.${group}`, isEstablished);
  }

  async finish(): Promise<void> {
    for (const end of this.#ends.reverse()) await end();
  }
}

export const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function isEstablished({ body }: HttpAnswer): boolean {
  const status = isObject(body) ? body['status'] : undefined;
  const conditions = isObject(status) && Array.isArray(status['conditions']) ? status['conditions'] : [];
  return conditions.some((one) => isObject(one) && one['type'] === 'Established' && one['status'] === 'True');
}

interface CrdSpec {
  readonly group: string;
  readonly names: { readonly plural: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}

/** Runs one case and returns its normalized transcript. */
export async function runCase(cluster: Cluster, client: HttpClient, { run }: Case): Promise<Transcript> {
  const script = new Script(cluster, client);
  try {
    await run(script);
  } finally {
    await script.finish();
  }
  return normalise(script.transcript, script.token, cluster.url);
}

export interface Outcome {
  readonly case: Case;
  readonly transcript?: Transcript;
  readonly error?: Error;
}

/** Runs cases side by side, the slow ones first and the exclusive ones alone at the end. */
export async function runCases(cluster: Cluster, cases: readonly Case[], width: number): Promise<Outcome[]> {
  const client = httpClient(cluster);
  const attempt = async (one: Case): Promise<Outcome> => {
    try {
      return { case: one, transcript: await runCase(cluster, client, one) };
    } catch (error) {
      return { case: one, error: error instanceof Error ? error : new Error(String(error)) };
    }
  };
  try {
    const shared = cases.filter((one) => one.exclusive !== true);
    const slow = Promise.all(shared.filter((one) => one.slow === true).map(attempt));
    const quick = await inParallel(
      shared.filter((one) => one.slow !== true),
      width,
      attempt,
    );
    const alone = await inParallel(
      cases.filter((one) => one.exclusive === true),
      1,
      attempt,
    );
    return [...quick, ...(await slow), ...alone];
  } finally {
    client.close();
  }
}

export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as T);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

function newToken(): string {
  return 'q' + Array.from({ length: 7 }, () => 'bcdfghjklmnpqrstvwxz2456789'[randomInt(27)]).join('');
}

async function recordedSend(client: HttpClient, request: HttpRequest, transcript: Transcript): Promise<HttpAnswer> {
  const answer = await client.send(request);
  transcript.push(answerEntry(request, answer));
  return answer;
}

function answerEntry(
  { method, path, headers: sent = {} }: HttpRequest,
  { status, headers, body }: HttpAnswer,
): AnswerEntry {
  const kept: { [name: string]: string } = {};
  for (const name of keptHeaders) {
    const value = headers[name];
    if (value === undefined || (name === 'content-type' && value === 'application/json')) continue;
    kept[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const how = Object.entries(sent).map(([name, value]) => ` ${name}: ${value}`);
  return {
    request: `${method} ${path}${how.join('')}`,
    status,
    ...(Object.keys(kept).length === 0 ? {} : { headers: kept }),
    ...defined({ body }),
  };
}

async function strictSend(client: HttpClient, request: HttpRequest): Promise<HttpAnswer> {
  const answer = await client.send(request);
  if (answer.status >= 400) {
    throw new Error(
      `cannot prepare the case: ${request.method} ${request.path} answered ${answer.status} ${JSON.stringify(answer.body)}`,
    );
  }
  return answer;
}

/** Reads a value out of an answer, such as `at(answer, 'metadata', 'uid')`. */
export function at(answer: HttpAnswer, ...path: (string | number)[]): Json | undefined {
  let value: Json | undefined = answer.body;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value)) value = value[key];
    else return undefined;
  }
  return value;
}

export const text = (answer: HttpAnswer, ...path: (string | number)[]): string => String(at(answer, ...path));
export const rv = (answer: HttpAnswer): string => text(answer, 'metadata', 'resourceVersion');
export const uid = (answer: HttpAnswer): string => text(answer, 'metadata', 'uid');

/** The object of an answer, with parts replaced: the usual form of an update. */
export function edited(answer: HttpAnswer, change: (object: JsonObject) => void): JsonObject {
  const copy = structuredClone(answer.body) as JsonObject;
  change(copy);
  return copy;
}
