/**
 * `Discovery` finds where kinds are served. Results are cached for good; a kind that was not found is looked up again,
 * at a limited rate.
 */
import { Backoff } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { KubeError, isNotFound } from '../errors.ts';
import type { ResourceType } from '../resource-type.ts';

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

interface GroupVersion {
  readonly types: Map<string, ResourceType>;
  readonly backoff: Backoff;
  askAgainAt: number;
  asking: Promise<void> | undefined;
}

/** `FetchResources` fetches an APIResourceList. It needs its own deadline, because several callers may share one fetch. */
export type FetchResources = (path: string) => Promise<unknown>;

export class Discovery {
  readonly #fetch: FetchResources;
  readonly #clock: Clock;
  readonly #cluster: string;
  readonly #known = new Map<string, GroupVersion>();

  constructor(cluster: string, clock: Clock, fetch: FetchResources) {
    this.#cluster = cluster;
    this.#clock = clock;
    this.#fetch = fetch;
  }

  async typeOf(apiVersion: string, kind: string): Promise<ResourceType> {
    const entry = this.#entry(apiVersion);
    const known = entry.types.get(kind);
    if (known !== undefined) return known;
    if (entry.asking !== undefined || this.#clock.now() >= entry.askAgainAt) {
      entry.asking ??= this.#ask(apiVersion, entry).finally(() => (entry.asking = undefined));
      await entry.asking;
    }
    const found = entry.types.get(kind);
    if (found !== undefined) return found;
    if (this.#clock.now() >= entry.askAgainAt) entry.askAgainAt = this.#clock.now() + entry.backoff.take();
    throw new KubeError(
      'NotFound',
      `cannot find kind ${kind} of ${apiVersion} in cluster ${this.#cluster}: not served`,
    );
  }

  async #ask(apiVersion: string, entry: GroupVersion): Promise<void> {
    const resources = await this.#resources(apiVersion);
    const before = entry.types.size;
    for (const { name, kind, namespaced } of resources) {
      // Subresources are listed as `pods/log`, with kinds of their own.
      if (name.includes('/')) continue;
      const [version = '', group = ''] = apiVersion.split('/').reverse();
      entry.types.set(kind, { group, version, kind, plural: name, namespaced });
    }
    if (entry.types.size > before) entry.backoff.reset();
  }

  async #resources(apiVersion: string): Promise<readonly ApiResource[]> {
    try {
      const list = await this.#fetch(apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`);
      return (list as { readonly resources?: readonly ApiResource[] }).resources ?? [];
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  #entry(apiVersion: string): GroupVersion {
    let entry = this.#known.get(apiVersion);
    if (entry === undefined) {
      const backoff = new Backoff({ initialMs: 1_000, factor: 2, maxMs: 10_000, jitter: 0.5 });
      entry = { types: new Map(), backoff, askAgainAt: 0, asking: undefined };
      this.#known.set(apiVersion, entry);
    }
    return entry;
  }
}
