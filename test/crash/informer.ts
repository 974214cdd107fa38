/** A client's cache of one resource, maintained by list and watch as client-go does, over any number of restarts. */
import type { IncomingMessage } from 'node:http';
import type { HttpClient } from '../conformance/http.ts';
import type { JsonObject, KubeObject } from '../../packages/sandbox/src/values/json.ts';
import { revisionOf } from './witness.ts';

interface WatchEvent {
  readonly type: string;
  readonly object: KubeObject;
}

export class Informer {
  readonly objects = new Map<string, number>();
  readonly #path: string;
  #revision = '';
  #stopped = false;
  #stream: IncomingMessage | undefined;
  resumed = 0;
  relisted = 0;
  /** Violations of the watch protocol by the server. */
  readonly complaints: string[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  /** Lists, watches until the connection is lost, and resumes with what it has, until it is stopped. */
  async run(client: () => HttpClient): Promise<void> {
    while (!this.#stopped) {
      try {
        if (this.#revision === '') await this.#list(client());
        await this.#watch(client());
      } catch {
        // The server is down: it comes back, and this client retries.
        await new Promise((wake) => setTimeout(wake, 20));
      }
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#stream?.destroy();
  }

  /** The revisions of the server's objects. */
  async stored(client: HttpClient): Promise<ReadonlyMap<string, number>> {
    return new Map((await this.#read(client)).items.map((item) => [keyOf(item), revisionOf(item)]));
  }

  async #list(client: HttpClient): Promise<void> {
    const { items, metadata } = await this.#read(client);
    this.objects.clear();
    for (const item of items) this.objects.set(keyOf(item), revisionOf(item));
    this.#revision = metadata.resourceVersion;
    this.relisted++;
  }

  async #read(client: HttpClient): Promise<{ items: KubeObject[]; metadata: { resourceVersion: string } }> {
    const { status, body } = await client.send({ method: 'GET', path: this.#path });
    if (status !== 200) throw new Error(`GET ${this.#path}: ${status}`);
    return body as unknown as { items: KubeObject[]; metadata: { resourceVersion: string } };
  }

  async #watch(client: HttpClient): Promise<void> {
    const path = `${this.#path}?watch=true&allowWatchBookmarks=true&resourceVersion=${this.#revision}`;
    const stream = await client.open({ method: 'GET', path });
    this.#stream = stream;
    if (this.#stopped) stream.destroy();
    if (stream.statusCode !== 200) {
      stream.destroy();
      this.#revision = '';
      return;
    }
    this.resumed++;
    let text = '';
    for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(line) as WatchEvent);
    }
  }

  #take({ type, object }: WatchEvent): void {
    if (type === 'ERROR') {
      const code = (object as JsonObject)['code'];
      if (code !== 410) this.complaints.push(`ERROR ${JSON.stringify(object)}`);
      this.#revision = '';
      return;
    }
    const revision = revisionOf(object);
    if (revision < Number(this.#revision)) this.complaints.push(`${type} ${revision} after ${this.#revision}`);
    this.#revision = String(revision);
    if (type === 'BOOKMARK') return;
    const key = keyOf(object);
    if (this.objects.has(key) === (type === 'ADDED'))
      this.complaints.push(`${type} of ${key}, which was ${this.objects.has(key) ? '' : 'not '}there`);
    if (type === 'DELETED') this.objects.delete(key);
    else this.objects.set(key, revision);
  }
}

const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
