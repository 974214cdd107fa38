/**
 * `Registry` is the set of served resources: built-in ones from the start, custom ones as CRDs are added and removed.
 */
import type { Resource } from './resource.ts';

export class Registry {
  readonly #byPath = new Map<string, Resource>();
  readonly #listeners = new Set<() => void>();

  add(...resources: readonly Resource[]): void {
    for (const resource of resources)
      this.#byPath.set(pathOf(resource.group, resource.version, resource.plural), resource);
    this.#changed();
  }

  /** Replaces all versions of one resource. */
  replace(group: string, plural: string, resources: readonly Resource[]): void {
    for (const [path, resource] of this.#byPath) {
      if (resource.custom && resource.group === group && resource.plural === plural) this.#byPath.delete(path);
    }
    this.add(...resources);
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#byPath.get(pathOf(group, version, plural));
  }

  findKind(group: string, version: string, kind: string): Resource | undefined {
    for (const resource of this.#byPath.values()) {
      if (resource.kind === kind && resource.group === group && resource.version === version) return resource;
    }
    return undefined;
  }

  all(): Resource[] {
    return [...this.#byPath.values()];
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.all().some((resource) => resource.group === group && resource.version === version);
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function pathOf(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}
