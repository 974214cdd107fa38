/** The shape of a machine to be made, as the request has it. What goes together with what is checked by plan.ts. */
import { Type, type Static } from 'typebox';
import { Description, Name } from '../catalogs/schemas.ts';
import { shapes } from '../http/texts.ts';

/** Far above what there is, and far below what JSON and PostgreSQL can count. */
export const largest = {
  cpus: 512,
  memoryMb: 16 * 2 ** 20,
  diskGb: 65_536,
  disks: 32,
  networks: 16,
  sshKeys: 32,
  /** Of cloud-init data, in bytes; Kubernetes takes a Secret of 1 MiB. */
  cloudInit: 64 * 1024,
} as const;

export const leastMemoryMb = 64;

export const ObjectName = Type.String({ maxLength: 253, pattern: shapes.objectName.pattern });

const Label = Type.String({ maxLength: 40, pattern: shapes.label.pattern });

export const MachineName = {
  ...Name,
  description:
    'Unique in its vApp, whatever its case; of one that is made alone, among those that are in the virtual data center',
};

export const Cpus = Type.Integer({ minimum: 1, maximum: largest.cpus, description: 'vCPUs' });

export const MemoryMb = Type.Integer({
  minimum: leastMemoryMb,
  maximum: largest.memoryMb,
  description: 'In MB of 1024 × 1024 bytes',
});

export const Instancetype = { ...ObjectName, description: 'An instance type, in place of cpus and memoryMb' };

const size = {
  sizeGb: Type.Optional(
    Type.Integer({ minimum: 1, maximum: largest.diskGb, description: 'In GB of 1024 × 1024 × 1024 bytes' }),
  ),
  sizeMb: Type.Optional(
    Type.Integer({ minimum: 1, maximum: largest.diskGb * 1024, description: 'In MB, in place of sizeGb' }),
  ),
};

export const NewDisk = Type.Object(
  {
    name: { ...Label, description: 'Unique in the machine: small letters, digits and dashes', examples: ['data'] },
    ...size,
    storageClass: Type.Optional({
      ...ObjectName,
      description: `A storage class of the virtual data center; "default", as nothing, is its default class. One that it does not have is refused`,
    }),
  },
  { additionalProperties: false, description: 'An empty disk; exactly one of sizeGb and sizeMb' },
);

const NewNetwork = Type.Object(
  {
    name: { ...Label, description: 'Unique in the machine', examples: ['default'] },
    kind: Type.Enum(['pod', 'multus'], {
      description: 'pod: the network of the virtual data center; multus: another one, which networkName names',
    }),
    networkName: Type.Optional({
      ...ObjectName,
      description: 'Of a multus network: a NetworkAttachmentDefinition in the virtual data center',
    }),
  },
  { additionalProperties: false },
);

const cloudInitData = (description: string) =>
  Type.Optional(Type.String({ maxLength: largest.cloudInit, pattern: shapes.anything.pattern, description }));

export const CloudInit = Type.Object(
  {
    userData: cloudInitData('Such as a #cloud-config document'),
    networkData: cloudInitData('The network configuration, in the form of cloud-init'),
  },
  { additionalProperties: false, description: 'At most 64 KiB each. It is never shown again' },
);

export const SshKeys = Type.Array(
  Type.String({
    maxLength: 16_384,
    description: 'A line as of authorized_keys, without options: type, key, comment',
  }),
  { maxItems: largest.sshKeys, description: 'Public keys that may log in; the image has to take them from cloud-init' },
);

export const Networks = Type.Array(NewNetwork, {
  maxItems: largest.networks,
  description: 'The network of the virtual data center where there are none',
});

export const DiskSizeGb = Type.Integer({
  minimum: 1,
  maximum: largest.diskGb,
  description:
    'Of the disk that it boots from, in GB of 1024 × 1024 × 1024 bytes. Not with image, which has a size of its own',
});

export const NewMachine = Type.Object(
  {
    name: MachineName,
    description: Type.Optional(Description),
    image: Type.Optional(
      Type.String({
        maxLength: 512,
        description:
          'Boots from a container disk, without a scheme. What is written to it is lost when the machine stops',
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
        description: 'Boots from an image that is fetched over HTTP; needs diskSizeGb, and may hold no credentials',
      }),
    ),
    blank: Type.Optional(Type.Literal(true, { description: 'Boots from an empty disk; needs diskSizeGb' })),
    cpus: Type.Optional(Cpus),
    memoryMb: Type.Optional(MemoryMb),
    instancetype: Type.Optional(Instancetype),
    preference: Type.Optional({
      ...ObjectName,
      description: 'A preference, which chooses devices that suit the guest',
    }),
    diskSizeGb: Type.Optional(DiskSizeGb),
    disks: Type.Optional(
      Type.Array(NewDisk, { maxItems: largest.disks, description: 'Beside the one that it boots from' }),
    ),
    networks: Type.Optional(Networks),
    cloudInit: Type.Optional(CloudInit),
    sshKeys: Type.Optional(SshKeys),
    powerOn: Type.Optional(Type.Boolean({ description: 'Start it when it is there. True unless said' })),
  },
  {
    additionalProperties: false,
    description:
      'A virtual machine to be made: exactly one of image, dataSource, url and blank; and either an instance type, or cpus and memoryMb',
  },
);

export type NewMachineInput = Static<typeof NewMachine>;
export type NewDiskInput = Static<typeof NewDisk>;
