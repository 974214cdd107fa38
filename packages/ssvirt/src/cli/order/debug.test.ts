/** The debug output for an order: the page and the advice, for each possible problem. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Condition } from '@ssvirt/kube/reconcile/conditions';
import { annotations, finalizer } from '../../kubevirt/order/resource.ts';
import { adviceOn } from './advice.ts';
import { debugPage } from './debug-page.ts';
import type { ShownOrder } from './shown-order.ts';
import type { OrderCase, SeenOrderChild, SeenMachine } from './order-case.ts';

const now = Date.parse('2026-02-01T12:00:00Z');
const minutes = (count: number): string => new Date(now - count * 60_000).toISOString();

function condition(type: string, status: Condition['status'], reason: string, message: string): Condition {
  return { type, status, reason, message, lastTransitionTime: minutes(3) };
}

function order(status: ShownOrder['status'] = {}, metadata: ShownOrder['metadata'] = {}): ShownOrder {
  return {
    metadata: {
      name: 'web',
      namespace: 'orders',
      uid: 'u1',
      generation: 1,
      creationTimestamp: minutes(5),
      finalizers: [finalizer],
      ...metadata,
    },
    spec: {
      templateID: 'osac.templates.ocp_virt_vm',
      tenantNamespace: 'tenant-a',
      templateParameters: '{"ssh_public_key":"hunter2"}',
    },
    status: {
      phase: 'Ready',
      observedGeneration: 1,
      desiredConfigVersion: 'v2',
      reconciledConfigVersion: 'v2',
      provisionedBy: 'controller',
      ...status,
    },
  };
}

const vm: SeenOrderChild = {
  kind: 'VirtualMachine',
  name: 'web',
  state: 'there',
  whose: "the order's",
  says: 'Running',
};
const machine: SeenMachine = {
  printableStatus: 'Running',
  ready: true,
  phase: 'Running',
  node: 'node01',
  addresses: ['10.0.0.4'],
  state: { state: 'serving' },
};
const judged = { name: 'web', ok: true, problems: [], warnings: [] };

function seen(some: Partial<OrderCase> = {}): OrderCase {
  return {
    namespace: 'orders',
    name: 'web',
    now,
    order: order(),
    tenantNamespace: 'tenant-a',
    tenant: { name: 'tenant-a', project: 'orders' },
    judged,
    children: [vm],
    machine,
    events: [{ at: minutes(1), type: 'Normal', reason: 'Created', object: 'Order/web', message: 'Made all', count: 2 }],
    leader: { holder: 'pod-1', renewedAt: minutes(0) },
    unread: [],
    ...some,
  };
}

const { order: _order, judged: _judged, machine: _machine, ...bare } = seen({ children: [], events: [] });
const refusal = (
  reason: 'NamespaceNotBound' | 'InvalidParameters',
  message: string,
): NonNullable<OrderCase['judged']> => ({
  ...judged,
  ok: false,
  problems: [{ reason, field: 'x', value: 'y', message }],
});
const failing = {
  action: 'create',
  configVersion: 'v2',
  attempts: 9,
  lastAttemptTime: minutes(2),
  lastError: 'AAP at http://aap cannot be reached (ECONNREFUSED)',
} as const;

const cases: readonly {
  readonly name: string;
  readonly seen: OrderCase;
  readonly verdict: 'well' | 'underway' | 'wrong';
  readonly says: RegExp;
}[] = [
  { name: 'all is well', seen: seen(), verdict: 'well', says: /^Nothing is wrong: everything matches the order\.$/ },
  {
    name: 'all is well, and no change would be taken',
    seen: seen({ judged: refusal('NamespaceNotBound', 'bind it') }),
    verdict: 'well',
    says: /^Nothing is wrong: everything matches the order\. But its next change would be refused: bind it\.$/,
  },
  {
    name: 'there is none, and one is meant',
    seen: { ...bare, near: { names: ['wev'], meant: 'wev', elsewhere: [] } },
    verdict: 'wrong',
    says: /^There is no order "web" in namespace "orders": did you mean "wev"\?$/,
  },
  {
    name: 'it is in another namespace',
    seen: { ...bare, near: { names: [], elsewhere: ['more'] } },
    verdict: 'wrong',
    says: /but in "more": give the namespace with -n/,
  },
  {
    name: 'the kind is not there',
    seen: { ...bare, near: { names: [], elsewhere: [], isUnknown: true } },
    verdict: 'wrong',
    says: /deploy\/crds\/virtualmachines\.cloudkit/,
  },
  {
    name: 'it may not be read',
    seen: { ...bare, unread: ['virtualmachines.cloudkit.openshift.io'] },
    verdict: 'wrong',
    says: /no permission to read virtualmachines\.cloudkit/,
  },
  {
    name: 'its namespace is not bound',
    seen: seen({ order: order({ phase: 'Failed' }), judged: refusal('NamespaceNotBound', 'bind it') }),
    verdict: 'wrong',
    says: /^NamespaceNotBound: bind it\.$/,
  },
  {
    name: 'its parameters are bad',
    seen: seen({ order: order({ phase: 'Failed' }), judged: refusal('InvalidParameters', 'cpu_cores is "0".') }),
    verdict: 'wrong',
    says: /^InvalidParameters: cpu_cores is "0"\.$/,
  },
  {
    name: 'the operator says what the rules do not',
    seen: seen({
      order: order({
        phase: 'Failed',
        conditions: [condition('Progressing', 'False', 'RetriesExhausted', 'It was tried 11 times.')],
      }),
    }),
    verdict: 'wrong',
    says: /^RetriesExhausted: It was tried 11 times\.$/,
  },
  {
    name: 'the import fails',
    seen: seen({
      machine: {
        ...machine,
        ready: false,
        state: { state: 'failed', reason: 'ImportFailed', sentence: 'Its disk could not be filled.' },
      },
    }),
    verdict: 'wrong',
    says: /^ImportFailed: Its disk could not be filled\. See the events of the DataVolume and the log of its importer pod/,
  },
  {
    name: 'no node has room',
    seen: seen({
      machine: {
        ...machine,
        ready: false,
        state: { state: 'hindered', reason: 'Unschedulable', sentence: 'No node has room' },
      },
    }),
    verdict: 'wrong',
    says: /^Unschedulable: No node has room\. It starts by itself/,
  },
  {
    name: 'AAP does not answer',
    seen: seen({
      order: order({
        phase: 'Failed',
        provisionedBy: 'aap',
        webhook: failing,
        conditions: [
          condition(
            'Progressing',
            'False',
            'WebhookFailed',
            'AAP could not be called after trying 9 times: ECONNREFUSED. The call is retried.',
          ),
        ],
      }),
    }),
    verdict: 'wrong',
    says: /^AAP could not be called after trying 9 times: ECONNREFUSED\. The call is retried\. Check that AAP is running.*cloudkit\.aap/,
  },
  {
    name: 'AAP is at work',
    seen: seen({
      order: order({
        phase: 'Progressing',
        provisionedBy: 'aap',
        webhook: {
          action: 'create',
          configVersion: 'v2',
          attempts: 1,
          lastAttemptTime: minutes(4),
          acceptedTime: minutes(4),
        },
      }),
    }),
    verdict: 'underway',
    says: /^AAP accepted it 4 min ago and has not reported completion/,
  },
  {
    name: 'no operator has looked at it',
    seen: seen({ order: { ...order(), status: {} }, leader: { holder: 'pod-1', renewedAt: minutes(90) } }),
    verdict: 'wrong',
    says: /No operator has written a status.*pod-1 leads, and renewed its Lease 90 min ago.*orderNamespace/,
  },
  {
    name: 'whoever led has ended',
    seen: seen({ leader: { holder: 'pod-1', renewedAt: minutes(9) } }),
    verdict: 'wrong',
    says: /^No operator is running, so the status of this order may be out of date\. pod-1 leads, and renewed its Lease 9 min ago: check that "ssvirt cloudkit-operator" is running/,
  },
  {
    name: 'it is left alone, and whoever led has ended',
    seen: seen({
      order: order({}, { annotations: { [annotations.managementState]: 'unmanaged' } }),
      leader: { holder: 'pod-1', renewedAt: minutes(9) },
    }),
    verdict: 'wrong',
    says: /ignores the order\..* No operator is running\. pod-1 leads/,
  },
  {
    name: 'its deletion waits for an operator that has ended',
    seen: seen({
      order: order({}, { deletionTimestamp: minutes(1) }),
      leader: { holder: 'pod-1', renewedAt: minutes(9) },
    }),
    verdict: 'wrong',
    says: /^Its deletion started 60 s ago\. No operator is running\. pod-1 leads/,
  },
  {
    name: 'its last change was not seen',
    seen: seen({ order: order({}, { generation: 4 }) }),
    verdict: 'wrong',
    says: /has not processed the last change/,
  },
  {
    name: 'its disk is being filled',
    seen: seen({
      order: order({ phase: 'Progressing' }),
      disk: { phase: 'ImportInProgress', progress: '45%' },
      machine: { ...machine, ready: false, state: { state: 'underway' } },
    }),
    verdict: 'underway',
    says: /being filled \(ImportInProgress, 45%\)/,
  },
  {
    name: 'its Service has no address',
    seen: seen({
      children: [
        vm,
        { kind: 'Service', name: 'web-load-balancer', state: 'there', whose: "the order's", says: 'no address yet' },
      ],
    }),
    verdict: 'underway',
    says: /has no load balancer address/,
  },
  {
    name: 'a user has stopped it',
    seen: seen({ machine: { ...machine, ready: false, state: { state: 'stopped' } } }),
    verdict: 'underway',
    says: /virtctl start/,
  },
  {
    name: 'it is left alone',
    seen: seen({ order: order({}, { annotations: { [annotations.managementState]: 'unmanaged' } }) }),
    verdict: 'well',
    says: /ignores the order/,
  },
  {
    name: 'its deletion waits for what another holds',
    seen: seen({
      order: order(
        {
          phase: 'Deleting',
          conditions: [condition('Deleting', 'True', 'Deleting', 'Waiting for the disk to be gone.')],
        },
        { deletionTimestamp: minutes(1) },
      ),
      children: [
        {
          kind: 'DataVolume',
          name: 'web-root-disk',
          state: 'deleting',
          whose: "the order's",
          says: 'held by backup/keep',
        },
      ],
    }),
    verdict: 'wrong',
    says: /^Its deletion started 60 s ago\. Waiting for the disk to be gone\. DataVolume "web-root-disk" is being deleted and held by backup\/keep/,
  },
  {
    name: "its deletion waits for AAP's job",
    seen: seen({
      order: order(
        {
          phase: 'Deleting',
          provisionedBy: 'aap',
          conditions: [condition('Deleting', 'True', 'WebhookFailed', 'AAP could not be called to delete it.')],
        },
        { deletionTimestamp: minutes(20), finalizers: ['cloudkit.openshift.io/computeinstance-aap'] },
      ),
      children: [],
    }),
    verdict: 'wrong',
    says: /AAP could not be called to delete it\. Check that AAP is running.*AAP's delete job removes the finalizer \S*computeinstance-aap/,
  },
  {
    name: 'it is being deleted',
    seen: seen({ order: order({ phase: 'Deleting' }, { deletionTimestamp: minutes(0) }) }),
    verdict: 'underway',
    says: /^Its deletion started 0 s ago\.$/,
  },
];

suite('the advice for each case', () => {
  for (const { name, seen: one, verdict, says } of cases)
    test(name, () => {
      const advice = adviceOn(one);
      assert.equal(advice.verdict, verdict, advice.sentences.join(' '));
      assert.match(advice.sentences.join(' '), says);
      const page = debugPage(one, advice);
      assert.ok(page.endsWith(`${advice.sentences.map((sentence) => `  ${sentence}`).join('\n')}\n`), page);
      assert.doesNotMatch(page, /hunter2|undefined|NaN|\[object/);
    });
});

test('the page has the order, its objects, its conditions and its events', () => {
  const conditions = [condition('Available', 'True', 'AsExpected', 'It runs.\u001b[31m')];
  const page = debugPage(
    seen({
      order: order(
        { conditions, fallbackConfigVersion: 'v1', webhook: failing },
        { annotations: { [annotations.managedBy]: 'aap' } },
      ),
    }),
    adviceOn(seen()),
  );
  for (const line of [
    /^Order orders\/web$/m,
    /^ {2}provisioned by +controller \(the order says "aap"\); fell back to AAP for version v1$/m,
    /^ {2}version +v2 desired, v2 reconciled$/m,
    /^ {2}AAP webhook calls +create of version v2, 9 in a row, last 2 min ago, not accepted: AAP at/m,
    /^ {2}namespace +tenant-a, bound to orders by its label$/m,
    /^ {2}machine +Running, ready, instance Running, on node01, 10\.0\.0\.4$/m,
    /^ {2}operator +pod-1 leads, by a Lease renewed 0 s ago$/m,
    /^ {2}VirtualMachine +web +there +the order's +Running$/m,
    /^ {2}Available +True +AsExpected +3 min ago +It runs\. \[31m$/m,
    /^ {2}60 s ago +Normal +Created +Order\/web +Made all \(2 times\)$/m,
  ])
    assert.match(page, line);
});
