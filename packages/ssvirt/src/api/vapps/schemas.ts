/** The schemas of vApps. The explorer page shows the descriptions. */
import { Type, type Static } from 'typebox';
import { shownVappStatuses, shownVmStatuses } from '../../db/vms/statuses.ts';
import { Stale, StaleReason } from '../clusters/stale-reason.ts';
import { Description, Name } from '../catalogs/catalogs/schemas.ts';
import { named, EntityRef, orNull, PageOf, Timestamp, UrnSchema } from '../http/schemas.ts';
import { PowerOperations } from '../vms/schemas.ts';
import { TaskBody } from '../tasks/render.ts';

export const VappName = { ...Name, description: 'Unique in the virtual data center, ignoring case' };

export const NewVapp = named(
  'NewVapp',
  Type.Object(
    { name: VappName, description: Type.Optional(Description) },
    { additionalProperties: false, description: 'A vApp without VMs; add them afterwards' },
  ),
);

const shown = {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  href: Type.String(),
  status: Type.Enum([...shownVappStatuses], {
    description:
      'The status of its VMs if all are equal, otherwise MIXED; RESOLVED if it has none, UNRESOLVED while it is being created, DELETING while it is being deleted',
  }),
  statusCode: Type.Integer({ description: 'The number of the closest VMware Cloud Director status' }),
  stale: Stale,
  staleReason: StaleReason,
  vdc: EntityRef,
  owner: orNull(EntityRef, 'The user who created it; null if that is unknown'),
  numberOfVMs: Type.Integer(),
  fault: orNull(Type.String(), 'Why the template could not be instantiated'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** The explanation of a VM leaves out the operations of its vApp. */
export const VappBody = named('Vapp', Type.Object({ ...shown, operations: Type.Optional(PowerOperations) }));

export const VappPage = PageOf(VappBody);

const VappVm = Type.Object({
  id: Type.String(),
  name: Type.String(),
  href: Type.String(),
  status: Type.Enum([...shownVmStatuses]),
  statusCode: Type.Integer(),
  stale: Type.Boolean(),
});

export const VappDetail = named(
  'VappDetail',
  Type.Object({ ...shown, operations: PowerOperations, vms: Type.Array(VappVm, { description: 'Sorted by name' }) }),
);

export const ChangedVapp = named(
  'ChangedVapp',
  Type.Object(
    { ...shown, task: Type.Optional(TaskBody) },
    { description: 'The vApp, and the task that applies the request to its cluster' },
  ),
);

const unset = Type.Optional(Type.Unknown({ description: 'Ignored' }));
const { name: _name, description: _description, ...readOnly } = shown;

/** Clients may send back what they have read: read-only fields are ignored. */
export const VappChange = named(
  'VappChange',
  Type.Object(
    {
      ...(Object.fromEntries(Object.keys(readOnly).map((field) => [field, unset])) as Record<
        keyof typeof readOnly,
        typeof unset
      >),
      id: Type.Optional(UrnSchema('vapp', 'Read-only; must equal the id in the path')),
      vms: unset,
      operations: unset,
      task: unset,
      name: Type.Optional(VappName),
      description: Type.Optional(Description),
    },
    {
      additionalProperties: false,
      description: 'The fields to change: name, description; absent fields stay. You can send back what you read',
    },
  ),
);

export type VappBodyShape = Static<typeof VappBody>;
export type VappDetailShape = Static<typeof VappDetail>;
export type ChangedVappShape = Static<typeof ChangedVapp>;
export type VappChangeInput = Static<typeof VappChange>;
