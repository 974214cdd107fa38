/** The schemas of organizations. */
import { Type, type TProperties } from 'typebox';
import { named, EntityRef, Timestamp } from '../../http/schemas.ts';
import { shapes } from '../../http/texts.ts';

const Line = Type.String({ maxLength: 256, pattern: shapes.line.pattern });
const Prose = Type.String({ maxLength: 4096, pattern: shapes.prose.pattern });

const Name = Type.String({
  maxLength: 128,
  description:
    '1 to 128 letters, digits, "-", "_", "." and spaces, with no leading or trailing space; the part after the last @ at log-in',
});

const editable = {
  name: Name,
  displayName: Line,
  description: Prose,
  isEnabled: Type.Boolean({
    description: 'If false, users of the organization cannot log in, and their sessions end at once',
  }),
  canManageOrgs: Type.Boolean(),
  canPublish: Type.Boolean({ description: 'Whether its catalogs can be published to other organizations' }),
};

const shownOnly = {
  id: Type.String(),
  managedBy: EntityRef,
  orgVdcCount: Type.Integer(),
  catalogCount: Type.Integer(),
  vappCount: Type.Integer(),
  runningVMCount: Type.Integer(),
  userCount: Type.Integer(),
  diskCount: Type.Integer(),
  directlyManagedOrgCount: Type.Integer(),
  maskedEventTaskUsername: Type.String({ description: 'Always empty: names are not masked' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const OrganizationBody = named('Organization', Type.Object({ ...editable, ...shownOnly }));

/**
 * Clients send back what they have read: fields that only the server sets are accepted and ignored. A mask, which would
 * have no effect, is refused.
 */
const ignored = {
  ...optionalUnknown(shownOnly),
  maskedEventTaskUsername: Type.Optional(Type.Literal('', { description: 'Must be empty: names are not masked' })),
};

export const NewOrganization = named(
  'NewOrganization',
  Type.Object(
    {
      name: editable.name,
      displayName: Type.Optional(editable.displayName),
      description: Type.Optional(editable.description),
      isEnabled: Type.Optional(editable.isEnabled),
      canManageOrgs: Type.Optional(editable.canManageOrgs),
      canPublish: Type.Optional(editable.canPublish),
      ...ignored,
    },
    { additionalProperties: false },
  ),
);

export const OrganizationChange = named(
  'OrganizationChange',
  Type.Object({ ...NewOrganization.properties, name: Type.Optional(editable.name) }, { additionalProperties: false }),
);

function optionalUnknown<T extends TProperties>(fields: T) {
  return Object.fromEntries(
    Object.keys(fields).map((name) => [name, Type.Optional(Type.Unknown({ description: 'Read-only; ignored' }))]),
  ) as { readonly [K in keyof T]: ReturnType<typeof Type.Optional<ReturnType<typeof Type.Unknown>>> };
}
