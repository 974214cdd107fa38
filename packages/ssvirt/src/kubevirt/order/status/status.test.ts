/** The status of an order for each state of its objects. */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { MachineObservation } from '../../status/observe.ts';
import { orderStatus, type OrderObservation } from './status.ts';
import { conditions, type ChildCondition, type WebhookRecord } from '../resource.ts';

const machine: MachineObservation = {
  status: 'POWERED_ON',
  debouncing: false,
  busy: false,
  restartRequired: false,
  ipAddresses: ['10.0.0.7'],
  disks: [],
};

const done: OrderObservation = {
  name: 'web',
  tenantNamespace: 'tenant',
  deleting: false,
  desired: 'v2',
  reconciled: 'v2',
  mode: 'controller',
  provisionedBy: 'controller',
  children: [],
  vm: { name: 'web' } as unknown as NonNullable<OrderObservation['vm']>,
  vmReady: true,
  observation: machine,
};

const failing: WebhookRecord = {
  action: 'create',
  configVersion: 'v2',
  attempts: 3,
  lastAttemptTime: '2026-01-11T12:00:00Z',
  lastError: 'AAP answers 503',
};
const { lastError: _, ...asked } = failing;
const byAap = { mode: 'aap', provisionedBy: 'aap', reconciled: 'v1' } as const;
const refused = { problem: { reason: 'InvalidParameters', message: 'cpu_cores is bad' } } as const;
const missing = { vm: undefined, observation: undefined, vmReady: false } as const;

/** `phase | Accepted | Progressing | Available`, each with its status and reason. */
function words(seen: Partial<OrderObservation>): string {
  const { facts, findings } = orderStatus({ ...done, ...seen });
  const said = ['Accepted', 'Progressing', 'Available'].map((type) => {
    const found = findings.find((finding) => finding.type === type);
    return `${found?.status} ${found?.reason}`;
  });
  return [facts.phase, ...said].join(' | ');
}

suite('an order', () => {
  const yes = 'True AsExpected';
  const no = 'False AsExpected';
  const cases: readonly (readonly [reason: string, seen: Partial<OrderObservation>, expected: string])[] = [
    ['that is as ordered and serves is Ready', {}, `Ready | ${yes} | ${no} | ${yes}`],
    [
      'whose change a pinned version hides says so',
      { isStale: true },
      `Ready | ${yes} | False SpecNotReconciled | ${yes}`,
    ],
    [
      'whose machine is not ready yet progresses',
      { vmReady: false },
      `Progressing | ${yes} | True Progressing | False Progressing`,
    ],
    [
      'that was changed progresses, and its machine serves on',
      { reconciled: 'v1' },
      `Progressing | ${yes} | True Progressing | ${yes}`,
    ],
    [
      'whose machine a user has stopped is Ready, and not available',
      { vmReady: false, observation: { ...machine, status: 'POWERED_OFF' } },
      `Ready | ${yes} | ${no} | False Stopped`,
    ],
    [
      'whose change is refused has failed, and its machine serves on',
      { ...refused, reconciled: 'v1' },
      `Failed | False InvalidParameters | False InvalidParameters | ${yes}`,
    ],
    [
      'that is refused before anything was made says why it is not there',
      { ...refused, ...missing, reconciled: undefined },
      'Failed | False InvalidParameters | False InvalidParameters | False InvalidParameters',
    ],
    [
      'that was tried in vain is understood all the same',
      { problem: { reason: 'RetriesExhausted', message: 'x' }, reconciled: 'v1' },
      `Failed | ${yes} | False RetriesExhausted | ${yes}`,
    ],
    [
      'that AAP works on says so',
      { ...byAap, ...missing, webhook: asked },
      `Progressing | ${yes} | True WebhookTriggered | False Progressing`,
    ],
    [
      'that AAP is to do soon does not say that it works',
      { ...byAap, webhook: { ...asked, configVersion: 'v1' } },
      `Progressing | ${yes} | True Progressing | ${yes}`,
    ],
    [
      'that AAP does not take says so',
      { ...byAap, ...missing, webhook: failing },
      `Progressing | ${yes} | True WebhookFailed | False Progressing`,
    ],
    [
      'that AAP does not take for long has failed',
      { ...byAap, webhook: { ...failing, attempts: 8 } },
      `Failed | ${yes} | False WebhookFailed | ${yes}`,
    ],
    [
      'that AAP has reported is Ready though its call was never answered',
      { ...byAap, reconciled: 'v2', webhook: { ...failing, attempts: 9 } },
      `Ready | ${yes} | ${no} | ${yes}`,
    ],
    [
      'that the controller makes has nothing to do with calls of before',
      { reconciled: 'v1', webhook: { ...failing, attempts: 9 } },
      `Progressing | ${yes} | True Progressing | ${yes}`,
    ],
    [
      'that waits for AAP says so',
      { ...byAap, waiting: { reason: 'WaitingForAAP', message: 'x' } },
      `Progressing | ${yes} | True WaitingForAAP | ${yes}`,
    ],
    [
      'that is managed by hand says so',
      { reconciled: 'v1', managementState: 'manual' },
      `Progressing | ${yes} | True Progressing | ${yes}`,
    ],
    [
      'whose disk could not be filled has failed',
      { ...missing, dataVolume: { name: 'd', phase: 'Failed' } },
      `Failed | ${yes} | False Failed | False ImportFailed`,
    ],
    [
      'for whose machine there is no room waits for it',
      { vmReady: false, observation: { ...machine, status: 'FAILED', faultReason: 'NO_ROOM', fault: 'x' } },
      `Progressing | ${yes} | True Progressing | False Unschedulable`,
    ],
    [
      'that is being deleted says nothing else',
      { deleting: true },
      `Deleting | ${yes} | False Deleting | False Deleting`,
    ],
  ];
  for (const [reason, seen, expected] of cases)
    test(reason, () => {
      assert.equal(words(seen), expected);
    });

  test('tells its versions, its machine, its addresses and who has made it', () => {
    assert.deepEqual(orderStatus({ ...done, loadBalancerAddress: '192.0.2.1', webhook: asked }).facts, {
      phase: 'Ready',
      desiredConfigVersion: 'v2',
      reconciledConfigVersion: 'v2',
      virtualMachineReference: { namespace: 'tenant', kubeVirtVirtualMachineName: 'web' },
      provisionedBy: 'controller',
      ipAddresses: ['10.0.0.7'],
      loadBalancerAddress: '192.0.2.1',
      webhook: asked,
    });
  });

  test('says who takes over, and that a machine runs with older settings', () => {
    const { findings } = orderStatus({ ...done, takesOver: 'aap', observation: { ...machine, restartRequired: true } });
    assert.match(
      findings.find(({ type }) => type === 'Progressing')?.message ?? '',
      /AAP takes over at the next change/,
    );
    assert.match(findings.find(({ type }) => type === 'Available')?.message ?? '', /older settings.*restarted/);
  });

  test('of a template without a machine is Ready when all of it is', () => {
    const child = (ready?: boolean) =>
      ({ condition: conditions.service, applied: true, ...defined({ ready }) }) as const;
    const bare = { ...missing, machineless: true } as const;
    assert.equal(orderStatus({ ...done, ...bare, children: [child()] }).facts.phase, 'Ready');
    assert.equal(orderStatus({ ...done, ...bare, children: [child(), child(false)] }).facts.phase, 'Progressing');
  });
});

suite('what an order is made of', () => {
  const told = (
    condition: ChildCondition,
    seen: Partial<OrderObservation>,
    child: object = { applied: true },
  ): string => {
    const { findings } = orderStatus({ ...done, ...seen, children: [{ condition, applied: true, ...child }] });
    const found = findings.find(({ type }) => type === condition);
    return `${found?.status} ${found?.reason}`;
  };

  test('has its own condition while the controller looks after it, and none otherwise', () => {
    assert.equal(told(conditions.cloudInitSecret, {}), 'True Created');
    assert.equal(told(conditions.cloudInitSecret, {}, { applied: false }), 'False Progressing');
    assert.equal(told(conditions.service, {}, { ready: false }), 'False Progressing');
    assert.equal(told(conditions.virtualMachine, {}), 'True AsExpected');
    assert.equal(told(conditions.virtualMachine, { vmReady: false }), 'False Progressing');
    assert.equal(told(conditions.dataVolume, { dataVolume: { name: 'd', phase: 'Succeeded' } }), 'True AsExpected');
    assert.equal(
      told(conditions.dataVolume, { dataVolume: { name: 'd', phase: 'ImportInProgress' } }),
      'False Progressing',
    );
    assert.equal(told(conditions.service, byAap), 'undefined undefined');
  });
});
