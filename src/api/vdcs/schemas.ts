/** The shapes of virtual data centers at the edge; the descriptions are the explorer page. */
import { Type, type Static, type TObject, type TProperties } from 'typebox';
import { EntityRef, Timestamp, UrnSchema } from '../http/schemas.ts';
import { shapes } from '../http/texts.ts';
import { TaskBody } from '../tasks/render.ts';

/** Far above what there is, and far below what JSON and PostgreSQL can count. */
const largest = 2 ** 40;
const largestCount = 1_000_000;

export const allocationModels = ['PayAsYouGo', 'AllocationPool', 'ReservationPool', 'Flex'] as const;

const AllocationModelSchema = Type.Enum([...allocationModels], {
  description:
    'How the capacity is promised, in the words of VMware Cloud Director. It is shown and kept; what is enforced is the same for all models: the limits.',
});

const Name = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: shapes.name.pattern,
  description:
    'Unique in the organization, whatever its case. No control characters, and no space at either end. A new name changes what people read; the namespace keeps its own.',
  examples: ['production'],
});

const Description = Type.String({ maxLength: 1024, pattern: shapes.anything.pattern, description: 'For people' });

/** Nothing but these: a field that is not known is refused, never dropped in silence. */
function closed<P extends TProperties>(properties: P, description: string): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, description });
}

function amount(description: string, maximum: number = largest) {
  return Type.Integer({ minimum: 0, maximum, description });
}

const units = {
  cpu: Type.Literal('MHz', { description: 'Always MHz' }),
  memory: Type.Literal('MB', { description: 'Always MB, of 1024 × 1024 bytes' }),
};

const capacity = {
  allocated: amount('What is promised; 0 where nothing is. Never more than the limit'),
  limit: amount('What the virtual machines may have altogether, running or not; 0 means no limit'),
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
    description: 'What one vCPU counts: 1000 unless said. Limits in MHz become limits in vCPUs by it',
  }),
  storageLimitMb: amount('For all disks together, in MB; 0 means no limit'),
  vmQuota: amount('How many virtual machines there may be, running or not; 0 means no limit', largestCount),
  nicQuota: amount('How many network cards there may be: 100 unless said; 0 means no limit', largestCount),
  networkQuota: amount('How many networks there may be: 50 unless said; 0 means no limit', largestCount),
  isThinProvision: Type.Boolean({ description: 'Disks take their space when they fill; false unless said' }),
  isEnabled: Type.Boolean({
    description:
      'In one that is disabled nothing is created, instantiated or powered on; what runs stays on. True unless said',
  }),
};

const ClusterName = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: shapes.anything.pattern,
  description:
    "The member of the fleet that it is on (what VMware Cloud Director calls its provider VDC): the default cluster unless said. It can't be changed later",
  examples: ['local'],
});

const Namespace = Type.String({
  maxLength: 63,
  description: "Its namespace in the cluster: derived from the names and the id at creation, and can't be changed",
});

export const NewVdc = closed(
  {
    ...Type.Partial(Type.Object(fields)).properties,
    name: Name,
    cluster: Type.Optional(ClusterName),
    computeCapacity: Type.Optional(
      closed(
        { cpu: Type.Optional(closed(askedCpu, 'In MHz')), memory: Type.Optional(MemoryAsked) },
        'Processors and memory; no limits where absent',
      ),
    ),
  },
  'A virtual data center to be made',
);

const statusFields = {
  status: Type.Integer({ description: '1 ready, 0 not ready, -1 its creation failed' }),
  statusText: Type.String({
    description: 'READY, NOT_READY, FAILED_CREATION; or DELETING, for which VMware Cloud Director has no number (0)',
  }),
  message: Type.String({ description: 'What it waits for, or why it is not as asked for; empty otherwise' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

const StorageProfiles = Type.Object({}, { description: 'Always empty: storage is limited by storageLimitMb' });

export const VdcBody = Type.Object(
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
  },
  { description: "An organization's share of a cluster: how much its virtual machines may take" },
);

export const AdminVdcBody = Type.Object(
  { ...VdcBody.properties, cluster: ClusterName, namespace: Namespace },
  { description: 'A virtual data center as the provider sees it' },
);

/** With the task that makes it as it says. */
export const ChangedVdc = Type.Object(
  { ...AdminVdcBody.properties, task: Type.Optional(TaskBody) },
  { description: 'The virtual data center, and the task that brings it to its cluster, where there is one' },
);

/** What was read may be sent back: fields that are read-only must be unchanged, or are of no account. */
export const VdcChange = Type.Partial(
  closed(
    {
      ...fields,
      computeCapacity: closed(
        {
          cpu: Type.Optional(closed({ ...askedCpu, cores: Type.Optional(Cores) }, 'In MHz')),
          memory: Type.Optional(MemoryAsked),
        },
        'Numbers that are absent stay',
      ),
      id: UrnSchema('vdc', 'Read-only: that of the path'),
      org: closed({ name: Type.Optional(Type.String()), id: UrnSchema('org', 'That of the path') }, 'Read-only'),
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
      'What is to change; fields that are absent stay. What was read may be sent back as it is: status, statusText, message, createdAt, updatedAt and vdcStorageProfiles are of no account',
  },
);

const use = {
  used: Type.Integer({ description: 'By all virtual machines that are not deleted, running or not' }),
  limit: Type.Optional(Type.Integer({ description: 'Absent where there is none' })),
  available: Type.Optional(Type.Integer({ description: 'What is left of the limit; absent where there is none' })),
};

export const VdcUsageBody = Type.Object(
  {
    vdc: EntityRef,
    cpu: Type.Object({ ...use, units: units.cpu }, { description: 'A vCPU counts vCpuInMhz' }),
    vCpus: Type.Object(use),
    memory: Type.Object({ ...use, units: units.memory }),
    storage: Type.Object({ ...use, units: units.memory }),
    vms: Type.Object(use),
  },
  { description: 'What is used of a virtual data center' },
);

export type NewVdcInput = Static<typeof NewVdc>;
export type VdcChangeInput = Static<typeof VdcChange>;
