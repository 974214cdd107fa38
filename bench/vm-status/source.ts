/**
 * An event source for rates that no API server on the same host reaches: VMs are listed, watched and changed in memory;
 * all other requests (discovery, Leases, namespaces, Events) are forwarded to a sandbox.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KubeObject } from '../../packages/sandbox/src/values/json.ts';
import { now } from './clock.ts';
import type { Change, Load, Played } from './load.ts';
import { collection, inNamespace, namespace } from './machines.ts';
import { objectText, type ObjectText } from './object-text.ts';

const chunkBytes = 128 * 1024;
const bookmarkEvery = 5000;
const endOfInitial = { 'k8s.io/initial-events-end': 'true' };

export class Source {
  readonly #text: ObjectText;
  readonly #versions: Int32Array;
  readonly #revisions: Float64Array;
  readonly #watchers = new Set<ServerResponse>();
  readonly #bookmarks: NodeJS.Timeout;
  #revision = 1_000_000;

  constructor(sample: KubeObject, count: number) {
    this.#text = objectText(sample);
    this.#versions = new Int32Array(count);
    this.#revisions = new Float64Array(count).fill(this.#revision);
    this.#bookmarks = setInterval(() => this.#broadcast(this.#bookmark()), bookmarkEvery);
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  stop(): void {
    clearInterval(this.#bookmarks);
  }

  /** Returns false if the request is not for VMs. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://source');
    if (request.method !== 'GET') return false;
    if (pathname === collection || pathname === inNamespace) {
      if (!['', null, 'metadata.namespace=' + namespace].includes(searchParams.get('fieldSelector'))) return false;
      if (['1', 'true'].includes(searchParams.get('watch') ?? '')) void this.#watch(searchParams, response);
      else void this.#list(searchParams, response);
      return true;
    }
    if (!pathname.startsWith(`${inNamespace}/bench-`)) return false;
    const index = Number(pathname.slice(-6));
    response.writeHead(200, { 'content-type': 'application/json' }).end(this.#object(index));
    return true;
  }

  /** Changes VMs and sends the events, at a rate or as fast as the watchers accept them. */
  async play(changes: readonly Change[], { rate }: Pick<Load, 'rate'>): Promise<Played> {
    const sent: number[] = [];
    const began = performance.now();
    while (sent.length < changes.length) {
      const due = rate > 0 ? Math.ceil(((performance.now() - began) / 1000) * rate) : changes.length;
      let text = '';
      const from = sent.length;
      let at = from;
      for (; at < Math.min(due, changes.length) && text.length < chunkBytes; at++)
        text += this.#change(changes[at] as Change);
      if (text !== '') this.#broadcast(text);
      const time = now();
      for (let index = from; index < at; index++) sent.push(time);
      await this.#drained();
      if (rate > 0 && at >= due) await new Promise((wake) => setTimeout(wake, 1));
    }
    return { sent, seconds: (performance.now() - began) / 1000 };
  }

  #change({ index, version }: Change): string {
    this.#versions[index] = version;
    this.#revisions[index] = ++this.#revision;
    return `{"type":"MODIFIED","object":${this.#object(index)}}\n`;
  }

  #object(index: number): string {
    return this.#text(index, this.#versions[index] ?? 0, this.#revisions[index] ?? 0);
  }

  #bookmark(annotations: object = {}): string {
    const metadata = { resourceVersion: String(this.#revision), creationTimestamp: null, annotations };
    return `${JSON.stringify({ type: 'BOOKMARK', object: { kind: 'VirtualMachine', apiVersion: 'kubevirt.io/v1', metadata } })}\n`;
  }

  #broadcast(text: string): void {
    for (const watcher of this.#watchers) watcher.write(text);
  }

  async #drained(): Promise<void> {
    for (const watcher of this.#watchers) await drained(watcher);
    await new Promise((wake) => setImmediate(wake));
  }

  async #watch(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const isInitial = query.get('sendInitialEvents') === 'true';
    const from = query.get('resourceVersion') ?? '';
    response.writeHead(200, { 'content-type': 'application/json' });
    if (isInitial || from === '' || from === '0') {
      await this.#inChunks(response, (index) => `{"type":"ADDED","object":${this.#object(index)}}\n`);
      if (isInitial) response.write(this.#bookmark(endOfInitial));
    } else if (Number(from) < this.#revision) {
      const expired = {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'Expired',
        code: 410,
        message: 'too old',
      };
      response.end(`${JSON.stringify({ type: 'ERROR', object: expired })}\n`);
      return;
    } else response.flushHeaders();
    response.once('close', () => this.#watchers.delete(response));
    if (!response.destroyed) this.#watchers.add(response);
  }

  async #list(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const from = Number(query.get('continue') ?? 0);
    const limit = Number(query.get('limit') ?? 0) || this.#versions.length;
    const to = Math.min(from + limit, this.#versions.length);
    const more = to < this.#versions.length ? { continue: String(to) } : {};
    const metadata = JSON.stringify({ resourceVersion: String(this.#revision), ...more });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`{"kind":"VirtualMachineList","apiVersion":"kubevirt.io/v1","metadata":${metadata},"items":[`);
    await this.#inChunks(response, (index) => (index > from ? ',' : '') + this.#object(index), from, to);
    response.end(']}');
  }

  async #inChunks(
    response: ServerResponse,
    textOf: (index: number) => string,
    from = 0,
    to = this.#versions.length,
  ): Promise<void> {
    let text = '';
    for (let index = from; index < to; index++) {
      text += textOf(index);
      if (text.length < chunkBytes && index + 1 < to) continue;
      response.write(text);
      text = '';
      await drained(response);
    }
  }
}

async function drained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}
