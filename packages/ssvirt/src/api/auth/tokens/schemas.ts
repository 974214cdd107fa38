/** The schemas of API tokens. Names of OAuth have underscores, as in its RFCs. */
import { Type } from 'typebox';
import { named, EntityRef, orNull } from '../../http/schemas.ts';
import { shapes } from '../../http/texts.ts';

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export const Registration = named(
  'TokenRegistration',
  Type.Object(
    {
      client_name: Type.String({
        minLength: 1,
        maxLength: 128,
        pattern: shapes.line.pattern,
        description: 'What the token is for; unique among your tokens',
      }),
      expires_in: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 315_360_000,
          description:
            'The lifetime of the token in seconds. Default: the longest that the server allows, or no end if it sets none',
        }),
      ),
    },
    { additionalProperties: false },
  ),
);

export const Registered = named(
  'RegisteredToken',
  Type.Object(
    {
      client_id: Type.String({ description: 'The uuid to fetch the token with' }),
      client_name: Type.String(),
      grant_types: Type.Array(Type.String()),
      token_endpoint_auth_method: Type.String(),
      expires_at: orNull(Type.String({ format: 'date-time' }), 'Null if the token is valid until it is revoked'),
    },
    { description: 'A token that has not been handed out yet' },
  ),
);

/**
 * Required fields are checked in the handler, since they depend on the grant; other parameters are ignored, as OAuth
 * requires.
 */
export const Grant = named(
  'TokenGrant',
  Type.Object({
    grant_type: Type.String({ description: `refresh_token, or ${jwtBearer}` }),
    refresh_token: Type.Optional(Type.String({ maxLength: 4096, description: 'The API token; with refresh_token' })),
    assertion: Type.Optional(Type.String({ maxLength: 8192, description: 'The token of a session; with jwt-bearer' })),
    client_id: Type.Optional(Type.String({ maxLength: 256, description: 'As registered; with jwt-bearer' })),
  }),
);

export const Granted = named(
  'TokenResponse',
  Type.Object(
    {
      access_token: Type.String({ description: 'The token of a session' }),
      token_type: Type.Literal('Bearer'),
      expires_in: Type.Integer({ description: 'In seconds' }),
      refresh_token: orNull(Type.String(), 'The API token; shown only once'),
    },
    { description: 'A session' },
  ),
);

export const TokenBody = named(
  'Token',
  Type.Object(
    {
      id: Type.String(),
      name: Type.String(),
      token: Type.Null({ description: 'Shown once, when it is handed out' }),
      owner: EntityRef,
      org: EntityRef,
      type: Type.Literal('REFRESH'),
      createdAt: Type.String({ format: 'date-time' }),
      lastUsedAt: orNull(Type.String({ format: 'date-time' })),
      expirationDate: orNull(Type.String({ format: 'date-time' })),
    },
    { description: 'An API token' },
  ),
);
