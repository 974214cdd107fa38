/** The advice for a Machine: verdict, sentences and the next command, for each possible problem. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Condition } from '@ssvirt/kube/reconcile/conditions';
import { annotations, finalizer } from '../../kubevirt/machine/resource.ts';
import { machineAdvice } from './advice.ts';
import { debugPage } from './debug-page.ts';
import type { ShownMachine } from './shown-machine.ts';
import type { MachineCase, SeenMember } from './machine-case.ts';

const now = Date.parse('2026-02-01T12:00:00Z');
const minutes = (count: number): string => new Date(now - count * 60_000).toISOString();

function ready(status: Condition['status'], reason: string, message: string, more: Partial<Condition> = {}): Condition {
  return { type: 'Ready', status, reason, message, lastTransitionTime: minutes(3), observedGeneration: 1, ...more };
}

const runs = ready('True', 'Running', 'The virtual machine runs.');

function machine(conditions: readonly Condition[] = [runs], metadata: ShownMachine['metadata'] = {}): ShownMachine {
  return {
    metadata: {
      name: 'web',
      namespace: 'team-a',
      uid: 'u1',
      generation: 1,
      creationTimestamp: minutes(5),
      finalizers: [finalizer],
      ...metadata,
    },
    spec: { template: 'small', cloudInit: { userData: 'hunter2' } },
    status: { phase: 'Running', kubevirtConfigRef: 'east', conditions },
  };
}

const vm = { printableStatus: 'Running', status: 'POWERED_ON', addresses: ['10.0.0.4'] } as const;
const child = {
  kind: 'VirtualMachine',
  name: 'vm-web',
  state: 'there',
  whose: "the Machine's",
  says: 'Running',
} as const;
const east: SeenMember = { name: 'east', found: { children: [child], vm, unread: [] } };

function seen(some: Partial<MachineCase> = {}): MachineCase {
  return {
    namespace: 'team-a',
    name: 'web',
    now,
    machine: machine(),
    asked: { words: 'template small: 1 CPU' },
    configs: [{ name: 'east', phase: 'Ready' }],
    member: east,
    events: [
      {
        at: minutes(4),
        type: 'Normal',
        reason: 'Placed',
        object: 'Machine/web',
        message: '"east" (by single)',
        count: 1,
      },
    ],
    leader: { holder: 'pod-1', renewedAt: minutes(0) },
    unread: [],
    ...some,
  };
}

const { machine: _machine, member: _member, ...bare } = seen({ events: [] });
const trouble = (reason: string, message = 'words'): MachineCase =>
  seen({ machine: machine([ready('False', reason, message)]) });

const cases: readonly {
  readonly name: string;
  readonly seen: MachineCase;
  readonly verdict: 'well' | 'underway' | 'wrong';
  readonly says: RegExp;
  readonly next: RegExp;
}[] = [
  {
    name: 'all is well',
    seen: seen(),
    verdict: 'well',
    says: /^Nothing is wrong: everything matches the Machine\.$/,
    next: /^$/,
  },
  {
    name: 'a change waits for a restart',
    seen: seen({ machine: machine([runs, { ...runs, type: 'RestartRequired', message: 'older settings' }]) }),
    verdict: 'well',
    says: /^It runs, but not with the last change\. Older settings\.$/,
    next: /^kubectl annotate machines\.vitistack\.io web -n team-a vitistack\.io\/restart-requested-at="\$\(date\)" --overwrite$/,
  },
  {
    name: 'a restart that was asked for is under way',
    seen: seen({
      machine: machine([
        runs,
        { ...runs, type: 'RestartRequired', reason: 'RestartRequested', message: 'it was requested' },
      ]),
    }),
    verdict: 'underway',
    says: /^It is being restarted\. It was requested\.$/,
    next: /^ssvirt machine wait web -n team-a$/,
  },
  {
    name: 'there is none, and the namespace is another one',
    seen: { ...bare, near: { names: [], elsewhere: ['team-b'] } },
    verdict: 'wrong',
    says: /^There is no Machine "web" in namespace "team-a", but in "team-b": give the namespace with -n\.$/,
    next: /^ssvirt machine list -A$/,
  },
  {
    name: 'its namespace is not for Machines',
    seen: trouble('NamespaceNotAllowed'),
    verdict: 'wrong',
    says: /^NamespaceNotAllowed: words/,
    next: /^kubectl label namespace team-a vitistack\.io\/allow-machines=true {3}# in cluster "east"$/,
  },
  {
    name: 'a namespace does not let its disks be copied',
    seen: trouble(
      'NamespaceNotAllowed',
      'spec.disks["root"].source is in the namespace "images", which does not let Machines copy: label it with vitistack.io/allow-copies="true"',
    ),
    verdict: 'wrong',
    says: /is in the namespace "images"/,
    next: /^kubectl label namespace images vitistack\.io\/allow-copies=true {3}# in cluster "east"$/,
  },
  {
    name: 'a namespace to copy from does not exist',
    seen: trouble(
      'NamespaceNotAllowed',
      'spec.disks["root"].source is in the namespace "images", which does not exist in cluster "east": make it and label it with vitistack.io/allow-copies="true"',
    ),
    verdict: 'wrong',
    says: /does not exist/,
    next: /^kubectl edit machines\.vitistack\.io web -n team-a$/,
  },
  {
    name: 'it may not be read',
    seen: { ...bare, unread: ['machines.vitistack.io'] },
    verdict: 'wrong',
    says: /^You have no permission to read machines\.vitistack\.io/,
    next: /./,
  },
  {
    name: 'no operator has looked at it',
    seen: seen({ machine: { ...machine(), status: {} }, leader: { holder: 'pod-1', renewedAt: minutes(1) } }),
    verdict: 'wrong',
    says: /^No operator has written a status.*pod-1 leads, and renewed its Lease 60 s ago/,
    next: /kubectl get lease/,
  },
  {
    name: 'whoever led has ended',
    seen: seen({ leader: { holder: 'pod-1', renewedAt: minutes(9) } }),
    verdict: 'wrong',
    says: /^No operator is running, so the status of this Machine may be out of date\. pod-1 leads, and renewed its Lease 9 min ago/,
    next: /kubectl logs/,
  },
  {
    name: 'its last change was not seen',
    seen: seen({ machine: machine([runs], { generation: 2 }) }),
    verdict: 'wrong',
    says: /^The operator has not processed the last change/,
    next: /kubectl get lease/,
  },
  {
    name: 'it was created a moment ago',
    seen: seen({ machine: { ...machine([], { creationTimestamp: minutes(0) }), status: {} } }),
    verdict: 'underway',
    says: /was just created/,
    next: /^ssvirt machine wait web -n team-a$/,
  },
  {
    name: 'it is being started',
    seen: trouble('Starting', 'The virtual machine is being started.'),
    verdict: 'underway',
    says: /^Starting: The virtual machine is being started\. This has been the case since 3 min ago\.$/,
    next: /^ssvirt machine wait/,
  },
  {
    name: 'a disk is waited for that cannot be filled',
    seen: {
      ...trouble('PVCPending', 'The disk waits.'),
      member: { name: 'east', found: { children: [child], vm: { ...vm, fault: 'The import failed.' }, unread: [] } },
    },
    verdict: 'wrong',
    says: /^PVCPending: The disk waits\. The import failed\.$/,
    next: /kubectl describe pvc -n team-a/,
  },
  {
    name: 'no node has room',
    seen: trouble('InsufficientResources'),
    verdict: 'wrong',
    says: /^InsufficientResources: words\.$/,
    next: /^kubectl describe vm,vmi vm-web -n team-a {3}# in cluster "east"$/,
  },
  {
    name: 'its cluster is unavailable',
    seen: trouble('ClusterUnavailable'),
    verdict: 'wrong',
    says: /^ClusterUnavailable/,
    next: /^ssvirt fleet status --check$/,
  },
  {
    name: 'the guest has shut down',
    seen: trouble('GuestStopped'),
    verdict: 'wrong',
    says: /^GuestStopped/,
    next: /^virtctl start vm-web/,
  },
  {
    name: 'the spec names what is not there',
    seen: trouble('TemplateNotFound'),
    verdict: 'wrong',
    says: /^TemplateNotFound/,
    next: /^kubectl edit machines\.vitistack\.io web -n team-a$/,
  },
  {
    name: 'its cluster cannot be looked at from here',
    seen: seen({ member: { name: 'east', unreached: 'cannot read Secret "x"' } }),
    verdict: 'wrong',
    says: /^The operator reports that everything matches the Machine, and that cannot be checked\. Its cluster "east" cannot be reached from here: cannot read Secret "x"\.$/,
    next: /^ssvirt fleet status --check$/,
  },
  {
    name: 'its machine was deleted, and its status does not say so',
    seen: seen({ member: { name: 'east', found: { children: [], unread: [] } } }),
    verdict: 'wrong',
    says: /^Its status is Ready, but cluster "east" has no VirtualMachine "vm-web"/,
    next: /kubectl logs/,
  },
  {
    name: 'it is paused',
    seen: seen({ machine: machine([runs], { annotations: { [annotations.paused]: 'true' } }) }),
    verdict: 'well',
    says: /ignores the Machine/,
    next: /^kubectl annotate machines\.vitistack\.io web -n team-a vitistack\.io\/paused-$/,
  },
  {
    name: 'it is paused, and whoever led has ended',
    seen: seen({
      machine: machine([runs], { annotations: { [annotations.paused]: 'true' } }),
      leader: { holder: 'pod-1', renewedAt: minutes(9) },
    }),
    verdict: 'wrong',
    says: /ignores the Machine until the annotation is removed\. No operator is running\. pod-1 leads, and renewed its Lease 9 min ago/,
    next: /paused-\nkubectl get lease/,
  },
  {
    name: 'it is paused, and its cluster cannot be looked at from here',
    seen: seen({
      machine: machine([runs], { annotations: { [annotations.paused]: 'true' } }),
      member: { name: 'east', unreached: 'no answer in time' },
    }),
    verdict: 'wrong',
    says: /ignores the Machine .* Its cluster "east" cannot be reached from here: no answer in time\.$/,
    next: /^ssvirt fleet status --check\n.*paused-$/,
  },
  {
    name: 'it is being deleted',
    seen: seen({
      machine: machine([ready('False', 'Deleting', 'waiting for disks')], { deletionTimestamp: minutes(1) }),
    }),
    verdict: 'underway',
    says: /^Its deletion started 60 s ago\. Deleting: waiting for disks\.$/,
    next: /^ssvirt machine wait web -n team-a --for deleted$/,
  },
  {
    name: 'its deletion waits for what another holds',
    seen: seen({
      machine: machine([], { deletionTimestamp: minutes(1), finalizers: [finalizer, 'backup/keep'] }),
      member: {
        name: 'east',
        found: { children: [{ ...child, state: 'deleting', says: 'held by snapshot/x' }], vm, unread: [] },
      },
    }),
    verdict: 'wrong',
    says: /VirtualMachine "vm-web" is being deleted and held by snapshot\/x.*The finalizer backup\/keep does not belong to ssvirt/,
    next: /--for deleted/,
  },
  {
    name: 'its deletion waits for a cluster that is gone',
    seen: seen({
      machine: machine([ready('False', 'ClusterUnavailable', 'no answer')], { deletionTimestamp: minutes(1) }),
      member: { name: 'east', unreached: 'no answer in time' },
    }),
    verdict: 'wrong',
    says: /ClusterUnavailable: no answer\. Its cluster "east" cannot be reached/,
    next: /fleet status --check\n.*vitistack\.io\/force-delete=true {3}# abandons its objects in the cluster$/,
  },
];

suite('the advice for each case', () => {
  for (const { name, seen: one, verdict, says, next } of cases)
    test(name, () => {
      const advice = machineAdvice(one);
      assert.equal(advice.verdict, verdict, advice.sentences.join(' '));
      assert.match(advice.sentences.join(' '), says);
      assert.match(advice.next.join('\n'), next);
      const page = debugPage(one, advice);
      assert.ok(
        advice.sentences.every((sentence) => page.includes(`  ${sentence}\n`)),
        page,
      );
      assert.doesNotMatch(page, /hunter2|undefined|NaN|\[object/);
    });
});

test('its placement is shown with the reason, as long as there is a record of it', () => {
  const placed = (some: Partial<MachineCase>): string =>
    /placed on +(.*)$/m.exec(debugPage(seen(some), machineAdvice(seen(some))))?.[1] ?? '';
  assert.equal(placed({}), 'east (Ready), the only cluster at the time');
  assert.match(placed({ events: [] }), /^east \(Ready\), by the annotation .*the Event with the reason has expired$/);
  const named = { ...machine(), spec: { ...machine().spec, kubevirtConfigRef: 'east' } };
  assert.equal(placed({ machine: named }), 'east (Ready), named by spec.kubevirtConfigRef');
  const down = [{ name: 'east', phase: 'Failed', message: 'no answer' }];
  assert.match(placed({ configs: down }), /^east \(Failed: no answer\)/);
  const unplaced = { ...machine(), status: { phase: 'Pending' } } as const;
  assert.equal(placed({ machine: unplaced }), 'not yet; the clusters are east (Ready)');
});
