/** What a client knows of an object: the acknowledged writes, and the requests without an answer. */
import assert from 'node:assert/strict';
import type { HttpAnswer, HttpClient, HttpRequest } from '../conformance/http.ts';
import type { JsonObject, KubeObject } from '../../packages/sandbox/src/values/json.ts';

/** The part of an object that a writer chooses; undefined if there is no object. */
export type Value = string | undefined;

interface Known {
  readonly value: Value;
  readonly revision: number;
}

export const revisionOf = (object: JsonObject): number =>
  Number((object['metadata'] as { resourceVersion?: string } | undefined)?.resourceVersion ?? 0);

export class Witness {
  readonly #known = new Map<string, Known>();
  /**
   * All later requests without an answer: a client that breaks off may send one more before it learns that the server
   * is down.
   */
  readonly #asked = new Map<string, readonly Value[]>();
  readonly #read: (object: KubeObject) => Value;
  acknowledged = 0;
  /** The newest acknowledged revision. */
  revision = 0;

  constructor(read: (object: KubeObject) => Value) {
    this.#read = read;
  }

  value(path: string): Value {
    return this.#known.get(path)?.value;
  }

  paths(): string[] {
    return [...this.#known.keys()];
  }

  /** Sends a write that would give the object at `path` this value; undefined if no answer came. */
  async write(client: HttpClient, path: string, request: HttpRequest, value: Value): Promise<HttpAnswer | undefined> {
    const before = this.#asked.get(path) ?? [];
    this.#asked.set(path, [...before, value]);
    let answer: HttpAnswer;
    try {
      answer = await client.send(request);
    } catch {
      return undefined;
    }
    this.#asked.set(path, answer.status >= 300 ? before : []);
    if (answer.status >= 300) return answer;
    const revision = revisionOf(answer.body as JsonObject);
    this.acknowledged++;
    this.revision = Math.max(this.revision, revision);
    this.#known.set(path, { value, revision });
    return answer;
  }

  /** After a restart the object has the acknowledged value, or that of a later unanswered request; nothing else. */
  async verify(client: HttpClient): Promise<void> {
    for (const path of new Set([...this.#known.keys(), ...this.#asked.keys()])) {
      const { status, body } = await client.send({ method: 'GET', path });
      assert.ok(status === 200 || status === 404, `GET ${path}: ${status}`);
      const object = status === 200 ? (body as KubeObject) : undefined;
      this.#check(path, object);
      this.#asked.delete(path);
      const value = object === undefined ? undefined : this.#read(object);
      this.#known.set(path, { value, revision: object === undefined ? 0 : revisionOf(object) });
    }
  }

  #check(path: string, object: KubeObject | undefined): void {
    const known = this.#known.get(path) ?? { value: undefined, revision: 0 };
    const asked = this.#asked.get(path) ?? [];
    const value = object === undefined ? undefined : this.#read(object);
    const story = `${path}: acknowledged ${JSON.stringify(known)}, asked ${JSON.stringify(asked)}, found ${JSON.stringify(value)}`;
    assert.ok(value === known.value || asked.includes(value), story);
    if (object === undefined || asked.length > 0 || known.revision === 0) return;
    assert.equal(revisionOf(object), known.revision, `${path} has another revision than was acknowledged`);
  }
}
