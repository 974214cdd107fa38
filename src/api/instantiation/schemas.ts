/** What is to be made of an item of a catalog; the descriptions are the explorer page. */
import { Type, type Static } from 'typebox';
import { Description } from '../catalogs/schemas.ts';
import { UrnSchema } from '../http/schemas.ts';
import { ChangedVapp, VappName } from '../vapps/schemas.ts';
import {
  CloudInit,
  Cpus,
  DiskSizeGb,
  Instancetype,
  MemoryMb,
  Networks,
  ObjectName,
  SshKeys,
} from '../vms/new-machine.ts';

const itemId = UrnSchema('catalogitem', 'As it is listed in the catalog');

/** What the request says of a machine where the item is an image, and where it is a template says itself. */
export const imageFields = {
  cpus: Type.Optional(Cpus),
  memoryMb: Type.Optional(MemoryMb),
  instancetype: Type.Optional(Instancetype),
  preference: Type.Optional({ ...ObjectName, description: 'A preference, which chooses devices that suit the guest' }),
  diskSizeGb: Type.Optional(DiskSizeGb),
  networks: Type.Optional(Networks),
  cloudInit: Type.Optional(CloudInit),
  sshKeys: Type.Optional(SshKeys),
};

export const Instantiation = Type.Object(
  {
    name: VappName,
    description: Type.Optional(Description),
    catalogItem: Type.Optional(
      Type.Object(
        {
          id: itemId,
          name: Type.Optional(Type.String({ maxLength: 256, description: 'Of no account: the id decides' })),
        },
        { additionalProperties: false },
      ),
    ),
    catalogItemId: Type.Optional({ ...itemId, description: 'In place of catalogItem' }),
    parameters: Type.Optional(
      Type.Record(Type.String({ maxLength: 256 }), Type.Unknown(), {
        description: 'Values of the parameters of the item, each a string, by name. They are never shown again',
        examples: [{ NAME: 'web' }],
      }),
    ),
    powerOn: Type.Optional(Type.Boolean({ description: 'Start its machines when they are there. True unless said' })),
    ...imageFields,
  },
  {
    additionalProperties: false,
    description:
      'A vApp to be made of an item of a catalog. Of boot images and of items of the catalog’s own the machine may be described; those fields are refused for templates, which describe theirs themselves',
  },
);

export const InstantiatedVapp = Type.Object(
  {
    ...ChangedVapp.properties,
    generatedParameters: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'The values that were generated for parameters without a value in the request, by name; absent where there are none. Shown in this answer only',
        examples: [{ PASSWORD: 'f3kq9zr1x0ab' }],
      }),
    ),
  },
  { description: 'The vApp, the task that makes its machines, and the values that were generated for its parameters' },
);

export type InstantiationInput = Static<typeof Instantiation>;
