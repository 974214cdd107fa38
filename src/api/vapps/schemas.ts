/** The shapes of vApps at the edge; the descriptions are the explorer page. */
import { Type, type Static } from 'typebox';
import { Stale, StaleReason } from '../clusters/stale-reason.ts';
import { Description, Name } from '../catalogs/schemas.ts';
import { EntityRef, orNull, PageOf, Timestamp, UrnSchema } from '../http/schemas.ts';
import { TaskBody } from '../tasks/render.ts';

export const VappName = { ...Name, description: 'Unique in the virtual data center, whatever its case' };

export const NewVapp = Type.Object(
  { name: VappName, description: Type.Optional(Description) },
  { additionalProperties: false, description: 'A vApp without machines; they are added to it afterwards' },
);

const shown = {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  href: Type.String(),
  status: Type.String({
    description:
      'That of its machines where all have the same, MIXED where not; RESOLVED without any, UNRESOLVED while it is being made, DELETING while it is being deleted',
  }),
  statusCode: Type.Integer({ description: 'The number of VMware Cloud Director that is nearest to the status' }),
  stale: Stale,
  staleReason: StaleReason,
  vdc: EntityRef,
  numberOfVMs: Type.Integer(),
  fault: orNull(Type.String(), 'Why its template could not be instantiated'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const VappBody = Type.Object(shown);

export const VappPage = PageOf(VappBody);

const VappVm = Type.Object({
  id: Type.String(),
  name: Type.String(),
  href: Type.String(),
  status: Type.String(),
  statusCode: Type.Integer(),
  stale: Type.Boolean(),
});

export const VappDetail = Type.Object({ ...shown, vms: Type.Array(VappVm, { description: 'By name' }) });

export const ChangedVapp = Type.Object(
  { ...shown, task: Type.Optional(TaskBody) },
  { description: 'The vApp, and the task that brings what was asked for to its cluster' },
);

const unset = Type.Optional(Type.Unknown({ description: 'Of no account' }));
const { name: _name, description: _description, ...readOnly } = shown;

/** What was read may be sent back: fields that nobody can set are of no account. */
export const VappChange = Type.Object(
  {
    ...(Object.fromEntries(Object.keys(readOnly).map((field) => [field, unset])) as Record<
      keyof typeof readOnly,
      typeof unset
    >),
    id: Type.Optional(UrnSchema('vapp', 'Read-only: that of the path')),
    vms: unset,
    task: unset,
    name: Type.Optional(VappName),
    description: Type.Optional(Description),
  },
  {
    additionalProperties: false,
    description: 'What is to change: name, description; what is absent stays. What was read may be sent back as it is',
  },
);

export type VappBodyShape = Static<typeof VappBody>;
export type VappDetailShape = Static<typeof VappDetail>;
export type ChangedVappShape = Static<typeof ChangedVapp>;
export type VappChangeInput = Static<typeof VappChange>;
