/** API tokens. */
import { witnesses, type ApiDefect } from '../defect.ts';

const tokens = witnesses('api/tokens/tokens.test.ts', 'the session of a token lasts as long as was told, used or not');
const worthNothing = tokens(
  'a token is worth nothing when it is none, expired, at another door, or its user may not log in; in one answer',
);
const toWhom = tokens('a token is handed out to who registered it, and not by a session that came from a token');

export const tokenDefects: readonly ApiDefect[] = [
  {
    name: 'a token is handed out again',
    file: 'db/api-tokens.ts',
    find: ".where('token_hash', 'is', null)\n    .where('revoked_at', 'is', null)",
    replace: ".where('revoked_at', 'is', null)",
    noticedBy: tokens('a token is registered, read, handed out once, and exchanged for sessions as often as one likes'),
  },
  {
    name: 'a token is handed out to others',
    file: 'db/api-tokens.ts',
    find: ".where('user_id', '=', user)\n    .where('token_hash', 'is', null)",
    replace: ".where('token_hash', 'is', null)",
    noticedBy: toWhom,
  },
  {
    name: 'an expired token is good',
    file: 'db/api-tokens.ts',
    find: ' AND (api_tokens.expires_at IS NULL OR api_tokens.expires_at > now())',
    replace: '',
    noticedBy: worthNothing,
  },
  {
    name: 'sessions outlive the token that they came from',
    file: 'api/tokens/service.ts',
    find: 'await endSessionsOfToken(tx, id);',
    replace: '',
    noticedBy: tokens('revoking a token ends its sessions, and it is worth nothing from then on'),
  },
  {
    name: 'tokens make tokens',
    file: 'api/tokens/service.ts',
    find: 'if (caller.apiTokenId !== undefined)',
    replace: 'if (caller.apiTokenId === null)',
    noticedBy: toWhom,
  },
  {
    name: 'a session of a token gets other tokens',
    file: 'api/tokens/grants.ts',
    find: 'session.api_token_id === null && ',
    replace: '',
    noticedBy: toWhom,
  },
  {
    name: 'a tenant’s token opens the provider’s door',
    file: 'api/tokens/service.ts',
    find: "if (door === 'provider') return isProvider;",
    replace: "if (door === 'provider') return true;",
    noticedBy: worthNothing,
  },
  {
    name: 'guessing tokens costs nothing',
    file: 'api/tokens/grants.ts',
    find: 'if (token === undefined || isOf(token, entrance)) await throttle.failed();',
    replace: '',
    noticedBy: tokens('who repeats a token that is none has to wait; others behind the same address have not'),
  },
  {
    name: 'a user goes, and the tokens stay',
    file: 'api/users/service.ts',
    find: 'await revokeApiTokensOf(tx, id);',
    replace: '',
    noticedBy: tokens('people see and revoke their own tokens, administrators those of their organization'),
  },
];
