/**
 * Creates the APIServices of local groups and versions: at start for built-in groups, continuously for CRDs. An
 * APIService without the label of the server's own is not changed, so a CRD does not take over a group and version that
 * an extension server had first. If the label is still there, the CRD does take it over.
 */
import type { Resource } from '../api/resource.ts';
import type { LocalClient } from '../../control-plane/controllers/client.ts';
import { builtinPriorities } from '../discovery/groups.ts';
import { isObject, jsonEqual, type JsonObject, type KubeObject } from '../../values/json.ts';
import { apiServiceName } from './api-service.ts';

const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';
type Management = 'onstart' | 'true';

interface Wanted {
  readonly spec: JsonObject;
  readonly management: Management;
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export class AutoRegistration {
  readonly #client: LocalClient;
  readonly #resource: Resource;
  readonly #builtin = new Map<string, Wanted>();
  readonly #custom = new Map<string, readonly GroupVersion[]>();
  readonly #atStart = new Set<string>();
  readonly #synced = new Set<string>();

  constructor(client: LocalClient) {
    this.#client = client;
    this.#resource = client.builtin('apiregistration.k8s.io', 'v1', 'apiservices');
    for (const { group, version, custom } of client.registry.all()) {
      // The group of APIServices itself has no APIService.
      if (!custom && group !== 'apiregistration.k8s.io')
        this.#builtin.set(apiServiceName(group, version), builtinService(group, version));
    }
    for (const { metadata } of client.list(this.#resource)) this.#atStart.add(metadata.name ?? '');
  }

  /** The names to sync when the server starts. */
  names(): string[] {
    return [...new Set([...this.#atStart, ...this.#builtin.keys(), ...[...this.#custom.values()].flat().map(nameOf)])];
  }

  /** Sets the current CRD, or undefined when it was deleted; returns the names of the affected APIServices. */
  setDefinition(name: string, definition: KubeObject | undefined): string[] {
    const before = this.#custom.get(name) ?? [];
    const now = definition === undefined ? [] : servedVersions(definition);
    if (now.length === 0) this.#custom.delete(name);
    else this.#custom.set(name, now);
    return [...new Set([...before, ...now].map(nameOf))];
  }

  /** Brings one APIService to its desired state. */
  async sync(name: string): Promise<void> {
    const wanted = this.#wanted(name);
    const current = this.#client.get(this.#resource, '', name);
    const first = !this.#synced.has(name);
    if (current === undefined) {
      if (wanted !== undefined && (first || wanted.management === 'true')) await this.#create(name, wanted);
    } else if (this.#mayChange(name, current, wanted, first)) await this.#change(name, current, wanted);
    this.#synced.add(name);
  }

  #mayChange(name: string, current: KubeObject, wanted: Wanted | undefined, first: boolean): boolean {
    const management = current.metadata.labels?.[MANAGED];
    if (management !== 'onstart' && management !== 'true') return false;
    if (wanted?.management === 'onstart' && !first) return false;
    return management === 'true' || (this.#atStart.has(name) && first);
  }

  async #change(name: string, current: KubeObject, wanted: Wanted | undefined): Promise<void> {
    if (wanted === undefined) {
      const { uid } = current.metadata;
      await this.#client.delete(this.#resource, '', name, uid === undefined ? {} : { uid });
      return;
    }
    await this.#client.update(this.#resource, '', name, (live) => {
      if (jsonEqual(live['spec'], wanted.spec)) return false;
      live['spec'] = wanted.spec;
      return true;
    });
  }

  async #create(name: string, { spec, management }: Wanted): Promise<void> {
    const { apiVersion, kind } = this.#resource;
    await this.#client.create(this.#resource, {
      apiVersion,
      kind,
      metadata: { name, labels: { [MANAGED]: management } },
      spec,
    });
  }

  #wanted(name: string): Wanted | undefined {
    const builtin = this.#builtin.get(name);
    if (builtin !== undefined) return builtin;
    const custom = [...this.#custom.values()].flat().find((served) => nameOf(served) === name);
    return custom && { management: 'true', spec: { ...custom, groupPriorityMinimum: 1000, versionPriority: 100 } };
  }
}

function builtinService(group: string, version: string): Wanted {
  const spec = {
    ...(group === '' ? {} : { group }),
    version,
    groupPriorityMinimum: builtinPriorities[group] ?? 1000,
    versionPriority: group === '' ? 1 : 15,
  };
  return { management: 'onstart', spec };
}

function nameOf({ group, version }: GroupVersion): string {
  return apiServiceName(group, version);
}

function servedVersions(definition: KubeObject): GroupVersion[] {
  const spec = isObject(definition['spec']) ? definition['spec'] : {};
  const versions = Array.isArray(spec['versions']) ? spec['versions'].filter(isObject) : [];
  return versions
    .filter(({ served }) => served === true)
    .map(({ name }) => ({ group: String(spec['group']), version: String(name) }));
}
