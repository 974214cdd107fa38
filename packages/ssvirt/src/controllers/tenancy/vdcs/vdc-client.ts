/** The VDC client: requests about one VDC in its cluster. */
import { isKind } from '@ssvirt/kube/errors';
import type { KubeObject, ObjectKey } from '@ssvirt/kube/object';
import type { DesiredObject, VdcKind } from '../../../kubevirt/vdc/objects.ts';
import type { LeasedClient } from '../engine/leased-client.ts';
import { vdcTypes } from './vdc-types.ts';
import { virtualMachines } from '../../../fleet/kinds.ts';
import { liveObjectOf, type LiveObject } from '../engine/live-object.ts';

export class VdcClient {
  readonly #client: LeasedClient;

  constructor(client: LeasedClient) {
    this.#client = client;
  }

  async get(kind: VdcKind, key: ObjectKey): Promise<LiveObject | undefined> {
    const found = await this.#client.get(vdcTypes[kind], key);
    return found === undefined ? undefined : liveObjectOf(found);
  }

  /** Fails if a namespace of that name exists, whoever owns it. */
  async createNamespace(desired: DesiredObject): Promise<LiveObject> {
    return liveObjectOf(await this.#client.create(vdcTypes.Namespace, desired));
  }

  async apply(kind: VdcKind, desired: DesiredObject, seen: LiveObject | undefined): Promise<LiveObject> {
    const applied = await this.#applied(kind, desired, seen);
    const added = foreignKeys(applied, desired);
    return liveObjectOf(added.length === 0 ? applied : await this.#withoutKeys(kind, applied, added));
  }

  /** The roleRef of a RoleBinding is immutable. One of our name with another roleRef is deleted and created again. */
  async #applied(kind: VdcKind, desired: DesiredObject, seen: LiveObject | undefined): Promise<KubeObject> {
    const type = vdcTypes[kind];
    try {
      return await this.#client.apply(type, desired, seen);
    } catch (error) {
      if (desired.roleRef === undefined || seen === undefined || !isKind(error, 'Invalid')) throw error;
      await this.#client.delete(type, seen);
      return this.#client.apply(type, desired, undefined);
    }
  }

  delete(kind: VdcKind, seen: LiveObject): Promise<void> {
    return this.#client.delete(vdcTypes[kind], seen);
  }

  /** Whether the cluster applies the RoleBinding yet, which takes a moment. */
  mayWriteSecrets(namespace: string): Promise<boolean> {
    return this.#client.mayI({ verb: 'create', group: '', resource: 'secrets', namespace });
  }

  /**
   * We own a quota as a whole, but each of its keys has an owner: an apply leaves keys that others added, so they are
   * removed here.
   */
  #withoutKeys(kind: VdcKind, live: KubeObject, keys: readonly string[]): Promise<KubeObject> {
    const hard = Object.fromEntries(keys.map((key) => [key, null]));
    return this.#client.patch(vdcTypes[kind], live, { spec: { hard } });
  }

  deleteNamespace(seen: LiveObject): Promise<void> {
    return this.#client.delete(vdcTypes.Namespace, seen);
  }

  /**
   * All VMs of a namespace, so that one that does not end cannot hide those after it. Empty if KubeVirt is not served.
   */
  machines(namespace: string): Promise<readonly KubeObject[]> {
    return this.#client.namesOf(virtualMachines, { namespace });
  }

  deleteMachine(seen: KubeObject): Promise<void> {
    return this.#client.delete(virtualMachines, seen);
  }
}

function foreignKeys(live: KubeObject, desired: DesiredObject): readonly string[] {
  const wanted = hardOf(desired);
  return Object.keys(hardOf(live)).filter((key) => !(key in wanted));
}

function hardOf(object: object): Readonly<Record<string, unknown>> {
  const { spec } = object as { readonly spec?: { readonly hard?: Readonly<Record<string, unknown>> } };
  return spec?.hard ?? {};
}
