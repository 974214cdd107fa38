import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from '@ssvirt/kube/errors';
import { statusError } from '@ssvirt/kube/transport/refusal';
import { refusalOf } from './failures.ts';

const denied = 'admission webhook "virtualmachine-validator.kubevirt.io" denied the request: no';
const quota =
  'virtualmachines.kubevirt.io "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2';

const cases: readonly (readonly [who: string, status: Partial<Status>, code: string])[] = [
  ['a webhook by 422', { code: 422, reason: 'Invalid', message: denied }, 'BAD_REQUEST'],
  ['a webhook by 403', { code: 403, reason: 'Forbidden', message: denied }, 'BAD_REQUEST'],
  ['a webhook by 400', { code: 400, message: denied }, 'BAD_REQUEST'],
  ['a quota', { code: 403, reason: 'Forbidden', message: quota }, 'CONFLICT'],
];

for (const [who, status, code] of cases)
  test(`a task that ${who} refuses ends with ${code} and the words of the cluster`, () => {
    const refused = refusalOf(statusError('POST /', { kind: 'Status', ...status }), 'east');
    assert.equal(refused?.minorErrorCode, code);
    assert.equal(refused.message, `cluster "east" refuses: HTTP ${status.code}: ${String(status.message)}`);
  });
