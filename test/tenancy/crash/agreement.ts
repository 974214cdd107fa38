/** Checks that rows and cluster agree about VDCs, and that no orphans and no work are left. */
import { sql, type Kysely, type Selectable } from 'kysely';
import { publicNetworks } from '../../../packages/base/src/net/reserved-addresses.ts';
import { vdcTypes } from '../../../packages/ssvirt/src/controllers/tenancy/vdcs/vdc-types.ts';
import { virtualMachines } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import type { Tables, VdcTable } from '../../../packages/ssvirt/src/db/schema/schema.ts';
import { installationId } from '../../../packages/ssvirt/src/db/vdcs/vdc-work.ts';
import type { KubeObject, Unstructured } from '../../../packages/kube/src/object.ts';
import { ownSubject } from '../../../packages/ssvirt/src/fleet/identity/account.ts';
import { defaultClusterNamespaces, type VdcAccess } from '../../../packages/ssvirt/src/kubevirt/vdc/description.ts';
import { labels, managedSelector } from '../../../packages/ssvirt/src/kubevirt/vdc/labels.ts';
import {
  childKinds,
  childNames,
  desiredObjects,
  templatesKind,
  type VdcKind,
} from '../../../packages/ssvirt/src/kubevirt/vdc/objects.ts';
import type { MemberCluster } from '../../fleet/sandboxes.ts';

interface Row extends Selectable<VdcTable> {
  readonly organization_name: string;
  readonly open_tasks: number;
  readonly failed_tasks: number;
  readonly ready: boolean | null;
  readonly fault: string | null;
  readonly due: boolean | null;
  readonly owner: string | null;
  readonly work: boolean;
}

type Objects = Readonly<Record<VdcKind | 'VirtualMachine', readonly KubeObject[]>>;

/** A sentence for each disagreement. */
export async function disagreements(
  db: Kysely<Tables>,
  cluster: MemberCluster,
  names: readonly string[],
): Promise<readonly string[]> {
  const rows = await rowsOf(db, names);
  const objects = await read(
    cluster,
    rows.map(({ id }) => id),
  );
  const installation = await installationId(db);
  const access = await accessIn(cluster);
  const found = names.flatMap((name) => {
    const row = rows.find((one) => one.name === name);
    // Without a row, objects in the cluster do not belong to ssvirt.
    if (row === undefined) return [];
    const said = row.deleted_at === null ? present(row, objects, installation, access) : gone(row, objects);
    return said.map((what) => `${name}: ${what}`);
  });
  // The search for orphans takes time, so it runs only when everything else agrees.
  return found.length > 0 ? found : orphans(db, cluster, installation);
}

async function read({ client }: MemberCluster, ids: readonly string[]): Promise<Objects> {
  const labelSelector = `${managedSelector},${labels.vdcId} in (${ids.join(', ')})`;
  const of = async (kind: VdcKind): Promise<readonly KubeObject[]> =>
    ids.length === 0 ? [] : (await client.list(vdcTypes[kind], { labelSelector })).items;
  const roleBindings = await of('RoleBinding');
  const isForTemplates = ({ metadata }: KubeObject): boolean => metadata.name === childNames[templatesKind];
  const policies = await of('NetworkPolicy');
  const isForImporters = ({ metadata }: KubeObject): boolean => metadata.name === childNames.ImporterPolicy;
  return {
    Namespace: await of('Namespace'),
    RoleBinding: roleBindings.filter((object) => !isForTemplates(object)),
    [templatesKind]: roleBindings.filter(isForTemplates),
    ResourceQuota: await of('ResourceQuota'),
    LimitRange: await of('LimitRange'),
    NetworkPolicy: policies.filter((object) => !isForImporters(object)),
    ImporterPolicy: policies.filter(isForImporters),
    VirtualMachine: (await client.list(virtualMachines)).items,
  };
}

async function accessIn({ client }: MemberCluster): Promise<VdcAccess> {
  const { groups } = await client.request({ method: 'GET', path: '/apis' }).then(({ body }) => body as ApiGroups);
  const servesTemplates = groups.some(({ name }) => name === 'template.openshift.io');
  return { subject: await ownSubject(client), servesTemplates };
}

interface ApiGroups {
  readonly groups: readonly { readonly name: string }[];
}

async function rowsOf(db: Kysely<Tables>, names: readonly string[]): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    SELECT v.*, o.name AS organization_name, a.ready, a.fault, r.entity_id IS NOT NULL AS work, r.due_at <= now() AS due, r.owner,
      (SELECT count(*)::integer FROM tasks t WHERE t.owner_id = v.id AND t.ended_at IS NULL) AS open_tasks,
      (SELECT count(*)::integer FROM tasks t WHERE t.owner_id = v.id AND t.ended_at IS NOT NULL AND t.status <> 'success') AS failed_tasks
    FROM vdcs v JOIN organizations o ON o.id = v.organization_id
    LEFT JOIN vdc_applied a ON a.vdc_id = v.id LEFT JOIN reconciliations r ON r.entity_id = v.id
    WHERE v.name = ANY (${names}::text[])
  `.execute(db);
  return rows;
}

function gone(row: Row, objects: Objects): readonly string[] {
  const left = Object.entries(objects).flatMap(([kind, all]) =>
    all
      .filter((object) => isOf(row.id)(object) || object.metadata.namespace === row.namespace)
      .map(({ metadata }) => `${kind} ${metadata.name} is left in the cluster`),
  );
  return [
    ...left,
    ...(row.open_tasks > 0 ? ['a task is open though it is gone'] : []),
    ...(row.failed_tasks > 0 ? ['a task has failed'] : []),
    ...(row.work ? ['work on it is planned though it is gone'] : []),
  ];
}

function present(row: Row, objects: Objects, installation: string, access: VdcAccess): readonly string[] {
  if (row.desired_state === 'absent') return ['it is still to go'];
  const desired = desiredObjects(
    {
      id: row.id,
      name: row.name,
      description: row.description,
      namespace: row.namespace,
      enabled: row.enabled,
      organizationId: row.organization_id,
      organizationName: row.organization_name,
      installationId: installation,
      vmQuota: row.vm_quota,
      memoryLimitMb: row.memory_limit_mb,
      storageLimitMb: row.storage_limit_mb,
    },
    { ...defaultClusterNamespaces, importNetworks: publicNetworks },
    access,
  );
  const kinds: VdcKind[] = ['Namespace', ...childKinds];
  if (access.servesTemplates) kinds.push(templatesKind);
  return [
    ...kinds.flatMap((kind) => differs(kind, desired[kind] ?? {}, objects[kind].filter(isOf(row.id)))),
    ...(row.ready === true ? [] : ['the row does not say that it is ready']),
    ...(row.fault === null ? [] : [`the row has a fault: ${row.fault}`]),
    ...(row.open_tasks > 0 ? ['a task is open'] : []),
    ...(row.failed_tasks > 0 ? ['a task has failed'] : []),
    ...(row.owner === null ? [] : ['somebody works on it']),
    ...(row.due === false ? [] : ['work on it is due, or not planned']),
  ];
}

function differs(kind: VdcKind, desired: object, found: readonly KubeObject[]): readonly string[] {
  const [object] = found;
  if (object === undefined || found.length > 1) return [`there are ${found.length} ${kind}s of it`];
  if (object.metadata.deletionTimestamp !== undefined) return [`${kind} is about to go`];
  const said = sameWhereSaid(desired, object) && hasNoMore(desired, object);
  const { metadata, spec } = object as Unstructured;
  const shown = JSON.stringify({ labels: metadata.labels, spec });
  return said ? [] : [`${kind} is ${shown} and not ${JSON.stringify(desired)}`];
}

/** Whether everything in `wanted` is in `found`; additions of the cluster do not count. */
function sameWhereSaid(wanted: unknown, found: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) && wanted.length === found.length && wanted.every((one, i) => sameWhereSaid(one, found[i]))
    );
  if (typeof wanted !== 'object' || wanted === null) return wanted === found;
  if (typeof found !== 'object' || found === null) return false;
  return Object.entries(wanted).every(([key, value]) => sameWhereSaid(value, (found as Record<string, unknown>)[key]));
}

/** Whether limits that are no longer requested are gone. */
function hasNoMore(wanted: object, found: object): boolean {
  const keys = (object: object): readonly string[] =>
    Object.keys((object as { spec?: { hard?: object } }).spec?.hard ?? {}).toSorted();
  return String(keys(wanted)) === String(keys(found));
}

function isOf(id: string): (object: KubeObject) => boolean {
  return ({ metadata }) => metadata.labels?.[labels.vdcId] === id;
}

/** Namespaces of this installation without a VDC, and additional namespaces of a VDC. */
async function orphans(
  db: Kysely<Tables>,
  { client }: MemberCluster,
  installation: string,
): Promise<readonly string[]> {
  const labelSelector = `${labels.installationId}=${installation}`;
  const { items } = await client.list(vdcTypes.Namespace, { labelSelector, metadataOnly: true });
  const rows = await db.selectFrom('vdcs').select(['id', 'namespace']).where('deleted_at', 'is', null).execute();
  const namespaces = new Map(rows.map(({ id, namespace }) => [id as string, namespace]));
  return items
    .filter(({ metadata }) => namespaces.get(metadata.labels?.[labels.vdcId] ?? '') !== metadata.name)
    .map(({ metadata }) => `namespace ${metadata.name} is nobody's`);
}
