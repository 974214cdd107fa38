/** The shapes of machines at the edge; the descriptions are the explorer page. */
import { Type, type Static } from 'typebox';
import { Stale, StaleReason } from '../clusters/stale-reason.ts';
import { Description } from '../catalogs/schemas.ts';
import { EntityRef, orNull, PageOf, Timestamp, UrnSchema } from '../http/schemas.ts';
import { TaskBody } from '../tasks/render.ts';
import { Instancetype, MachineName } from './new-machine.ts';

export { NewDisk, NewMachine } from './new-machine.ts';

export const DiskBody = Type.Object({
  name: Type.String(),
  sizeMb: orNull(Type.Integer(), 'In MB of 1024 × 1024 bytes; null where it is not known, as of a container disk'),
  boot: Type.Boolean({ description: 'The machine boots from it' }),
});

const shown = {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  href: Type.String(),
  status: Type.String({
    description:
      'POWERED_ON, POWERED_OFF, POWERING_ON, POWERING_OFF, SUSPENDED, FAILED, UNKNOWN, DELETING; UNRESOLVED where it is not in its cluster yet',
  }),
  statusCode: Type.Integer({ description: 'The number of VMware Cloud Director that is nearest to the status' }),
  stale: Stale,
  staleReason: StaleReason,
  vapp: EntityRef,
  vdc: EntityRef,
  cpus: orNull(Type.Integer(), 'vCPUs that are asked for; where nothing was, those that it has'),
  memoryMb: orNull(Type.Integer(), 'In MB; as cpus'),
  instancetype: Type.Optional(Type.String({ description: 'Decides on cpus and memoryMb' })),
  guestOs: orNull(Type.String()),
  hostName: orNull(Type.String()),
  ipAddresses: Type.Array(Type.String()),
  restartRequired: Type.Boolean({ description: 'A change takes effect when it is powered off and on again' }),
  fault: orNull(
    Type.Object({ reason: Type.String({ description: 'For programs' }), message: Type.String() }),
    'Why it does not run',
  ),
  busy: Type.Boolean({ description: 'A disk is still being filled' }),
  disks: Type.Array(DiskBody),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  observed: Type.Object(
    { cpus: orNull(Type.Integer()), memoryMb: orNull(Type.Integer()) },
    {
      description:
        'What the cluster has; another than what is asked for while a change is not done, or needs a restart',
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
      { description: 'Where it is; for system administrators' },
    ),
  ),
};

export const VmBody = Type.Object(shown);

export const VmPage = PageOf(VmBody);

export const ChangedVm = Type.Object(
  { ...shown, task: Type.Optional(TaskBody) },
  { description: 'The machine, and the task that brings what was asked for to its cluster' },
);

export const DiskPage = PageOf(DiskBody);

const { name: _name, description: _description, cpus: _cpus, memoryMb: _memoryMb, ...readOnly } = shown;

/** What was read may be sent back: fields that nobody can set are of no account. */
export const VmChange = Type.Partial(
  Type.Object({
    ...Object.fromEntries(
      Object.keys(readOnly).map((field) => [field, Type.Unknown({ description: 'Of no account' })]),
    ),
    id: UrnSchema('vm', 'Read-only: that of the path'),
    name: MachineName,
    description: Description,
    // A machine of a template, or one that was found, may have a size that cannot be asked for: it is checked where it differs.
    cpus: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'vCPUs; not of a machine that has an instance type',
    }),
    memoryMb: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'In MB; not of a machine that has an instance type',
    }),
    instancetype: { ...Instancetype, description: 'Another instance type, for a machine that has one' },
    task: Type.Unknown({ description: 'Of no account' }),
  }),
  {
    additionalProperties: false,
    description:
      'What is to change: name, description, cpus, memoryMb, instancetype; what is absent stays. What was read may be sent back as it is, its other fields are of no account',
  },
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
