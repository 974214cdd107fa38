/**
 * A second client that writes Widgets and bypasses the proxy, so no fault affects it. It knows the expected final
 * state.
 */
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { isNotFound } from '../../../packages/kube/src/errors.ts';
import { widget, widgets } from '../widget.ts';

export class Writer {
  readonly #client: Client;
  readonly #namespace: string;
  #made = 0;
  #size = 0;
  readonly #names = new Set<string>();
  readonly deleted = new Set<string>();

  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  async create(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.#create(`widget-${++this.#made}`);
  }

  /** Makes one change of every kind: updates, a creation, a deletion, and a deletion with re-creation. */
  async change(): Promise<void> {
    const [first, second, third] = [...this.#names];
    for (const name of [...this.#names].slice(2)) await this.#resize(name);
    await this.create(1);
    if (first !== undefined) await this.#delete(first);
    if (second !== undefined) {
      await this.#delete(second);
      await this.#create(second);
    }
    if (third !== undefined) await this.#resize(third);
  }

  async #create(name: string): Promise<void> {
    await this.#client.create(widgets, widget(this.#namespace, name, { size: ++this.#size }));
    this.#names.add(name);
    this.deleted.delete(name);
  }

  async #resize(name: string): Promise<void> {
    const body = { spec: { size: ++this.#size } };
    await this.#client.patch(widgets, { namespace: this.#namespace, name }, { type: 'merge', body });
  }

  async #delete(name: string): Promise<void> {
    await this.#client.delete(widgets, { namespace: this.#namespace, name }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    this.#names.delete(name);
    this.deleted.add(name);
  }
}
