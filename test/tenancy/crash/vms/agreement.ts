/** Checks that rows and cluster agree about vApps and VMs, and that no orphans and no work are left. */
import { sql, type Kysely } from 'kysely';
import {
  dataVolumes,
  secrets,
  templateInstances,
  virtualMachines,
} from '../../../../packages/ssvirt/src/fleet/kinds.ts';
import type { JsonObject, Tables } from '../../../../packages/ssvirt/src/db/schema/schema.ts';
import { installationId } from '../../../../packages/ssvirt/src/db/vdcs/vdc-work.ts';
import type { KubeObject, Unstructured } from '../../../../packages/kube/src/object.ts';
import { vmFacts } from '../../../../packages/ssvirt/src/kubevirt/facts/vm.ts';
import { labels } from '../../../../packages/ssvirt/src/kubevirt/tenant-vm/labels.ts';
import { dataVolumeName, secretNames } from '../../../../packages/ssvirt/src/kubevirt/tenant-vm/names.ts';
import type { MemberCluster } from '../../../fleet/sandboxes.ts';
import type { Vdc } from '../harness.ts';
import { configMaps, machineInstances, volumeClaims } from './kinds.ts';

interface VmRow {
  readonly id: string;
  readonly vapp_id: string;
  readonly vdc_id: string;
  readonly namespace: string;
  readonly vm_name: string;
  readonly name: string;
  readonly origin: string;
  readonly desired_state: string;
  readonly desired_power: string;
  readonly cpu_count: number | null;
  readonly memory_mb: number | null;
  readonly spec: JsonObject;
  readonly uid: string | null;
  readonly status: string | null;
}

interface VappRow {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly desired_state: string;
  readonly creation: string;
  readonly spec: JsonObject;
  readonly uid: string | null;
  readonly machines: number;
}

const kinds = {
  machines: virtualMachines,
  instances: machineInstances,
  volumes: dataVolumes,
  claims: volumeClaims,
  secrets,
  templates: templateInstances,
  configMaps,
} as const;

type Objects = Readonly<Record<keyof typeof kinds, readonly Unstructured[]>>;

/** The label of objects that existed before: ssvirt does not own them, and they stay. */
export const foreignLabel = 'example.com/foreign';

/** A sentence for each disagreement in these VDCs. */
export async function disagreements(
  db: Kysely<Tables>,
  cluster: MemberCluster,
  vdcs: readonly Vdc[],
): Promise<readonly string[]> {
  const open = [...(await openWork(db)), ...(await keptSecrets(db))];
  if (open.length > 0) return open;
  const ids = vdcs.map(({ id }) => id as string);
  const [vms, vapps] = [await vmsOf(db, ids), await vappsOf(db, ids)];
  const objects = await read(cluster, new Set(vdcs.map(({ namespace }) => namespace)));
  const installation = await installationId(db);
  return [
    ...vms.flatMap((vm) => machine(vm, objects, installation).map((what) => `${vm.name}: ${what}`)),
    ...vapps.flatMap((vapp) => group(vapp, objects).map((what) => `${vapp.name}: ${what}`)),
    ...leftOver(vms, vapps, objects),
  ];
}

async function openWork(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly what: string }>`
    SELECT 'task ' || t.operation || ' is ' || t.status || ' at "' || coalesce(t.step, '') || '"' AS what
    FROM tasks t WHERE t.owner_kind IN ('vm', 'vapp') AND t.ended_at IS NULL
    UNION ALL
    SELECT 'work on ' || kind || ' ' || entity_id || ' is planned: ' || coalesce(message, '') FROM reconciliations WHERE kind IN ('vm', 'vapp')
  `.execute(db);
  return rows.map(({ what }) => what);
}

/** Rows that still have user data or parameters, which must be removed after use. */
async function keptSecrets(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly what: string }>`
    SELECT 'the row of machine ' || name || ' keeps what its guest is told' AS what FROM vms
    WHERE spec ?| '{cloudInit,sshKeys}' OR spec #> '{source,parameters}' IS NOT NULL
    UNION ALL
    SELECT 'the row of vApp ' || name || ' keeps parameters' FROM vapps WHERE spec ? 'parameters'
  `.execute(db);
  return rows.map(({ what }) => what);
}

async function vmsOf(db: Kysely<Tables>, vdcs: readonly string[]): Promise<readonly VmRow[]> {
  const { rows } = await sql<VmRow>`
    SELECT v.*, a.vdc_id, m.uid, o.status FROM vms v JOIN vapps a ON a.id = v.vapp_id
    LEFT JOIN vm_applied m ON m.vm_id = v.id LEFT JOIN vm_observed o ON o.vm_id = v.id
    WHERE a.vdc_id = ANY (${vdcs}::uuid[]) AND v.deleted_at IS NULL
  `.execute(db);
  return rows;
}

async function vappsOf(db: Kysely<Tables>, vdcs: readonly string[]): Promise<readonly VappRow[]> {
  const { rows } = await sql<VappRow>`
    SELECT a.*, d.namespace, m.uid,
      (SELECT count(*)::integer FROM vms v WHERE v.vapp_id = a.id AND v.deleted_at IS NULL) AS machines
    FROM vapps a JOIN vdcs d ON d.id = a.vdc_id LEFT JOIN vapp_applied m ON m.vapp_id = a.id
    WHERE a.vdc_id = ANY (${vdcs}::uuid[]) AND a.deleted_at IS NULL
  `.execute(db);
  return rows;
}

async function read({ client }: MemberCluster, namespaces: ReadonlySet<string>): Promise<Objects> {
  const found = await Promise.all(
    Object.entries(kinds).map(async ([name, type]) => {
      const { items } = await client.list<KubeObject>(type);
      return [name, items.filter((one) => isOfTest(one, namespaces))] as const;
    }),
  );
  return Object.fromEntries(found) as unknown as Objects;
}

function isOfTest({ metadata }: KubeObject, namespaces: ReadonlySet<string>): boolean {
  if (!namespaces.has(metadata.namespace ?? '')) return false;
  return metadata.name !== 'kube-root-ca.crt' && metadata.labels?.[foreignLabel] === undefined;
}

function machine(row: VmRow, objects: Objects, installation: string): readonly string[] {
  if (row.origin !== 'requested') return ['nobody has asked for it'];
  if (row.desired_state !== 'present') return ['it is still to go'];
  const own = objects.machines.filter((one) => one.metadata.labels?.[labels.vmId] === row.id);
  const [vm] = own;
  if (vm === undefined || own.length > 1) return [`there are ${own.length} machines of it`];
  const { metadata } = vm;
  const wanted = {
    [labels.installationId]: installation,
    [labels.vappId]: row.vapp_id,
    [labels.vdcId]: row.vdc_id,
    [labels.ofVdc]: row.vdc_id,
  };
  return [
    ...differs('name', metadata.name, row.vm_name),
    ...differs('namespace', metadata.namespace, row.namespace),
    ...differs('uid', metadata.uid, row.uid),
    ...differs('end', metadata.deletionTimestamp, undefined),
    ...Object.entries(wanted).flatMap(([label, value]) => differs(label, metadata.labels?.[label], value)),
    ...sizeOf(row, vm),
    ...powerOf(row, vm, objects),
    ...disksOf(row, vm, objects),
  ];
}

function differs(what: string, found: unknown, wanted: unknown): readonly string[] {
  return found === wanted ? [] : [`its ${what} is ${JSON.stringify(found)} and not ${JSON.stringify(wanted)}`];
}

function sizeOf(row: VmRow, vm: Unstructured): readonly string[] {
  const { cpuCount, memoryMb } = vmFacts(vm);
  return [...differs('CPUs', cpuCount, row.cpu_count), ...differs('memory', memoryMb, row.memory_mb)];
}

function powerOf(row: VmRow, vm: Unstructured, { instances }: Objects): readonly string[] {
  const isOn = row.desired_power === 'on';
  const { runStrategy } = vmFacts(vm);
  const instance = instances.find(({ metadata }) => metadata.name === row.vm_name);
  const phase = (instance?.['status'] as { readonly phase?: string } | undefined)?.phase;
  return [
    ...differs('run strategy', runStrategy, isOn ? 'RerunOnFailure' : 'Halted'),
    ...differs('phase', phase, isOn ? 'Running' : undefined),
    ...differs('shown status', row.status, isOn ? 'POWERED_ON' : 'POWERED_OFF'),
  ];
}

function disksOf(row: VmRow, vm: Unstructured, { volumes }: Objects): readonly string[] {
  const asked = (row.spec['disks'] ?? []) as readonly { readonly name: string }[];
  const has = vmFacts(vm).disks ?? [];
  return asked.flatMap(({ name }) => {
    const volume = volumes.find(({ metadata }) => metadata.name === dataVolumeName(row.vm_name, name));
    return [
      ...(has.some((disk) => disk.name === name) ? [] : [`it does not have its disk ${name}`]),
      ...(volume !== undefined && isOwned(volume, vm) ? [] : [`its disk ${name} has no volume`]),
    ];
  });
}

function isOwned({ metadata }: KubeObject, owner: KubeObject): boolean {
  return metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;
}

function group(row: VappRow, { templates }: Objects): readonly string[] {
  if (row.desired_state === 'absent') return ['it is still to go'];
  const own = templates.filter((one) => one.metadata.labels?.[labels.vappId] === row.id);
  const isMade = 'template' in row.spec;
  return [
    ...(own.length === (isMade ? 1 : 0) ? [] : [`there are ${own.length} template instances of it`]),
    ...(isMade ? differs('template instance', own[0]?.metadata.uid, row.uid) : []),
    ...(isMade ? differs('creation', row.creation, 'done') : []),
  ];
}

/** Objects without a row. */
function leftOver(vms: readonly VmRow[], vapps: readonly VappRow[], objects: Objects): readonly string[] {
  const rows = new Set(vms.map(({ id }) => id));
  const machines = objects.machines.filter((one) => rows.has(one.metadata.labels?.[labels.vmId] ?? ''));
  const templates = objects.templates.filter((one) =>
    vapps.some(({ id }) => id === one.metadata.labels?.[labels.vappId]),
  );
  const volumes = objects.volumes.filter((one) => machines.some((vm) => isOwned(one, vm)));
  const guests = machines.flatMap(({ metadata }) => Object.values(secretNames(metadata.name ?? '')));
  const kept: Readonly<Record<keyof Objects, (object: KubeObject) => boolean>> = {
    machines: (one) => machines.includes(one as Unstructured),
    instances: (one) => machines.some((vm) => isOwned(one, vm)),
    volumes: (one) => volumes.includes(one as Unstructured),
    claims: (one) => volumes.some(({ metadata }) => metadata.name === one.metadata.name),
    secrets: (one) => guests.includes(one.metadata.name ?? '') && machines.some((vm) => isOwned(one, vm)),
    templates: (one) => templates.includes(one as (typeof templates)[number]),
    configMaps: (one) => machines.some(({ metadata }) => metadata.name === one.metadata.name),
  };
  return Object.entries(objects).flatMap(([kind, all]) =>
    all
      .filter((one) => !kept[kind as keyof Objects](one))
      .map(({ metadata }) => `${metadata.name} of the ${kind} is nobody's, or not owned`),
  );
}
