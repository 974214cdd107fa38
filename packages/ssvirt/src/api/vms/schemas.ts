/** The schemas of VMs. The explorer page shows the descriptions. */
import { Type, type Static } from 'typebox';
import { powerOperations, type PowerOperation } from '../../kubevirt/power/table.ts';
import { shownVmStatuses } from '../../db/vms/statuses.ts';
import { Stale, StaleReason } from '../clusters/stale-reason.ts';
import { Description } from '../catalogs/catalogs/schemas.ts';
import { named, EntityRef, orNull, PageOf, Timestamp, UrnSchema } from '../http/schemas.ts';
import { TaskBody } from '../tasks/render.ts';
import { Instancetype, MachineName } from './new-vm.ts';

export { NewDisk, NewMachine } from './new-vm.ts';

export const DiskBody = named(
  'Disk',
  Type.Object({
    name: Type.String(),
    sizeMb: orNull(Type.Integer(), 'In MB of 1024 × 1024 bytes; null if unknown, as for a container disk'),
    boot: Type.Boolean({ description: 'The boot disk of the VM' }),
  }),
);

const OperationDecision = Type.Object({
  allowed: Type.Boolean(),
  reason: Type.Optional(Type.String({ description: 'Why not, and what to do; absent if it is allowed' })),
});

export const PowerOperations = named(
  'PowerOperations',
  Type.Object(
    Object.fromEntries(powerOperations.map((name) => [name, OperationDecision])) as Record<
      PowerOperation,
      typeof OperationDecision
    >,
    { description: 'Whether the current status permits each power operation; your roles are in the current session' },
  ),
);

const VmNetwork = Type.Object({
  name: Type.String(),
  kind: Type.Enum(['pod', 'multus']),
  networkName: Type.Optional(Type.String({ description: 'The NetworkAttachmentDefinition of a multus network' })),
});

const shown = {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  href: Type.String(),
  status: Type.Enum([...shownVmStatuses], {
    description:
      'UNRESOLVED until it exists in its cluster; DELETED if it was deleted in its cluster without a request, which lists show only if their filter has status==DELETED',
  }),
  statusCode: Type.Integer({ description: 'The number of the closest VMware Cloud Director status' }),
  operations: PowerOperations,
  stale: Stale,
  staleReason: StaleReason,
  vapp: EntityRef,
  standalone: Type.Boolean({
    description: 'It was created outside of a vApp: its own one is in no list of vApps and is deleted with it',
  }),
  vdc: EntityRef,
  owner: orNull(
    EntityRef,
    'The user who created it; null if it was created directly in the cluster, or if that is unknown',
  ),
  cpus: orNull(Type.Integer(), 'The requested vCPUs; if none were requested, the current ones'),
  memoryMb: orNull(Type.Integer(), 'In MB; requested or current, as for cpus'),
  instancetype: Type.Optional(Type.String({ description: 'Sets cpus and memoryMb' })),
  guestOs: orNull(Type.String()),
  hostName: orNull(Type.String()),
  ipAddresses: Type.Array(Type.String()),
  restartRequired: Type.Boolean({ description: 'A change takes effect after a power-off and power-on' }),
  fault: orNull(
    Type.Object({ reason: Type.String({ description: 'A constant' }), message: Type.String() }),
    'Why it does not run',
  ),
  busy: Type.Boolean({ description: 'A disk is still being filled' }),
  disks: Type.Array(DiskBody),
  networks: Type.Array(VmNetwork, {
    description: 'The network cards that were requested; empty for a VM of a template, or one created in the cluster',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  observed: Type.Object(
    { cpus: orNull(Type.Integer()), memoryMb: orNull(Type.Integer()) },
    {
      description:
        'The current size in the cluster; differs from the requested size while a change is pending or needs a restart',
    },
  ),
  placement: Type.Optional(
    Type.Object(
      {
        cluster: Type.String(),
        namespace: Type.String(),
        vmName: Type.String({ description: 'Of the VirtualMachine' }),
        node: orNull(Type.String()),
      },
      { description: 'Its cluster and namespace; only for system administrators' },
    ),
  ),
};

export const VmBody = named('Vm', Type.Object(shown));

export const VmPage = PageOf(VmBody);

export const ChangedVm = named(
  'ChangedVm',
  Type.Object(
    { ...shown, task: Type.Optional(TaskBody) },
    { description: 'The VM, and the task that applies the request to its cluster' },
  ),
);

export const VmValidation = named(
  'VmValidation',
  Type.Object({
    quotas: Type.Array(
      Type.Object({
        resource: Type.String({ description: 'vms, cpus, memoryMb, storageMb or nics' }),
        limit: orNull(Type.Integer(), 'Null if there is none'),
        usedBefore: Type.Integer(),
        usedAfter: Type.Integer(),
      }),
      { description: 'The quotas of the virtual data center' },
    ),
  }),
);

export const DiskPage = PageOf(DiskBody);

const { name: _name, description: _description, cpus: _cpus, memoryMb: _memoryMb, ...readOnly } = shown;

/** Clients may send back what they have read: read-only fields are ignored. */
export const VmChange = named(
  'VmChange',
  Type.Partial(
    Type.Object({
      ...Object.fromEntries(Object.keys(readOnly).map((field) => [field, Type.Unknown({ description: 'Ignored' })])),
      id: UrnSchema('vm', 'Read-only; must equal the id in the path'),
      name: MachineName,
      description: Description,
      // A VM from a template, or a discovered one, may have a size that cannot be requested: it is checked only if it
      // differs.
      cpus: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
        description: 'vCPUs; not for a VM with an instance type',
      }),
      memoryMb: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
        description: 'In MB; not for a VM with an instance type',
      }),
      instancetype: { ...Instancetype, description: 'Another instance type, for a VM that has one' },
      task: Type.Unknown({ description: 'Ignored' }),
    }),
    {
      additionalProperties: false,
      description:
        'The fields to change: name, description, cpus, memoryMb, instancetype; absent fields stay. You can send back what you read: other fields are ignored',
    },
  ),
);

export interface VmChangeInput {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly cpus?: number | null;
  readonly memoryMb?: number | null;
  readonly instancetype?: string;
}

export type VmBodyShape = Static<typeof VmBody>;
export type ChangedVmShape = Static<typeof ChangedVm>;
export type DiskShape = Static<typeof DiskBody>;
