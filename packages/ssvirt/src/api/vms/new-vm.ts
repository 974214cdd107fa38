/** The schema of a new VM. plan.ts checks which fields go together. */
import { named } from '../http/schemas.ts';
import { Type, type Static } from 'typebox';
import { Description, Name } from '../catalogs/catalogs/schemas.ts';
import { shapes } from '../http/texts.ts';

/** Far above real sizes, and far below what JSON and PostgreSQL can represent. */
export const largest = {
  cpus: 512,
  memoryMb: 16 * 2 ** 20,
  diskGb: 65_536,
  disks: 32,
  networks: 16,
  sshKeys: 32,
  /** The size of cloud-init data in bytes; Kubernetes limits a Secret to 1 MiB. */
  cloudInit: 64 * 1024,
} as const;

export const leastMemoryMb = 64;

export const ObjectName = Type.String({ maxLength: 253, pattern: shapes.objectName.pattern });

const Label = Type.String({ maxLength: 40, pattern: shapes.label.pattern });

export const MachineName = {
  ...Name,
  description: 'Unique in its vApp, ignoring case; for a standalone VM, unique in the virtual data center',
};

export const Cpus = Type.Integer({ minimum: 1, maximum: largest.cpus, description: 'vCPUs' });

export const MemoryMb = Type.Integer({
  minimum: leastMemoryMb,
  maximum: largest.memoryMb,
  description: 'In MiB (1024 × 1024 bytes)',
});

export const Instancetype = { ...ObjectName, description: 'An instance type, instead of cpus and memoryMb' };

const size = {
  sizeGb: Type.Optional(
    Type.Integer({ minimum: 1, maximum: largest.diskGb, description: 'In GiB (1024 × 1024 × 1024 bytes)' }),
  ),
  sizeMb: Type.Optional(
    Type.Integer({ minimum: 1, maximum: largest.diskGb * 1024, description: 'In MB, instead of sizeGb' }),
  ),
};

export const NewDisk = named(
  'NewDisk',
  Type.Object(
    {
      name: { ...Label, description: 'Unique in the VM; lower-case letters, digits and dashes', examples: ['data'] },
      ...size,
      storageClass: Type.Optional({
        ...ObjectName,
        description:
          'A storage class of the virtual data center; "default", or leaving it out, selects its default class. Unknown classes are rejected',
      }),
    },
    { additionalProperties: false, description: 'An empty disk; exactly one of sizeGb and sizeMb' },
  ),
);

const NewNetwork = Type.Object(
  {
    name: { ...Label, description: 'Unique in the VM', examples: ['default'] },
    kind: Type.Enum(['pod', 'multus'], {
      description: 'pod: the network of the virtual data center; multus: another network, named by networkName',
    }),
    networkName: Type.Optional({
      ...ObjectName,
      description: 'For a multus network: a NetworkAttachmentDefinition in the virtual data center',
    }),
  },
  { additionalProperties: false },
);

const cloudInitData = (description: string) =>
  Type.Optional(Type.String({ maxLength: largest.cloudInit, pattern: shapes.anything.pattern, description }));

export const CloudInit = Type.Object(
  {
    userData: cloudInitData('For example a #cloud-config document'),
    networkData: cloudInitData('The network configuration in the cloud-init format'),
  },
  { additionalProperties: false, description: 'At most 64 KiB each. It is never shown again' },
);

export const SshKeys = Type.Array(
  Type.String({
    maxLength: 16_384,
    description: 'A line as in authorized_keys, without options: type, key, comment',
  }),
  { maxItems: largest.sshKeys, description: 'Public keys that may log in; the image must read them from cloud-init' },
);

export const Networks = Type.Array(NewNetwork, {
  maxItems: largest.networks,
  description: 'Default: the network of the virtual data center',
});

export const DiskSizeGb = Type.Integer({
  minimum: 1,
  maximum: largest.diskGb,
  description: 'The size of the boot disk in GiB (1024 × 1024 × 1024 bytes). Not with image, which has a fixed size',
});

export const NewMachine = named(
  'NewVm',
  Type.Object(
    {
      name: MachineName,
      description: Type.Optional(Description),
      image: Type.Optional(
        Type.String({
          maxLength: 512,
          description: 'Boots from a container disk, without a scheme. Writes to it are lost when the VM stops',
          examples: ['containerdisks/fedora:42'],
        }),
      ),
      dataSource: Type.Optional(
        Type.Object(
          { namespace: ObjectName, name: ObjectName },
          { additionalProperties: false, description: 'Boots from a copy of a boot image of the catalogs' },
        ),
      ),
      url: Type.Optional(
        Type.String({
          maxLength: 1024,
          pattern: shapes.url.pattern,
          description:
            'Boots from an image that is downloaded over HTTP; requires diskSizeGb; must not contain credentials',
        }),
      ),
      blank: Type.Optional(Type.Literal(true, { description: 'Boots from an empty disk; requires diskSizeGb' })),
      cpus: Type.Optional(Cpus),
      memoryMb: Type.Optional(MemoryMb),
      instancetype: Type.Optional(Instancetype),
      preference: Type.Optional({
        ...ObjectName,
        description: 'A preference, which selects devices for the guest',
      }),
      diskSizeGb: Type.Optional(DiskSizeGb),
      disks: Type.Optional(
        Type.Array(NewDisk, { maxItems: largest.disks, description: 'In addition to the boot disk' }),
      ),
      networks: Type.Optional(Networks),
      cloudInit: Type.Optional(CloudInit),
      sshKeys: Type.Optional(SshKeys),
      powerOn: Type.Optional(Type.Boolean({ description: 'Start the VM after it is created. Default: true' })),
    },
    {
      additionalProperties: false,
      description:
        'A new virtual machine: exactly one of image, dataSource, url and blank; and either an instance type, or cpus and memoryMb',
    },
  ),
);

export type NewMachineInput = Static<typeof NewMachine>;
export type NewDiskInput = Static<typeof NewDisk>;
