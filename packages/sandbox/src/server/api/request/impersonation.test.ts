import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { ANONYMOUS } from './auth.ts';
import type { User } from '../context.ts';
import { impersonated } from './impersonation.ts';
import { StatusError } from '../status.ts';

const ADMIN: User = { name: 'admin', uid: '1', groups: ['system:masters', 'system:authenticated'] };

const asking = (headersDistinct: NodeJS.Dict<string[]>): IncomingMessage =>
  ({ headers: { ...headersDistinct }, headersDistinct }) as unknown as IncomingMessage;

const CASES: readonly (readonly [reason: string, headers: NodeJS.Dict<string[]>, user: User])[] = [
  ['no other user is named', { accept: ['*/*'] }, ADMIN],
  ['a user', { 'impersonate-user': ['alice'] }, { name: 'alice', uid: '', groups: ['system:authenticated'] }],
  [
    'a user with groups, uid and extra',
    {
      'impersonate-user': ['alice'],
      'impersonate-uid': ['7'],
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-example.com%2fscopes': ['view', 'edit'],
    },
    {
      name: 'alice',
      uid: '7',
      groups: ['a', 'b', 'system:authenticated'],
      extra: { 'example.com/scopes': ['view', 'edit'] },
    },
  ],
  [
    'a service account',
    { 'impersonate-user': ['system:serviceaccount:ns:robot'] },
    {
      name: 'system:serviceaccount:ns:robot',
      uid: '',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
    },
  ],
  [
    'a group that says how the user was recognised',
    { 'impersonate-user': ['x'], 'impersonate-group': ['system:unauthenticated'] },
    { name: 'x', uid: '', groups: ['system:unauthenticated'] },
  ],
  ['nobody', { 'impersonate-user': ['system:anonymous'] }, ANONYMOUS],
];

describe('a request counts as', () => {
  for (const [reason, headers, user] of CASES) {
    test(reason, () => {
      assert.deepEqual(impersonated(ADMIN, asking(headers)), user);
    });
  }
});

const REFUSED: readonly (readonly [who: User, headers: NodeJS.Dict<string[]>, code: number, message: string])[] = [
  [ADMIN, { 'impersonate-group': ['g'] }, 400, 'requested [{Group  g    }] without impersonating a user'],
  [
    ANONYMOUS,
    { 'impersonate-user': ['alice'] },
    403,
    'users "alice" is forbidden: User "system:anonymous" cannot impersonate resource "users" in API group "" at the cluster scope',
  ],
];

describe('is refused:', () => {
  for (const [who, headers, code, message] of REFUSED) {
    test(`${who.name} with ${JSON.stringify(headers)}`, () => {
      assert.throws(
        () => impersonated(who, asking(headers)),
        (error: unknown) => error instanceof StatusError && error.code === code && error.message === message,
      );
    });
  }
});
