/** Writes random histories, one write after another, so that the sequence is known exactly. */
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { isKind } from '../../../packages/kube/src/errors.ts';
import type { Dice } from '../../conformance/dice.ts';
import { widget, widgets, type Widget } from '../widget.ts';
import type { History } from './history.ts';

const names = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox', 'gnu', 'hen'];
const finalizer = 'test.ssvirt.io/hold';

export class Author {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #dice: Dice;
  readonly #history: History;
  readonly #alive = new Map<string, Widget>();
  #size = 0;

  constructor(client: Client, namespace: string, dice: Dice, history: History) {
    this.#client = client;
    this.#namespace = namespace;
    this.#dice = dice;
    this.#history = history;
  }

  async write(): Promise<void> {
    const name = this.#dice.pick(names);
    const there = this.#alive.get(name);
    if (there === undefined) return this.#create(name);
    if (there.metadata.deletionTimestamp !== undefined) return this.#letGo(there);
    if (this.#dice.chance(0.25)) return this.#delete(there);
    if (this.#dice.chance(0.15)) {
      await this.#delete(there);
      // Creates it again at once: a slow watcher sees only the new one.
      if (!this.#alive.has(name)) await this.#create(name);
      return undefined;
    }
    return this.#change(there);
  }

  async #create(name: string): Promise<void> {
    const made = widget(this.#namespace, name, { size: ++this.#size }, { tier: this.#tier() });
    const held = this.#dice.chance(0.2) ? { ...made, metadata: { ...made.metadata, finalizers: [finalizer] } } : made;
    this.#remember(await patiently(() => this.#client.create(widgets, held)));
  }

  async #change({ metadata }: Widget): Promise<void> {
    const labels = this.#dice.chance(0.4) ? { tier: this.#tier() } : {};
    const body = { metadata: { labels }, spec: { size: ++this.#size } };
    this.#remember(await this.#patch(metadata.name ?? '', body));
  }

  async #delete({ metadata: { name = '', uid = '' } }: Widget): Promise<void> {
    const key = { namespace: this.#namespace, name };
    const answer = await patiently(() => this.#client.delete(widgets, key));
    if (!answer.gone) return this.#remember(answer.object);
    this.#forget(name, uid);
  }

  /** Removes the finalizer, which deletes the object. */
  async #letGo({ metadata: { name = '', uid = '' } }: Widget): Promise<void> {
    await this.#patch(name, { metadata: { finalizers: null } });
    this.#forget(name, uid);
  }

  #patch(name: string, body: object): Promise<Widget> {
    const key = { namespace: this.#namespace, name };
    return patiently(() => this.#client.patch(widgets, key, { type: 'merge', body }));
  }

  #remember(written: Widget): void {
    this.#alive.set(written.metadata.name ?? '', written);
    this.#history.wrote(written);
  }

  #forget(name: string, uid: string): void {
    this.#alive.delete(name);
    this.#history.deleted(uid);
  }

  #tier(): string {
    return this.#dice.chance(0.5) ? 'in' : 'out';
  }
}

/** Retries: a server that has just restarted answers 429 or 503 for a while, without executing the request. */
async function patiently<T>(write: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isKind(error, 'TooManyRequests', 'ServiceUnavailable') || performance.now() > deadline) throw error;
      await new Promise((wake) => setTimeout(wake, 50));
    }
  }
}
