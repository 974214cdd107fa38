/** The schemas of virtual data centers. The explorer page shows the descriptions. */
import { Type, type Static, type TObject, type TProperties } from 'typebox';
import { Stale, StaleReason } from '../clusters/stale-reason.ts';
import { named, EntityRef, Timestamp, UrnSchema } from '../http/schemas.ts';
import { shapes } from '../http/texts.ts';
import { TaskBody } from '../tasks/render.ts';

/** Far above real sizes, and far below what JSON and PostgreSQL can represent. */
const largest = 2 ** 40;
const largestCount = 1_000_000;

export const allocationModels = ['PayAsYouGo', 'AllocationPool', 'ReservationPool', 'Flex'] as const;

const AllocationModelSchema = Type.Enum([...allocationModels], {
  description:
    'The allocation model in the terms of VMware Cloud Director. It is stored and shown, but all models enforce the same: the limits.',
});

const Name = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: shapes.name.pattern,
  description:
    'Unique in the organization, ignoring case. No control characters, and no leading or trailing space. A new name does not rename the namespace.',
  examples: ['production'],
});

const Description = Type.String({ maxLength: 1024, pattern: shapes.anything.pattern, description: 'Free text' });

/** Unknown fields are refused, never dropped silently. */
function closed<P extends TProperties>(properties: P, description: string): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, description });
}

function amount(description: string, maximum: number = largest) {
  return Type.Integer({ minimum: 0, maximum, description });
}

const units = {
  cpu: Type.Literal('MHz', { description: 'Always MHz' }),
  memory: Type.Literal('MB', { description: 'Always MB of 1024 × 1024 bytes' }),
};

const capacity = {
  allocated: amount('The guaranteed amount; 0 means none. At most the limit'),
  limit: amount('What all virtual machines together may have, running or not; 0 means no limit'),
};

const Cores = Type.Integer({
  minimum: 0,
  description: 'The limit in whole vCPUs: limit divided by vCpuInMhz, rounded down; 0 means no limit. Read-only',
});

const askedCapacity = { allocated: Type.Optional(capacity.allocated), limit: Type.Optional(capacity.limit) };
const askedCpu = { ...askedCapacity, units: Type.Optional(units.cpu) };
const MemoryAsked = closed({ ...askedCapacity, units: Type.Optional(units.memory) }, 'In MB');

const fields = {
  name: Name,
  description: Description,
  allocationModel: AllocationModelSchema,
  vCpuInMhz: Type.Integer({
    minimum: 1,
    maximum: largestCount,
    description: 'The MHz that one vCPU counts for; default: 1000. Converts limits in MHz to limits in vCPUs',
  }),
  storageLimitMb: amount('For all disks together, in MB; 0 means no limit'),
  vmQuota: amount('The number of virtual machines, running or not; 0 means no limit', largestCount),
  nicQuota: amount(
    'The number of network cards of all virtual machines, running or not; default: 100; 0 means no limit',
    largestCount,
  ),
  networkQuota: amount(
    'The number of networks; default: 50; 0 means no limit. Not enforced, because there are no networks yet',
    largestCount,
  ),
  isThinProvision: Type.Boolean({ description: 'Disks allocate their space as they fill; default: false' }),
  isEnabled: Type.Boolean({
    description:
      'If false, nothing can be created, instantiated or powered on; running VMs keep running. Default: true',
  }),
};

const ClusterName = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: shapes.anything.pattern,
  description:
    'The member of the fleet that it is on (the provider VDC of VMware Cloud Director); default: the default cluster. Cannot be changed later',
  examples: ['local'],
});

const Namespace = Type.String({
  maxLength: 63,
  description: 'Its namespace in the cluster, derived from the names and the id at creation. Cannot be changed',
});

export const NewVdc = named(
  'NewVdc',
  closed(
    {
      ...Type.Partial(Type.Object(fields)).properties,
      name: Name,
      cluster: Type.Optional(ClusterName),
      computeCapacity: Type.Optional(
        closed(
          { cpu: Type.Optional(closed(askedCpu, 'In MHz')), memory: Type.Optional(MemoryAsked) },
          'CPU and memory; no limits if absent',
        ),
      ),
    },
    'A new virtual data center',
  ),
);

const statusFields = {
  status: Type.Integer({ description: '1 ready, 0 not ready, -1 creation failed' }),
  statusText: Type.String({
    description: 'READY, NOT_READY, FAILED_CREATION; or DELETING, for which VMware Cloud Director has no number (0)',
  }),
  stale: Stale,
  staleReason: StaleReason,
  message: Type.String({ description: 'What it waits for, or why it does not match the request; otherwise empty' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

const StorageProfiles = Type.Object({}, { description: 'Always empty: storage is limited by storageLimitMb' });

export const VdcBody = named(
  'Vdc',
  Type.Object(
    {
      id: Type.String({ examples: ['urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11'] }),
      ...fields,
      computeCapacity: Type.Object({
        cpu: Type.Object({ ...capacity, units: units.cpu, cores: Cores }),
        memory: Type.Object({ ...capacity, units: units.memory }),
      }),
      vdcStorageProfiles: StorageProfiles,
      org: EntityRef,
      ...statusFields,
      cluster: Type.Optional({ ...ClusterName, description: 'The cluster that it is on; only for the provider' }),
      namespace: Type.Optional({ ...Namespace, description: 'Its namespace in the cluster; only for the provider' }),
    },
    { description: 'A share of a cluster for an organization, with limits for its virtual machines' },
  ),
);

export const AdminVdcBody = named(
  'AdminVdc',
  Type.Object(
    { ...VdcBody.properties, cluster: ClusterName, namespace: Namespace },
    { description: 'A virtual data center as the provider sees it' },
  ),
);

/** With the task that applies it. */
export const ChangedVdc = named(
  'ChangedVdc',
  Type.Object(
    { ...AdminVdcBody.properties, task: Type.Optional(TaskBody) },
    { description: 'The virtual data center, and the task that applies the request to its cluster, if any' },
  ),
);

/** Clients may send back what they have read: read-only fields must be unchanged, or are ignored. */
export const VdcChange = named(
  'VdcChange',
  Type.Partial(
    closed(
      {
        ...fields,
        computeCapacity: closed(
          {
            cpu: Type.Optional(closed({ ...askedCpu, cores: Type.Optional(Cores) }, 'In MHz')),
            memory: Type.Optional(MemoryAsked),
          },
          'Absent numbers stay',
        ),
        id: UrnSchema('vdc', 'Read-only; must equal the id in the path'),
        org: closed(
          { name: Type.Optional(Type.String()), id: UrnSchema('org', 'Must equal the id in the path') },
          'Read-only',
        ),
        cluster: ClusterName,
        namespace: Namespace,
        vdcStorageProfiles: StorageProfiles,
        ...statusFields,
      },
      '',
    ),
    {
      additionalProperties: false,
      description:
        'The fields to change; absent fields stay. You can send back what you read: status, statusText, stale, staleReason, message, createdAt, updatedAt and vdcStorageProfiles are ignored',
    },
  ),
);

const use = {
  used: Type.Integer({ description: 'By all virtual machines that are not deleted, running or not' }),
  limit: Type.Optional(Type.Integer({ description: 'Absent if there is no limit' })),
  available: Type.Optional(Type.Integer({ description: 'What remains of the limit; absent if there is no limit' })),
};

export const VdcUsageBody = named(
  'VdcUsage',
  Type.Object(
    {
      vdc: EntityRef,
      cpu: Type.Object({ ...use, units: units.cpu }, { description: 'A vCPU counts as vCpuInMhz' }),
      vCpus: Type.Object(use),
      memory: Type.Object({ ...use, units: units.memory }),
      storage: Type.Object({ ...use, units: units.memory }),
      vms: Type.Object(use),
      nics: Type.Object(use, { description: 'Network cards' }),
    },
    { description: 'The usage of a virtual data center' },
  ),
);

export type NewVdcInput = Static<typeof NewVdc>;
export type VdcChangeInput = Static<typeof VdcChange>;
