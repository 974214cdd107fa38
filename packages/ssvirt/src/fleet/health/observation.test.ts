import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubeError } from '@ssvirt/kube/errors';
import { failureOf, type ClusterFailure } from './failure.ts';
import { assess, type Observation } from './observation.ts';
import type { ClusterProbe } from './cluster-probe.ts';

const sound: ClusterProbe = {
  kubernetesVersion: 'v1.34.2',
  kubeVirt: { status: 'True', reason: 'Available', message: 'KubeVirt v1.6.0 is available', version: 'v1.6.0' },
  served: {
    versions: new Map([
      ['virtualmachines.kubevirt.io', ['v1']],
      ['virtualmachineinstances.kubevirt.io', ['v1']],
      ['datavolumes.cdi.kubevirt.io', ['v1beta1']],
    ]),
  },
};
const bare: ClusterProbe = {
  kubeVirt: { status: 'False', reason: 'NotInstalled', message: 'KubeVirt is not installed' },
  served: { versions: new Map() },
};
const exec: ClusterFailure = {
  status: 'False',
  reason: 'KubeconfigRefused',
  message: 'users[0].user.exec: not allowed',
};
const timedOut = failureOf(new KubeError('DeadlineExceeded', 'cannot get namespaces "kube-system"'));

interface Case {
  readonly reason: string;
  readonly seen: Observation;
  readonly phase: string;
  readonly status: string;
  /** Reachable, KubeVirtReady, Compatible, IdentityChanged. */
  readonly conditions: readonly string[];
  readonly message: RegExp;
}

const cases: readonly Case[] = [
  {
    reason: 'nothing is known yet',
    seen: {},
    phase: 'Pending',
    status: 'Connecting',
    conditions: ['Unknown Connecting', 'Unknown NotChecked', 'Unknown NotChecked', 'Unknown NotChecked'],
    message: /waiting/,
  },
  {
    reason: 'all is well',
    seen: { connection: 'answers', identity: 'a', probe: sound },
    phase: 'Ready',
    status: 'Connected',
    conditions: ['True Connected', 'True Available', 'True Supported', 'False SameCluster'],
    message: /^$/,
  },
  {
    reason: 'a cluster that answers, and whose watches do not deliver, is half reachable',
    seen: { connection: 'answers', watches: 'a watch did not end', identity: 'a', probe: sound },
    phase: 'Degraded',
    status: 'Connected',
    conditions: ['False WatchesSilent', 'True Available', 'True Supported', 'False SameCluster'],
    message: /answers requests, but its watches deliver no events.*a watch did not end/,
  },
  {
    reason: 'a cluster without KubeVirt is a member that needs attention',
    seen: { connection: 'answers', identity: 'a', probe: bare },
    phase: 'Degraded',
    status: 'Connected',
    conditions: ['True Connected', 'False NotInstalled', 'False Unsupported', 'False SameCluster'],
    message: /KubeVirt is not installed/,
  },
  {
    reason: 'the first Secret holds an exec plugin',
    seen: { secret: exec },
    phase: 'Failed',
    status: 'InvalidKubeconfig',
    conditions: ['False KubeconfigRefused', 'Unknown NotChecked', 'Unknown NotChecked', 'Unknown NotChecked'],
    message: /exec/,
  },
  {
    reason: 'a later Secret holds an exec plugin: what works stays in use',
    seen: { secret: exec, connection: 'answers', identity: 'a', probe: sound },
    phase: 'Degraded',
    status: 'Connected',
    conditions: ['True PreviousCredentials', 'True Available', 'True Supported', 'False SameCluster'],
    message: /still in use.*exec/,
  },
  {
    reason: 'the cluster hangs; what was found in it before is kept',
    seen: { connection: timedOut, identity: 'a', probe: sound },
    phase: 'Failed',
    status: 'Disconnected',
    conditions: ['False TimedOut', 'True Available', 'True Supported', 'False SameCluster'],
    message: /cannot get namespaces.*firewall/,
  },
  {
    reason: 'neither the new credentials nor those from before work',
    seen: { connection: timedOut, secret: failureOf(new KubeError('Unauthorized', 'no')), identity: 'a', probe: sound },
    phase: 'Failed',
    status: 'Disconnected',
    conditions: ['False CredentialsRefused', 'True Available', 'True Supported', 'False SameCluster'],
    message: /token or certificate/,
  },
  {
    reason: 'another cluster answers',
    seen: { connection: 'answers', identity: 'a', otherIdentity: 'b', probe: sound },
    phase: 'Failed',
    status: 'IdentityChanged',
    conditions: ['True Connected', 'True Available', 'True Supported', 'True AnotherCluster'],
    message: /kube-system uid b.*vitistack\.io\/accept-identity: b on KubevirtConfig "west"/,
  },
  {
    reason: 'the cluster is a member already',
    seen: { connection: 'answers', duplicateOf: 'east' },
    phase: 'Failed',
    status: 'Duplicate',
    conditions: [
      'True Connected',
      'Unknown NotChecked',
      'Unknown NotChecked',
      'Unknown NotChecked',
      'True AlreadyMember',
    ],
    message: /"east"/,
  },
];

for (const { reason, seen, phase, status, conditions, message } of cases) {
  test(`assessment: ${reason}`, () => {
    const found = assess('west', seen);
    assert.deepEqual([found.phase, found.status], [phase, status]);
    assert.deepEqual(
      found.findings.map((finding) => `${finding.status} ${finding.reason}`),
      conditions,
    );
    assert.match(found.message, message);
  });
}
