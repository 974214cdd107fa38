/** Resolves the ids in events to names, because people do not know ids. Each name is requested once. */
import type { ApiClient } from '../api/client.ts';
import type { StreamedChange } from '../api/changes.ts';
import type { Entity } from '../api/entities.ts';
import { catalogs, organizations, users, vapps, vdcs, vms } from '../api/entity-kinds.ts';
import type { Kind } from '../api/kind.ts';
import { Refusal } from '../api/refusal.ts';

interface NamedKind {
  readonly urn: string;
  readonly nameOf: (client: ApiClient, id: string) => Promise<string>;
}

const kinds = [
  namedKind(vms),
  namedKind(vapps),
  namedKind(vdcs),
  namedKind(catalogs),
  namedKind(organizations),
  namedKind(users),
];

function namedKind<T extends Entity>({ urn, get, view }: Kind<T>): NamedKind {
  return { urn, nameOf: async ({ api }, id) => view.name(await get(api, id)) };
}

/** A stream may run for weeks, so the cache is bounded. */
const most = 10_000;

export class EntityNames {
  readonly #client: ApiClient;
  readonly #known = new Map<string, string | undefined>();

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /**
   * Returns the name of the changed object, or for a task the name of the object that it works on. Undefined if that
   * has no name or is gone.
   */
  async of({ id, owner, name, operation }: StreamedChange): Promise<string | undefined> {
    if (name !== undefined) return name;
    const urn = owner?.id ?? id;
    if (urn === undefined) return undefined;
    // It may have been renamed.
    if (owner === undefined && operation === 'updated') this.#known.delete(urn);
    if (!this.#known.has(urn)) this.#keep(urn, await this.#asked(urn));
    return this.#known.get(urn);
  }

  #keep(urn: string, name: string | undefined): void {
    if (this.#known.size >= most) this.#known.clear();
    this.#known.set(urn, name);
  }

  async #asked(urn: string): Promise<string | undefined> {
    const kind = kinds.find((one) => urn.startsWith(`urn:vcloud:${one.urn}:`));
    if (kind === undefined) return undefined;
    try {
      return await kind.nameOf(this.#client, urn);
    } catch (error) {
      // It is gone, or belongs to others.
      if (error instanceof Refusal && (error.status === 403 || error.status === 404)) return undefined;
      throw error;
    }
  }
}
