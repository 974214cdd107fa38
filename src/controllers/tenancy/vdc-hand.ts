/** What an attempt on a virtual data center does in its cluster. */
import type { KubeObject, ObjectKey } from '../../kube/object.ts';
import type { DesiredObject, VdcKind } from '../../virt/vdc/objects.ts';
import type { ClusterHand } from './cluster-hand.ts';
import { vdcTypes, virtualMachines } from './kinds.ts';
import { liveObjectOf, type LiveObject } from './live-object.ts';

export class VdcHand {
  readonly #hand: ClusterHand;

  constructor(hand: ClusterHand) {
    this.#hand = hand;
  }

  async get(kind: VdcKind, key: ObjectKey): Promise<LiveObject | undefined> {
    const found = await this.#hand.get(vdcTypes[kind], key);
    return found === undefined ? undefined : liveObjectOf(found);
  }

  /** Fails where there is one of that name, whosesoever. */
  async createNamespace(desired: DesiredObject): Promise<LiveObject> {
    return liveObjectOf(await this.#hand.create(vdcTypes.Namespace, desired));
  }

  async apply(kind: VdcKind, desired: DesiredObject, seen: LiveObject | undefined): Promise<LiveObject> {
    const applied = await this.#hand.apply(vdcTypes[kind], desired, seen);
    const added = foreignKeys(applied, desired);
    return liveObjectOf(added.length === 0 ? applied : await this.#withoutKeys(kind, applied, added));
  }

  /** A quota is ours as a whole, but its keys have owners of their own: an apply leaves those that somebody has added. */
  #withoutKeys(kind: VdcKind, live: KubeObject, keys: readonly string[]): Promise<KubeObject> {
    const hard = Object.fromEntries(keys.map((key) => [key, null]));
    return this.#hand.patch(vdcTypes[kind], live, { spec: { hard } });
  }

  deleteNamespace(seen: LiveObject): Promise<void> {
    return this.#hand.delete(vdcTypes.Namespace, seen);
  }

  /** All machines of a namespace: one that does not end must not hide those after it. None where KubeVirt is not served. */
  machines(namespace: string): Promise<readonly KubeObject[]> {
    return this.#hand.namesOf(virtualMachines, { namespace });
  }

  deleteMachine(seen: KubeObject): Promise<void> {
    return this.#hand.delete(virtualMachines, seen);
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
