/** Writers that never stop: each changes its own objects and remembers what was acknowledged. */
import type { HttpClient } from '../conformance/http.ts';
import type { Dice } from '../conformance/dice.ts';
import type { JsonObject, KubeObject } from '../../packages/sandbox/src/values/json.ts';
import { Witness } from './witness.ts';

export interface Writer {
  readonly witness: Witness;
  /** One write, or a few that belong together. */
  step(client: HttpClient): Promise<void>;
}

const MERGE = { 'content-type': 'application/merge-patch+json' };

/** Creates, patches and deletes objects of one resource. */
export function changing(
  dice: Dice,
  collection: string,
  build: (name: string, value: string) => JsonObject,
  read: (object: KubeObject) => string,
): Writer {
  const witness = new Witness(read);
  let counter = 0;
  return {
    witness,
    async step(client) {
      const name = `o-${dice.below(20)}`;
      const path = `${collection}/${name}`;
      const next = `v${counter++}-${'x'.repeat(dice.below(200))}`;
      if (witness.value(path) === undefined) {
        await witness.write(client, path, { method: 'POST', path: collection, body: build(name, next) }, next);
      } else if (dice.chance(0.3)) {
        await witness.write(client, path, { method: 'DELETE', path }, undefined);
      } else {
        const { apiVersion: _, kind: __, metadata: ___, ...patch } = build(name, next);
        await witness.write(client, path, { method: 'PATCH', path, headers: MERGE, body: patch }, next);
      }
    },
  };
}

/** Objects that a finalizer holds between their deletion and their end. */
export function finalized(dice: Dice, collection: string): Writer {
  const read = ({ metadata }: KubeObject): string => (metadata.deletionTimestamp === undefined ? 'alive' : 'deleting');
  const witness = new Witness(read);
  return {
    witness,
    async step(client) {
      const name = `f-${dice.below(10)}`;
      const path = `${collection}/${name}`;
      const metadata = { name, finalizers: ['crash.example.com/hold'] };
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
      switch (witness.value(path)) {
        case undefined:
          await witness.write(client, path, { method: 'POST', path: collection, body }, 'alive');
          return;
        case 'alive':
          await witness.write(client, path, { method: 'DELETE', path }, 'deleting');
          return;
        default:
          await witness.write(
            client,
            path,
            { method: 'PATCH', path, headers: MERGE, body: { metadata: { finalizers: null } } },
            undefined,
          );
      }
    },
  };
}

/** Objects with content that is deleted with them: the controllers must finish what a killed process began. */
export class Containers {
  /** Collections, such as namespaces, by path: whether their deletion was requested. */
  readonly gone = new Set<string>();
  readonly alive = new Set<string>();
  #counter = 0;
  readonly #collection: string;
  readonly #build: (name: string) => JsonObject;
  readonly #fill: (client: HttpClient, name: string) => Promise<void>;
  readonly #name: (counter: number) => string;
  readonly #dice: Dice;

  constructor(
    dice: Dice,
    collection: string,
    name: (counter: number) => string,
    build: (name: string) => JsonObject,
    fill: (client: HttpClient, name: string) => Promise<void>,
  ) {
    this.#dice = dice;
    this.#collection = collection;
    this.#name = name;
    this.#build = build;
    this.#fill = fill;
  }

  async step(client: HttpClient): Promise<void> {
    const name = this.#name(this.#counter++);
    const path = `${this.#collection}/${name}`;
    const created = await this.#try(client, 'POST', this.#collection, this.#build(name));
    if (created !== 201) return;
    this.alive.add(path);
    await this.#fill(client, name).catch(() => undefined);
    const [oldest] = this.alive;
    if (oldest === undefined || (this.alive.size < 4 && this.#dice.chance(0.5))) return;
    const deleted = await this.#try(client, 'DELETE', oldest);
    // Without an answer it may be deleted or not; the writer forgets it.
    this.alive.delete(oldest);
    if (deleted !== undefined && deleted < 300) this.gone.add(oldest);
  }

  async #try(client: HttpClient, method: string, path: string, body?: JsonObject): Promise<number | undefined> {
    try {
      return (await client.send({ method, path, body })).status;
    } catch {
      return undefined;
    }
  }
}
