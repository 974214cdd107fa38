/**
 * `ScopeWatch` holds the ledgers of one namespace or of all: VMs, their instances, their disks with the Events of their
 * claims, and the TemplateInstances that created them. A change of any of them is reported as the key of the VM that it
 * belongs to.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { ReflectorHealth } from '@ssvirt/kube/informer/informer';
import type { Ledger, LedgerEntry, LedgerHandler } from '@ssvirt/kube/ledger/ledger';
import type { Cluster } from '@ssvirt/kube/cluster';
import { keyOf, parseKey, type KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { claimEventFacts, claimEventReason } from '../../../kubevirt/facts/claim-event.ts';
import { dataVolumeFacts, withClaimEvent, type DataVolumeFacts } from '../../../kubevirt/facts/data-volume.ts';
import type { OpenWatch } from '../../../fleet/health/reachability.ts';
import { templateInstanceFacts, type TemplateInstanceFacts } from '../../../kubevirt/facts/template-instance.ts';
import { borrowedDataVolumes, TEMPLATE_INSTANCE_LABEL, vmFacts, type VmFacts } from '../../../kubevirt/facts/vm.ts';
import { vmiFacts, type VmiFacts } from '../../../kubevirt/facts/vmi.ts';
import { ClaimEvents } from './claim-events.ts';
import { dataVolumes, instances, templateInstances, virtualMachines } from '../../../fleet/kinds.ts';
import { eventType as events } from '@ssvirt/kube/events/event';
import { References } from './references.ts';

export interface ScopeListener {
  /** `initial` marks objects that existed before this process. */
  machine(key: string, initial: boolean): void;
  gone(key: string, uid: string): void;
  template(key: string, initial: boolean): void;
}

/** Facts are kept as text: a string takes a fraction of the memory of an object with the same fields. */
type Text = string;

export interface WatchedVm {
  readonly vm: VmFacts;
  readonly vmi?: VmiFacts;
  readonly dataVolumes: readonly DataVolumeFacts[];
  /** The TemplateInstance that created the VM, if there is one. */
  readonly template?: { readonly name: string; readonly facts: TemplateInstanceFacts };
}

export class ScopeWatch {
  readonly #listener: ScopeListener;
  readonly #vms: Ledger<Text>;
  readonly #vmis: Ledger<Text>;
  readonly #dataVolumes: Ledger<Text>;
  readonly #templates: Ledger<Text>;
  /** If Events may not be read, only the DataVolume explains a disk. */
  readonly #events: Ledger<Text>;
  readonly #claimEvents = new ClaimEvents();
  /** Keys of TemplateInstances by uid: the label of a VM contains the uid. */
  readonly #templateByUid = new Map<string, string>();
  /** VMs by the uid of the TemplateInstance that they name, while it has not been seen yet. */
  readonly #untemplated = new References();
  readonly #namespace: string;
  /** VMs by the keys of the disks that they use and have no DataVolume template for. */
  readonly #borrowers = new References();

  constructor(cluster: Cluster, namespace: string, listener: ScopeListener, listed: () => void) {
    this.#listener = listener;
    this.#namespace = namespace;
    const ledger = (
      type: ResourceType<KubeObject>,
      factsOf: (object: KubeObject) => unknown,
      handler: LedgerHandler<KubeObject, Text>,
      fieldSelector?: string,
    ): Ledger<Text> =>
      cluster.informers.ledger<KubeObject, Text>(type, {
        fields: (object) => JSON.stringify(factsOf(object) ?? null),
        digestOf: 'fields',
        handler,
        ...defined({ fieldSelector }),
        ...(namespace === '' ? {} : { namespaces: [namespace] }),
      });
    // The kinds that explain a VM come first, so that their facts are known when the VM is seen.
    this.#templates = ledger(templateInstances, templateInstanceFacts, this.#ofTemplates());
    this.#events = ledger(
      events,
      claimEventFacts,
      this.#ofEvents(),
      `involvedObject.kind=PersistentVolumeClaim,reason=${claimEventReason}`,
    );
    this.#dataVolumes = ledger(dataVolumes, dataVolumeFacts, this.#ofDataVolumes());
    this.#vmis = ledger(instances, vmiFacts, this.#ofInstances());
    this.#vms = ledger(virtualMachines, vmFacts, this.#ofMachines(listed));
  }

  get size(): number {
    return this.#vms.size;
  }

  get hasSynced(): boolean {
    return this.#vms.hasSynced && (this.#vmis.hasSynced || isClosed(this.#vmis));
  }

  /**
   * True even while the cluster does not answer, and whatever the state of the instances: the sweeper asks for each
   * missing VM anyway.
   */
  covers(namespace: string): boolean {
    return this.#vms.covers(namespace) && !isClosed(this.#vms);
  }

  /** The health of the VMs' ledger, or of the instances' if only that one fails. */
  health(): ReflectorHealth {
    const vms = this.#vms.health();
    return vms.trouble !== 'none' || isClosed(this.#vmis) ? vms : this.#vmis.health();
  }

  /** The watches that the power state depends on. */
  openWatches(): readonly OpenWatch[] {
    const place = this.#namespace === '' ? {} : { namespace: this.#namespace };
    const openWatch = (type: ResourceType<KubeObject>, ledger: Ledger<Text>): OpenWatch => ({
      type,
      ...place,
      resourceVersion: () => ledger.health().lastSyncResourceVersion,
    });
    return [openWatch(virtualMachines, this.#vms), ...(isClosed(this.#vmis) ? [] : [openWatch(instances, this.#vmis)])];
  }

  uidOf(key: string): string | undefined {
    return this.#vms.get(parseKey(key))?.uid;
  }

  machine(key: string): WatchedVm | undefined {
    const vm = parsed(this.#vms.get(parseKey(key))) as VmFacts | undefined;
    if (vm === undefined) return undefined;
    const { namespace } = parseKey(key);
    const inNamespace = (name: string): { name: string; namespace?: string } => ({
      name,
      ...defined({ namespace }),
    });
    const vmi = parsed(this.#vmis.get(parseKey(key))) as VmiFacts | undefined;
    const disks = (vm.dataVolumes ?? []).map((name) => {
      const facts = parsed(this.#dataVolumes.get(inNamespace(name))) as DataVolumeFacts | undefined;
      return facts === undefined ? undefined : withClaimEvent(facts, this.#claimEvents.of(keyOf(inNamespace(name))));
    });
    const template = this.#templateOf(vm);
    return {
      vm,
      ...defined({ vmi }),
      dataVolumes: disks.filter((disk) => disk !== undefined),
      ...defined({ template }),
    };
  }

  templateInstance(key: string): { readonly uid: string; readonly facts: TemplateInstanceFacts } | undefined {
    const entry = this.#templates.get(parseKey(key));
    const facts = parsed(entry) as TemplateInstanceFacts | undefined;
    return entry === undefined || facts === undefined ? undefined : { uid: entry.uid, facts };
  }

  *keys(): Generator<string> {
    for (const { key } of this.#vms.entries()) yield keyOf(key);
  }

  *templateInstanceKeys(): Generator<string> {
    for (const { key } of this.#templates.entries()) yield keyOf(key);
  }

  release(): void {
    for (const ledger of [this.#templates, this.#events, this.#dataVolumes, this.#vmis, this.#vms]) ledger.release();
  }

  #ofMachines(listed: () => void): LedgerHandler<KubeObject, Text> {
    return {
      name: 'vm-status',
      changed: (object, previous, { initial }) => {
        const key = keyOf(object.metadata);
        if (previous !== undefined) this.#unrefer(key, previous);
        this.#refer(key, object);
        this.#listener.machine(key, initial);
      },
      gone: (entry) => {
        const key = keyOf(entry.key);
        this.#unrefer(key, entry);
        this.#listener.gone(key, entry.uid);
      },
      listed,
    };
  }

  #refer(key: string, object: KubeObject): void {
    const { namespace = '', labels } = object.metadata;
    for (const name of borrowedDataVolumes(object)) this.#borrowers.add(`${namespace}/${name}`, key);
    const uid = labels?.[TEMPLATE_INSTANCE_LABEL];
    if (uid !== undefined && !this.#templateByUid.has(uid)) this.#untemplated.add(uid, key);
  }

  #unrefer(key: string, entry: LedgerEntry<Text>): void {
    // Most VMs refer to nothing; their facts need no parsing.
    if (this.#borrowers.size + this.#untemplated.size === 0) return;
    const { dataVolumes: disks, templateInstanceUid } = parsed(entry) as VmFacts;
    for (const name of disks) this.#borrowers.remove(`${entry.key.namespace ?? ''}/${name}`, key);
    if (templateInstanceUid !== undefined) this.#untemplated.remove(templateInstanceUid, key);
  }

  /** An instance has the name of its VM. */
  #ofInstances(): LedgerHandler<KubeObject, Text> {
    const tell = (key: string, initial: boolean): void => {
      if (this.#vms.get(parseKey(key)) !== undefined) this.#listener.machine(key, initial);
    };
    return {
      name: 'vm-status-instances',
      changed: ({ metadata }, _previous, { initial }) => tell(keyOf(metadata), initial),
      gone: ({ key }) => tell(keyOf(key), false),
    };
  }

  #ofDataVolumes(): LedgerHandler<KubeObject, Text> {
    return {
      name: 'vm-status-disks',
      changed: (object, _previous, { initial }) =>
        this.#tellUsers(keyOf(object.metadata), dataVolumeFacts(object), initial),
      gone: (entry) => this.#tellUsers(keyOf(entry.key), parsed(entry) as DataVolumeFacts | undefined, false),
    };
  }

  /** A DataVolume and its claim have the same name. */
  #ofEvents(): LedgerHandler<KubeObject, Text> {
    return {
      name: 'vm-status-claim-events',
      changed: (object, _previous, { initial }) => {
        const event = claimEventFacts(object);
        const { namespace = '' } = object.metadata;
        if (event !== undefined && this.#claimEvents.put(keyOf(object.metadata), namespace, event))
          this.#tellUsersOf(`${namespace}/${event.claim}`, initial);
      },
      gone: ({ key }) => this.#claimEvents.forget(keyOf(key)),
    };
  }

  #tellUsersOf(dataVolume: string, initial: boolean): void {
    const facts = parsed(this.#dataVolumes.get(parseKey(dataVolume))) as DataVolumeFacts | undefined;
    this.#tellUsers(dataVolume, facts, initial);
  }

  #ofTemplates(): LedgerHandler<KubeObject, Text> {
    return {
      name: 'vm-status-templates',
      changed: (object, previous, { initial }) => {
        const key = keyOf(object.metadata);
        const { uid, vappId } = templateInstanceFacts(object);
        this.#templateByUid.set(uid, key);
        this.#listener.template(key, initial);
        const before = parsed(previous) as TemplateInstanceFacts | undefined;
        for (const machine of before !== undefined && before.vappId !== vappId
          ? this.#madeBy(object)
          : this.#waitFor(uid))
          this.#listener.machine(machine, initial);
      },
      gone: ({ uid }) => void this.#templateByUid.delete(uid),
    };
  }

  /** The TemplateInstance may have been seen after its VMs. */
  #waitFor(uid: string): readonly string[] {
    const machines = this.#untemplated.of(uid);
    for (const machine of machines) this.#untemplated.remove(uid, machine);
    return machines;
  }

  /** The TemplateInstance has moved to another vApp. That is rare, so its VMs are found by a search. */
  #madeBy({ metadata }: KubeObject): readonly string[] {
    const { namespace = '', uid = '' } = metadata;
    return this.#keysWhere(namespace, (text) => text.includes(JSON.stringify(uid)));
  }

  /**
   * A VM owns the disks that it has a DataVolume template for, and KubeVirt records the owner on the disk. Other disks
   * are named by the VM.
   */
  #tellUsers(key: string, facts: DataVolumeFacts | undefined, initial: boolean): void {
    const { namespace = '' } = parseKey(key);
    const users = new Set(this.#borrowers.of(key));
    if (facts?.vm !== undefined) users.add(`${namespace}/${facts.vm}`);
    for (const user of users) if (this.#vms.get(parseKey(user)) !== undefined) this.#listener.machine(user, initial);
  }

  #keysWhere(namespace: string, holds: (text: Text) => boolean): readonly string[] {
    const found: string[] = [];
    for (const { key, fields } of this.#vms.entries())
      if (key.namespace === namespace && holds(fields)) found.push(keyOf(key));
    return found;
  }

  #templateOf({ templateInstanceUid }: VmFacts): WatchedVm['template'] {
    const key = templateInstanceUid === undefined ? undefined : this.#templateByUid.get(templateInstanceUid);
    const found = key === undefined ? undefined : this.templateInstance(key);
    return key === undefined || found === undefined ? undefined : { name: parseKey(key).name, facts: found.facts };
  }
}

/** The kind is not served or may not be read. That is no outage. */
function isClosed(ledger: Ledger<Text>): boolean {
  return ['absent', 'forbidden'].includes(ledger.health().trouble);
}

/** The text was written by this class. */
function parsed(entry: LedgerEntry<Text> | undefined): unknown {
  return entry === undefined ? undefined : JSON.parse(entry.fields);
}
