import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../values/json.ts';
import type { Pod } from '../kubevirt/objects.ts';
import { amountsOf, requestsOf } from './amounts.ts';
import { labelsOf } from './fleet.ts';
import { fullness, misfit, refusedMessage, unschedulableMessage, type Misfit } from './node-fit.ts';

const node = (spec: JsonObject = {}, labels: Record<string, string> = {}): Unstructured => ({
  metadata: { name: 'node01', labels: { ...labelsOf('node01'), ...labels } },
  spec,
});
const pod = (spec: JsonObject = {}, labels: Record<string, string> = {}): Pod => ({
  metadata: { name: 'p', namespace: 'ns', uid: 'p', labels },
  spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1', memory: '1Gi' } } }], ...spec },
});
const allocatable = amountsOf({ cpu: '4', memory: '8Gi', pods: '3' });

function verdict(
  of: Pod,
  on: Unstructured,
  taken: JsonObject = {},
  others: readonly Pod[] = [],
  volumeTerms: readonly (readonly JsonObject[])[] = [],
): Misfit | undefined {
  return misfit(
    { pod: of, requests: requestsOf(of), volumeTerms },
    { node: on, allocatable, taken: amountsOf(taken), pods: () => others },
  );
}

const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };
const required = (expression: JsonObject): JsonObject => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [expression] }] },
    },
  },
});
const apart: JsonObject = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'x' } } },
      ],
    },
  },
};
const elsewhere = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node02'] }] }];

test('a pod fits a node or learns why not, in the words of kube-scheduler', () => {
  const cases: readonly (readonly [reason: string, found: Misfit | undefined, expected: string | undefined])[] = [
    ['there is room', verdict(pod(), node()), undefined],
    ['no cpu is left', verdict(pod(), node(), { cpu: '3500m' }), 'Insufficient cpu'],
    ['no memory is left', verdict(pod(), node(), { memory: '7.5Gi' }), 'Insufficient memory'],
    ['all places are taken', verdict(pod(), node(), { pods: '3' }), 'Too many pods'],
    [
      'a device that the node does not have',
      verdict(pod({ containers: [{ resources: { requests: { 'devices.kubevirt.io/kvm': '1' } } }] }), node()),
      'Insufficient devices.kubevirt.io/kvm',
    ],
    ['it is cordoned', verdict(pod(), node({ unschedulable: true })), 'node(s) were unschedulable'],
    ['a taint', verdict(pod(), node({ taints: [taint] })), 'node(s) had untolerated taint(s)'],
    [
      'a taint that only discourages',
      verdict(pod(), node({ taints: [{ ...taint, effect: 'PreferNoSchedule' }] })),
      undefined,
    ],
    [
      'a taint that is tolerated',
      verdict(pod({ tolerations: [{ key: 'k', operator: 'Exists' }] }), node({ taints: [taint] })),
      undefined,
    ],
    [
      'a toleration of another value',
      verdict(pod({ tolerations: [{ key: 'k', value: 'w' }] }), node({ taints: [taint] })),
      'node(s) had untolerated taint(s)',
    ],
    [
      'a selector that no label meets',
      verdict(pod({ nodeSelector: { zone: 'a' } }), node()),
      "node(s) didn't match Pod's node affinity/selector",
    ],
    [
      'the selector and affinity of a launcher',
      verdict(
        pod({
          nodeSelector: {
            'kubernetes.io/arch': 'amd64',
            'kubevirt.io/schedulable': 'true',
            'machine-type.node.kubevirt.io/q35': 'true',
          },
          ...required({ key: 'node-labeller.kubevirt.io/obsolete-host-model', operator: 'DoesNotExist' }),
        }),
        node(),
      ),
      undefined,
    ],
    [
      'an affinity that no label meets',
      verdict(pod(required({ key: 'zone', operator: 'In', values: ['a'] })), node()),
      "node(s) didn't match Pod's node affinity/selector",
    ],
    [
      'another that it wants to be away from',
      verdict(pod(apart), node(), {}, [
        { ...pod({}, { app: 'x' }), metadata: { namespace: 'ns', uid: 'o', labels: { app: 'x' } } },
      ]),
      "node(s) didn't match pod anti-affinity rules",
    ],
    ['it is not away from itself', verdict(pod(apart), node(), {}, [pod({}, { app: 'x' })]), undefined],
    [
      'its volume is elsewhere',
      verdict(pod(), node(), {}, [], [elsewhere]),
      "node(s) didn't match PersistentVolume's node affinity",
    ],
  ];
  for (const [reason, found, expected] of cases) assert.equal(found?.reasons.join(), expected, reason);
});

test('the message counts reasons and says whether preemption could help', () => {
  const full: Misfit = { reasons: ['Insufficient memory'], helpless: false };
  const both: Misfit = { reasons: ['Insufficient cpu', 'Insufficient memory'], helpless: false };
  const mismatched: Misfit = { reasons: ["node(s) didn't match Pod's node affinity/selector"], helpless: true };
  const cordoned: Misfit = { reasons: ['node(s) were unschedulable'], helpless: true };
  const cases: readonly (readonly [readonly Misfit[], string])[] = [
    [[], 'no nodes available to schedule pods'],
    [
      [full, full],
      '0/2 nodes are available: 2 Insufficient memory. preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.',
    ],
    [
      [mismatched, mismatched, mismatched],
      "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    ],
    [
      [full, both, cordoned],
      '0/3 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable, 2 Insufficient memory. preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.',
    ],
  ];
  for (const [misfits, expected] of cases) assert.equal(unschedulableMessage(misfits), expected);
  assert.equal(
    refusedMessage('pod has unbound immediate PersistentVolumeClaims', 2),
    '0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
  );
});

test('what a pod asks for is its containers and sidecars, or the hungriest start', () => {
  const container = (cpu: string, rest: JsonObject = {}): JsonObject => ({ resources: { requests: { cpu } }, ...rest });
  const cases: readonly (readonly [reason: string, spec: JsonObject, cpu: number])[] = [
    ['containers add up', { containers: [container('1'), container('500m')] }, 1.5],
    [
      'a sidecar counts',
      { containers: [container('1')], initContainers: [container('5m', { restartPolicy: 'Always' })] },
      1.005,
    ],
    ['an init container runs before', { containers: [container('1')], initContainers: [container('3')] }, 3],
    [
      'with the sidecars before it',
      { containers: [container('1')], initContainers: [container('1', { restartPolicy: 'Always' }), container('3')] },
      4,
    ],
    ['overhead comes on top', { containers: [container('1')], overhead: { cpu: '250m' } }, 1.25],
  ];
  for (const [reason, spec, cpu] of cases) {
    const requests = requestsOf({ metadata: {}, spec });
    assert.equal(Math.round((requests['cpu'] ?? 0) * 1000) / 1000, cpu, reason);
    assert.equal(requests['pods'], 1, reason);
  }
});

test('the emptier node is preferred', () => {
  const at = (cpu: string): number =>
    fullness(amountsOf({ cpu: '1', memory: '1Gi' }), {
      node: node(),
      allocatable,
      taken: amountsOf({ cpu }),
      pods: () => [],
    });
  assert.ok(at('0') < at('2'));
});
