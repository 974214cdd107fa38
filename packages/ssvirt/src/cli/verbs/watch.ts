/** Prints the existing objects, and then each change from the event stream. It reads only in response to events. */
import { changes, type StreamedChange } from '../api/changes.ts';
import type { ApiClient } from '../api/client.ts';
import type { Entity } from '../api/entities.ts';
import { allOf } from '../api/fiql.ts';
import type { Kind } from '../api/kind.ts';
import { listOf } from '../api/pages.ts';
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { LiveOutput } from '../output/live.ts';
import { note } from '../output/streams.ts';
import type { Format } from '../output/view.ts';

export interface WatchCommandOptions {
  readonly filter?: string | undefined;
  readonly sort?: string | undefined;
  readonly format: Format;
  /** The URN of the only object to watch. */
  readonly entity?: string | undefined;
}

export async function watch<T extends Entity>(
  client: ApiClient,
  kind: Kind<T>,
  asked: WatchCommandOptions,
): Promise<ExitCode> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const rows = new WatchedRows(client, kind, asked);
  const own = kind.event ?? '';
  // Events of a VDC say whether the displayed state of its VMs and vApps is stale.
  const question = { kinds: ['vm', 'vapp'].includes(own) ? [own, 'vdc'] : [own], entity: asked.entity };
  // The stream is open before the list is read, so that no change between them is lost.
  for await (const message of changes(client, question, stop.signal)) {
    if (message.what !== 'change' || isAboutAll(message.change, own)) await rows.read();
    else if (message.change.type === own && message.change.id !== undefined) await rows.look(message.change.id);
  }
  return exitCodes.interrupted;
}

/** The displayed state of all VMs and vApps of a VDC has become stale or current. */
function isAboutAll({ type, stale }: StreamedChange, own: string): boolean {
  return type === 'vdc' && own !== 'vdc' && stale !== undefined;
}

class WatchedRows<T extends Entity> {
  readonly #client: ApiClient;
  readonly #kind: Kind<T>;
  readonly #asked: WatchCommandOptions;
  readonly #output: LiveOutput<T>;
  #known: Map<string, { readonly one: T; readonly text: string }> | undefined;

  constructor(client: ApiClient, kind: Kind<T>, asked: WatchCommandOptions) {
    this.#client = client;
    this.#kind = kind;
    this.#asked = asked;
    this.#output = new LiveOutput(kind.view, asked.format);
  }

  /** Reads all objects; after the first time it prints only differences. */
  async read(): Promise<void> {
    const { sort } = this.#asked;
    const all = await this.#list(undefined, sort);
    if (this.#known === undefined) {
      this.#known = new Map(all.map((one) => [one.id, { one, text: JSON.stringify(one) }]));
      if (all.length === 0) note(`no ${this.#kind.view.plural} yet`);
      else this.#output.begin(all);
      return;
    }
    const there = new Set(all.map(({ id }) => id));
    for (const id of [...this.#known.keys()].filter((one) => !there.has(one))) this.#left(id);
    for (const one of all) this.#seen(one);
  }

  async look(id: string): Promise<void> {
    const [one] = await this.#list(`id==${id}`);
    if (one === undefined) this.#left(id);
    else this.#seen(one);
  }

  #list(more: string | undefined, sort?: string): Promise<readonly T[]> {
    const { filter, entity } = this.#asked;
    const only = entity === undefined || more !== undefined ? more : `id==${entity}`;
    return listOf(this.#client, this.#kind.list, { filter: allOf([filter, only]), sort });
  }

  #seen(one: T): void {
    const text = JSON.stringify(one);
    if (this.#known?.get(one.id)?.text === text) return;
    this.#known?.set(one.id, { one, text });
    this.#output.changed(one);
  }

  /** The object was deleted, or no longer matches the filter. */
  #left(id: string): void {
    const known = this.#known?.get(id);
    if (known === undefined) return;
    this.#known?.delete(id);
    this.#output.gone(known.one);
  }
}
