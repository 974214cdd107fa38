import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from '@ssvirt/kube/errors';
import { statusError } from '@ssvirt/kube/transport/refusal';
import { lookAgainMs } from '../operator/cluster-refusal.ts';
import { asked, askedToApply, StepHalted, KubeVirtApiError } from './step-halted.ts';

const validator = 'admission webhook "virtualmachine-validator.kubevirt.io" denied the request: ';
const machineType = 'spec.template.spec.domain.machine.type is not supported: virt (allowed values: [q35* pc-q35*])';
const quota =
  'virtualmachines.kubevirt.io "a" is forbidden: exceeded quota: q, requested: count/virtualmachines.kubevirt.io=1, used: count/virtualmachines.kubevirt.io=2, limited: count/virtualmachines.kubevirt.io=2';
const rights = 'virtualmachines.kubevirt.io is forbidden: User "operator" cannot create resource "virtualmachines"';

async function haltedBy(ask: typeof asked, status: Partial<Status>): Promise<StepHalted> {
  const refusal = statusError('POST /apis/kubevirt.io/v1', { kind: 'Status', ...status });
  const error: unknown = await ask('virtual machine', 'east', 'create VirtualMachine "a/b"', () =>
    Promise.reject(refusal),
  ).catch((why: unknown) => why);
  assert.ok(error instanceof StepHalted, String(error));
  return error;
}

for (const [who, status, words] of [
  ['a webhook by 422', { code: 422, reason: 'Invalid', message: validator + machineType }, validator + machineType],
  ['a webhook by 403', { code: 403, reason: 'Forbidden', message: `${validator}no` }, `${validator}no`],
  ['a webhook by 400', { code: 400, message: `${validator}no` }, `${validator}no`],
  ['the schema', { code: 422, reason: 'Invalid', message: 'it is invalid: no' }, 'it is invalid: no'],
] as const)
  test(`a spec that ${who} refuses is an invalid spec, in the server's words, and tried again slowly`, async () => {
    const { part, why, isProblem } = await haltedBy(askedToApply, status);
    assert.deepEqual(
      { part, isProblem, ...why },
      {
        part: 'virtual machine',
        isProblem: true,
        reason: 'InvalidSpec',
        message: `Failed to create VirtualMachine "a/b" in remote cluster "east": ${words}. Change the Machine, or the policy that rejects it`,
        requeueAfterMs: lookAgainMs,
      },
    );
  });

test('a quota that is used up is no invalid spec', async () => {
  const { why } = await haltedBy(askedToApply, { code: 403, reason: 'Forbidden', message: quota });
  assert.equal(why.reason, 'InsufficientResources');
  assert.match(why.message, /The quota "q" of its namespace has no room for it \(machines: needs 1, 2 of 2 in use\)/);
});

test('a missing right is no invalid spec', async () => {
  const { why } = await haltedBy(askedToApply, { code: 403, reason: 'Forbidden', message: rights });
  assert.equal(why.reason, 'KubeVirtApiError');
  assert.match(
    why.message,
    /User "operator" cannot create .*\. Grant the account of the kubeconfig the missing rights$/,
  );
});

test('a virtual machine that a snapshot holds is no invalid spec', async () => {
  const message = `${validator}Cannot update vm disks or volumes until snapshot "s" completes`;
  const { why } = await haltedBy(askedToApply, { code: 422, reason: 'Invalid', message });
  assert.equal(why.reason, 'KubeVirtApiError');
  assert.match(why.message, /It is tried again$/);
});

test('a refused start or deletion is no invalid spec', async () => {
  const { why } = await haltedBy(asked, { code: 403, reason: 'Forbidden', message: `${validator}no` });
  assert.equal(why.reason, 'KubeVirtApiError');
});

test('a server in trouble is asked again', async () => {
  const trouble = statusError('POST /', { kind: 'Status', code: 500, message: 'failed calling webhook' });
  await assert.rejects(
    askedToApply('virtual machine', 'east', 'create it', () => Promise.reject(trouble)),
    KubeVirtApiError,
  );
});
