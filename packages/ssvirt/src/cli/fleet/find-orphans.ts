/**
 * Finds what Machines that no longer exist have left in the clusters of the fleet. It writes nothing. What cannot be
 * read is reported: nothing follows from its absence.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Client, RequestOptions, Selection } from '@ssvirt/kube/client/client';
import { keyOf, type KubeObject } from '@ssvirt/kube/object';
import { isDeleting } from '@ssvirt/kube/reconcile/finalizers';
import { childrenOfKindSelector, childrenSelector, parentKeyOf, parentUidOf } from '@ssvirt/kube/reconcile/owners';
import { resourceName, type ResourceType } from '@ssvirt/kube/resource-type';
import { servesKubeVirt } from '../../fleet/health/cluster-probe.ts';
import { roleBindings } from '../../fleet/identity/account.ts';
import { requestIdentity } from '../../fleet/identity/identity-request.ts';
import { claims, dataVolumes, instances, secrets, virtualMachines } from '../../fleet/kinds.ts';
import { kubevirtConfigs, localName, type KubevirtConfig } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import { existingClaims, type ClaimingMachine } from '../../fleet/placement/claim-users.ts';
import { isOrphan, orphansAmong, type IsLive, type MachineChild } from '../../fleet/placement/orphans.ts';
import { storageOf } from '../../fleet/projections.ts';
import { fields, text } from '../../kubevirt/facts/reading.ts';
import { claimsOfInstance, claimsOfVm } from '../../kubevirt/machine/claim-volumes.ts';
import { formedSpec } from '../../kubevirt/machine/form.ts';
import { group, labels, managedBy, version } from '../../kubevirt/machine/resource.ts';
import { ClusterReader, type ClusterReaderOptions } from '../cluster/cluster-reader.ts';
import { inMember } from '../machine/member.ts';

export interface Orphan {
  readonly cluster: string;
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** The Machine that it was created for. */
  readonly machine: { readonly key: string; readonly uid: string };
  readonly createdAt?: string;
  /** Of a disk. */
  readonly size?: string;
  /** What to know before it is deleted. */
  readonly note?: string;
  /** The command that would delete it; absent if it is in use or already being deleted. */
  readonly deletion?: string;
}

export interface SearchedCluster {
  readonly name: string;
  /** Why it could not be searched. */
  readonly unreached?: string;
  /** What could not be read in it. */
  readonly unread: readonly string[];
}

export interface FoundOrphans {
  /** There are none, and all clusters could be read. */
  readonly ok: boolean;
  readonly orphans: readonly Orphan[];
  readonly clusters: readonly SearchedCluster[];
}

export interface OrphanQuestion {
  readonly supervisor: Client;
  /** The namespace of the KubevirtConfigs. */
  readonly namespace: string;
  /** The deadline of each cluster. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

const machines: ResourceType<ClaimingMachine> = {
  group,
  version,
  kind: 'Machine',
  plural: 'machines',
  namespaced: true,
};

const order: readonly string[] = [virtualMachines, instances, dataVolumes, claims, secrets].map(({ kind }) => kind);
const disks: ReadonlySet<ResourceType<KubeObject>> = new Set([dataVolumes, claims]);

/** `findOrphans` rejects if the supervisor does not answer, or does not tell which Machines exist. */
export async function findOrphans({
  supervisor,
  namespace,
  deadlineMs,
  signal,
}: OrphanQuestion): Promise<FoundOrphans> {
  const request = { signal, timeoutMs: deadlineMs };
  const asking = { client: supervisor, signal };
  const [identity, configs, before] = await Promise.all([
    requestIdentity(supervisor, request),
    listed(supervisor, kubevirtConfigs, { namespace, ...request }),
    listed(supervisor, machines, request),
  ]);
  const search = { identity, isLive: isLiveAmong(before) };
  const look = new ClusterReader(asking);
  const names = await clusterNames(supervisor, identity, configs, request);
  const found = await Promise.all(
    names.map(async (name) => ({
      name,
      reached: await inMember(asking, look, { namespace, name }, (member) => searched(member, search), deadlineMs),
    })),
  );
  // Machines may have been created or deleted meanwhile: that of an orphan existed neither before nor after.
  const known = new Map(
    [...before, ...(await listed(supervisor, machines, request))].map((one) => [one.metadata.uid ?? '', one]),
  );
  const orphans = found.flatMap(({ name, reached }) =>
    'unreached' in reached ? [] : orphansIn(name, reached.found, [...known.values()]),
  );
  const clusters = found.map(({ name, reached }): SearchedCluster =>
    'unreached' in reached
      ? { name, unreached: reached.unreached, unread: [] }
      : { name, unread: reached.found.unread },
  );
  const isComplete = clusters.every(({ unreached, unread }) => unreached === undefined && unread.length === 0);
  return { ok: isComplete && orphans.length === 0, orphans, clusters };
}

/** All clusters of the fleet; the supervisor is one if it serves KubeVirt and no KubevirtConfig refers to it. */
async function clusterNames(
  supervisor: Client,
  identity: string,
  configs: readonly KubevirtConfig[],
  request: RequestOptions,
): Promise<readonly string[]> {
  const names = configs.map(({ metadata }) => metadata.name ?? '').filter((name) => name !== localName);
  const isMember =
    !configs.some(({ status }) => status?.identity === identity) && (await servesKubeVirt(supervisor, request));
  return [...names, ...(isMember ? [localName] : [])].toSorted();
}

interface Search {
  /** Of the supervisor: other supervisors may use the same cluster. */
  readonly identity: string;
  readonly isLive: IsLive;
}

interface Searched {
  readonly children: readonly MachineChild[];
  /** VMs and instances in the namespaces of disks that may be orphans. */
  readonly vms: readonly MachineChild[];
  readonly unread: readonly string[];
}

async function searched(member: ClusterReaderOptions, { identity, isLive }: Search): Promise<Searched> {
  const look = new ClusterReader(member);
  const selector = `${childrenOfKindSelector(machines)},${labels.supervisor}=${identity}`;
  const found = await Promise.all(
    [virtualMachines, instances, dataVolumes, claims].map((type) => all(look, member, type, undefined, selector)),
  );
  const children = found.flat();
  const suspects = orphansAmong(children, isLive);
  const namespacesOf = (some: readonly MachineChild[]): readonly string[] => [
    ...new Set(some.map(({ object }) => object.metadata.namespace ?? '')),
  ];
  const kept = await secretsIn(look, member, selector, namespacesOf(suspects));
  const vms = await Promise.all(
    namespacesOf(suspects.filter(({ type }) => disks.has(type))).flatMap((namespace) =>
      [virtualMachines, instances].map((type) => all(look, member, type, namespace)),
    ),
  );
  return { children: [...children, ...kept.secrets], vms: vms.flat(), unread: [...look.unread, ...kept.unread] };
}

async function all(
  look: ClusterReader,
  { client, signal }: ClusterReaderOptions,
  type: ResourceType<KubeObject>,
  namespace?: string,
  labelSelector?: string,
): Promise<readonly MachineChild[]> {
  // Only the metadata of a Secret is read.
  const options = { ...defined({ namespace, labelSelector }), metadataOnly: type === secrets, signal };
  return look.allowed(type, [], async () => (await listed(client, type, options)).map((object) => ({ type, object })));
}

/**
 * The operator's account may read Secrets only in the namespaces in which it has created a RoleBinding. One may be gone
 * where other orphans are.
 */
async function secretsIn(
  look: ClusterReader,
  member: ClusterReaderOptions,
  selector: string,
  suspected: readonly string[],
): Promise<{ readonly secrets: readonly MachineChild[]; readonly unread: readonly string[] }> {
  const everywhere = new ClusterReader(member);
  const found = await all(everywhere, member, secrets, undefined, selector);
  if (everywhere.unread.size === 0) return { secrets: found, unread: [] };
  const bound = await all(look, member, roleBindings, undefined, `${labels.managedBy}=${managedBy}`);
  const namespaces = new Set([...suspected, ...bound.map(({ object }) => object.metadata.namespace ?? '')]);
  const parts = await Promise.all(
    [...namespaces].toSorted().map(async (namespace) => {
      const here = new ClusterReader(member);
      const some = await all(here, member, secrets, namespace, selector);
      return { some, unread: here.unread.size === 0 ? [] : [`${resourceName(secrets)} in namespace "${namespace}"`] };
    }),
  );
  return { secrets: parts.flatMap(({ some }) => some), unread: parts.flatMap(({ unread }) => unread) };
}

function orphansIn(cluster: string, { children, vms }: Searched, known: readonly ClaimingMachine[]): readonly Orphan[] {
  const isLive = isLiveAmong(known);
  const users = claimUsers(cluster, vms, known, isLive);
  const keys = new Set(known.map(({ metadata }) => keyOf(metadata)));
  return orphansAmong(children, isLive)
    .map(({ type, object }): Orphan => {
      const { metadata } = object;
      const { namespace = '', name = '', uid = '', creationTimestamp } = metadata;
      const machine = {
        key: parentKeyOf(metadata) ?? `${namespace}/${metadata.labels?.[labels.machine] ?? ''}`,
        uid: parentUidOf(metadata) ?? '',
      };
      const user = disks.has(type) ? users.get(keyOf(metadata)) : undefined;
      const note = isDeleting(object)
        ? 'is being deleted'
        : user === undefined
          ? keys.has(machine.key)
            ? `a Machine "${machine.key}" exists again and could adopt it`
            : undefined
          : `in use by ${user}`;
      const size = disks.has(type) ? sizeOf(object) : undefined;
      const deletion = user === undefined && !isDeleting(object) ? deletionOf(cluster, type, object) : undefined;
      return {
        cluster,
        namespace,
        kind: type.kind,
        name,
        uid,
        machine,
        ...defined({ createdAt: creationTimestamp, size, note, deletion }),
      };
    })
    .toSorted((a, b) => compared(placeOf(a), placeOf(b)));
}

/** Virtual machines come first, because they use the others. */
function placeOf({ namespace, machine, kind, name }: Orphan): readonly string[] {
  return [namespace, machine.key, machine.uid, String(order.indexOf(kind)), name];
}

function compared(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((word, i) => word !== b[i]);
  return at === -1 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
}

/** Who uses a claim although its Machine is gone, by the key of the claim: a VM by hand, or a Machine that names it. */
function claimUsers(
  cluster: string,
  vms: readonly MachineChild[],
  known: readonly ClaimingMachine[],
  isLive: IsLive,
): ReadonlyMap<string, string> {
  const having = vms
    .filter(({ object }) => !isOrphan(object, isLive))
    .flatMap(({ type, object }) => {
      const names = type === virtualMachines ? claimsOfVm(object) : claimsOfInstance(object);
      return names.map((name) => [name, object, type.kind] as const);
    });
  const naming = known
    .filter(({ status }) => (status?.kubevirtConfigRef || cluster) === cluster)
    .flatMap((machine) =>
      existingClaims({ spec: formedSpec(machine.spec) }).map((name) => [name, machine, machines.kind] as const),
    );
  return new Map(
    [...naming, ...having].map(([name, { metadata }, kind]) => [
      keyOf({ ...defined({ namespace: metadata.namespace }), name }),
      `${kind} "${keyOf(metadata)}"`,
    ]),
  );
}

function sizeOf(object: KubeObject): string | undefined {
  const { spec, status } = fields(object);
  const { storage, pvc } = fields(spec);
  const requested = fields(fields(storageOf(storage ?? pvc ?? spec)['resources'])['requests']);
  return text(fields(fields(status)['capacity'])['storage']) ?? text(requested['storage']);
}

/** In a wrong cluster it deletes nothing, nor an object that was created for another Machine under the same name. */
function deletionOf(cluster: string, type: ResourceType<KubeObject>, { metadata }: KubeObject): string {
  const { namespace = '', name = '' } = metadata;
  const selector = childrenSelector({ metadata: { uid: parentUidOf(metadata) ?? '' } });
  const context = cluster === localName ? [] : ['--context', cluster];
  const words = ['kubectl', ...context, '-n', namespace, 'delete', resourceName(type), '-l', selector];
  return [...words, '--field-selector', `metadata.name=${name}`].map(shellWord).join(' ');
}

/** Names come from another cluster: none may end the command and start another. */
function shellWord(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function isLiveAmong(known: readonly ClaimingMachine[]): IsLive {
  const uids = new Set(known.map(({ metadata }) => metadata.uid));
  return (uid) => uids.has(uid);
}

async function listed<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  options: RequestOptions & Selection & { readonly metadataOnly?: boolean },
): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const page of client.pages(type, { ...options, limit: 500 })) items.push(...page.items);
  return items;
}
