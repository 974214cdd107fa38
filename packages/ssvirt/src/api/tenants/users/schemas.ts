/** The schemas of users. */
import { Type } from 'typebox';
import { named, EntityRef, Timestamp, UrnSchema } from '../../http/schemas.ts';
import { shapes } from '../../http/texts.ts';
import { maxPasswordLength, minPasswordLength } from '../../auth/passwords/rules.ts';

const Line = Type.String({ maxLength: 256, pattern: shapes.line.pattern });
const Prose = Type.String({ maxLength: 4096, pattern: shapes.prose.pattern });
const quota = (what: string) =>
  Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: `${what}; 0: no limit` });
const StoredVmQuota = quota('How many VMs the user may own, running or not');
const DeployedVmQuota = quota('How many VMs of the user may be powered on');
const Password = Type.String({
  minLength: minPasswordLength,
  maxLength: maxPasswordLength,
  description: 'Never shown; must not contain the user name, and not repeat a few characters',
});

const editable = {
  username: Type.String({
    minLength: 1,
    maxLength: 128,
    pattern: shapes.username.pattern,
    description:
      'No spaces, colons or invisible characters; unique in the organization, ignoring case, and not to be mistaken for another name in it, as "1da" for "lda"',
  }),
  fullName: Line,
  description: Prose,
  email: Type.String({
    maxLength: 254,
    pattern: shapes.email.pattern,
    description: 'An email address, or empty',
  }),
  deployedVmQuota: DeployedVmQuota,
  storedVmQuota: StoredVmQuota,
  enabled: Type.Boolean({ description: 'If false, the user cannot log in, has no sessions, and loses the API tokens' }),
};

/** VCD's clients expect these fields; this server has only local users. */
const fixed = {
  nameInSource: Type.String(),
  isGroupRole: Type.Boolean(),
  stranded: Type.Boolean(),
  providerType: Type.Literal('LOCAL'),
};

export const UserBody = named(
  'User',
  Type.Object(
    {
      id: Type.String(),
      ...editable,
      locked: Type.Boolean(),
      ...fixed,
      organizationId: Type.String(),
      organizationName: Type.String(),
      roleEntityRefs: Type.Array(EntityRef),
      orgEntityRef: EntityRef,
      createdAt: Timestamp,
      updatedAt: Timestamp,
    },
    { description: 'A user' },
  ),
);

const RoleRefs = Type.Array(
  Type.Object(
    { id: UrnSchema('role', 'The role'), name: Type.Optional(Type.String()) },
    { additionalProperties: false },
  ),
  { maxItems: 32, description: 'All roles of the user; roles that are not listed are revoked' },
);

export const NewUser = named(
  'NewUser',
  Type.Object(
    {
      username: editable.username,
      fullName: Type.Optional(editable.fullName),
      description: Type.Optional(editable.description),
      email: Type.Optional(editable.email),
      password: Type.Optional(Password),
      deployedVmQuota: Type.Optional(DeployedVmQuota),
      storedVmQuota: Type.Optional(StoredVmQuota),
      enabled: Type.Optional(editable.enabled),
      providerType: Type.Optional(fixed.providerType),
      organizationId: Type.Optional(UrnSchema('org', 'Default: your own organization')),
      roleEntityRefs: Type.Optional(RoleRefs),
    },
    { additionalProperties: false },
  ),
);

const Ignored = Type.Optional(Type.Unknown({ description: 'Read-only; ignored' }));

export const UserChange = named(
  'UserChange',
  Type.Object(
    {
      ...NewUser.properties,
      username: Type.Optional(editable.username),
      organizationId: Type.Optional(UrnSchema('org', 'Must be the current organization; users cannot move')),
      currentPassword: Type.Optional(
        Type.String({ maxLength: 1024, description: 'Required to change your own password' }),
      ),
      keepApiTokens: Type.Optional(
        Type.Boolean({ description: 'With a new password: true keeps the API tokens of the user. Default: false' }),
      ),
      locked: Type.Optional(Type.Boolean()),
      // Clients send back what they have read.
      id: Ignored,
      nameInSource: Ignored,
      isGroupRole: Ignored,
      stranded: Ignored,
      organizationName: Ignored,
      orgEntityRef: Ignored,
      createdAt: Ignored,
      updatedAt: Ignored,
    },
    { additionalProperties: false },
  ),
);
