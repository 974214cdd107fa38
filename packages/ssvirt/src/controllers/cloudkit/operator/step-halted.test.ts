import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusError } from '@ssvirt/kube/transport/refusal';
import { asked, OrderStepHalted } from './step-halted.ts';

const denied = 'admission webhook "virtualmachine-validator.kubevirt.io" denied the request: no';
const rights = 'virtualmachines.kubevirt.io is forbidden: User "operator" cannot create resource "virtualmachines"';
const toChange = /Change the order, or the policy that rejects it$/;

for (const [who, code, message, says] of [
  ['a webhook by 422', 422, denied, toChange],
  ['a webhook by 403', 403, denied, toChange],
  ['a missing right', 403, rights, /Grant the operator the missing rights/],
] as const)
  test(`an order that is refused by ${who} says who can help`, async () => {
    const reason = code === 422 ? 'Invalid' : 'Forbidden';
    const refusal = statusError('PATCH /', { kind: 'Status', code, reason, message });
    const error: unknown = await asked('write it', 60_000, () => Promise.reject(refusal)).catch((why: unknown) => why);
    assert.ok(error instanceof OrderStepHalted);
    assert.equal(error.problem?.reason, 'Refused');
    assert.equal(error.requeueAfterMs, 60_000);
    assert.ok(error.message.includes(message));
    assert.match(error.message, says);
  });
