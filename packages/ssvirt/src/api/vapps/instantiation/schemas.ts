/** The request to instantiate a catalog item. The explorer page shows the descriptions. */
import { Type, type Static } from 'typebox';
import { Description } from '../../catalogs/catalogs/schemas.ts';
import { named, UrnSchema } from '../../http/schemas.ts';
import { ChangedVapp, VappName } from '../schemas.ts';
import {
  CloudInit,
  Cpus,
  DiskSizeGb,
  Instancetype,
  MemoryMb,
  Networks,
  ObjectName,
  SshKeys,
} from '../../vms/new-vm.ts';

const itemId = UrnSchema('catalogitem', 'As listed in the catalog');

/** Fields that describe the VM of an image; a template describes its VMs itself. */
export const imageFields = {
  cpus: Type.Optional(Cpus),
  memoryMb: Type.Optional(MemoryMb),
  instancetype: Type.Optional(Instancetype),
  preference: Type.Optional({ ...ObjectName, description: 'A preference, which selects devices for the guest' }),
  diskSizeGb: Type.Optional(DiskSizeGb),
  networks: Type.Optional(Networks),
  cloudInit: Type.Optional(CloudInit),
  sshKeys: Type.Optional(SshKeys),
};

export const Instantiation = named(
  'Instantiation',
  Type.Object(
    {
      name: VappName,
      description: Type.Optional(Description),
      catalogItem: Type.Optional(
        Type.Object(
          {
            id: itemId,
            name: Type.Optional(Type.String({ maxLength: 256, description: 'Ignored: the id decides' })),
          },
          { additionalProperties: false },
        ),
      ),
      catalogItemId: Type.Optional({ ...itemId, description: 'Instead of catalogItem' }),
      parameters: Type.Optional(
        Type.Record(Type.String({ maxLength: 256 }), Type.Unknown(), {
          description: 'Values of the parameters of the item, by name, each a string. They are never shown again',
          examples: [{ NAME: 'web' }],
        }),
      ),
      powerOn: Type.Optional(Type.Boolean({ description: 'Start the VMs after they are created. Default: true' })),
      ...imageFields,
    },
    {
      additionalProperties: false,
      description:
        'A vApp to create from a catalog item. For boot images and items of the catalog itself you can describe the VM; for templates, which describe their own VMs, those fields are rejected',
    },
  ),
);

export const InstantiatedVapp = named(
  'InstantiatedVapp',
  Type.Object(
    {
      ...ChangedVapp.properties,
      generatedParameters: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          description:
            'The values that were generated for parameters without a value in the request, by name; absent if there are none. Shown only in this response',
          examples: [{ PASSWORD: 'f3kq9zr1x0ab' }],
        }),
      ),
    },
    { description: 'The vApp, the task that creates its VMs, and the values that were generated for its parameters' },
  ),
);

export type InstantiationInput = Static<typeof Instantiation>;
