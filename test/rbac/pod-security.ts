/**
 * Which level of the Pod Security Standards admits the pods of VDCs. A pod has here what the standards look at: as
 * KubeVirt 1.9 was recorded with its default configuration, and as the sources of KubeVirt and of CDI 1.66 build it.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { KubeError } from '../../packages/kube/src/errors.ts';
import { namespaces } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { defaultClusterNamespaces } from '../../packages/ssvirt/src/kubevirt/vdc/description.ts';
import { namespaceLabels } from '../../packages/ssvirt/src/kubevirt/vdc/labels.ts';
import { until } from '../runtime/until.ts';

/** From the strictest to the loosest. */
const levels = ['restricted', 'baseline', 'privileged'] as const;
type Level = (typeof levels)[number];
type Json = Readonly<Record<string, unknown>>;

interface PodCase {
  readonly pod: string;
  /** Security context of the pod. */
  readonly context: Json;
  /** Security contexts of the containers. */
  readonly init?: readonly Json[];
  readonly containers: readonly Json[];
  readonly volumes: readonly Json[];
  /** The strictest level that admits it, and the rule by which the next stricter one refuses it. */
  readonly admittedBy: Level;
  readonly rule?: RegExp;
}

const user = { runAsUser: 107, runAsNonRoot: true };
const unprivileged = { ...user, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const runtimeDefault = { seccompProfile: { type: 'RuntimeDefault' } };
const compute = { ...unprivileged, runAsGroup: 107, capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] } };
const launcher = { ...user, runAsGroup: 107, fsGroup: 107 };
const image = { image: { reference: 'containerdisk:demo', pullPolicy: 'IfNotPresent' } };
const claim = { persistentVolumeClaim: { claimName: 'disk' } };
const secret = { secret: { secretName: 'cloud-init' } };
const scratch = { emptyDir: {} };

/** What KubeVirt and CDI create in a cluster whose KubeVirt has its default configuration. */
const ordinary: readonly PodCase[] = [
  {
    pod: 'a launcher with a container disk and cloud-init, also as the target of a migration',
    context: launcher,
    init: [unprivileged, unprivileged],
    containers: [compute],
    volumes: [scratch, image, secret],
    admittedBy: 'baseline',
    rule: /seccompProfile/,
  },
  {
    pod: 'a launcher with a claim',
    context: launcher,
    containers: [compute],
    volumes: [scratch, claim],
    admittedBy: 'baseline',
    rule: /seccompProfile/,
  },
  {
    pod: 'a launcher with a shared folder (virtiofs)',
    context: launcher,
    containers: [compute, { ...unprivileged, runAsGroup: 107 }],
    volumes: [scratch, claim],
    admittedBy: 'baseline',
    rule: /seccompProfile/,
  },
  {
    pod: 'a pod that attaches disks to a running VM, on a node with SELinux',
    context: {},
    containers: [{ ...unprivileged, ...runtimeDefault, seLinuxOptions: { level: 's0:c107,c611' } }],
    volumes: [scratch, claim],
    admittedBy: 'restricted',
  },
  {
    pod: 'an importer, uploader or cloner of CDI',
    context: { fsGroup: 107 },
    init: [{ ...unprivileged, ...runtimeDefault }],
    containers: [{ ...unprivileged, ...runtimeDefault }],
    volumes: [scratch, claim, secret],
    admittedBy: 'restricted',
  },
  {
    pod: 'a launcher where KubeVirt has a seccomp profile for VMs, as on OpenShift Virtualization',
    context: { ...launcher, seccompProfile: { type: 'Localhost', localhostProfile: 'kubevirt/kubevirt.json' } },
    containers: [compute],
    volumes: [scratch, claim],
    admittedBy: 'restricted',
  },
];

/** What needs `api.vdcPodSecurity: privileged`, or is never created by ssvirt. */
const extraordinary: readonly PodCase[] = [
  {
    pod: 'a launcher where KubeVirt has a selinuxLauncherType',
    context: { ...launcher, seLinuxOptions: { type: 'virt_launcher.process' } },
    containers: [compute],
    volumes: [scratch, claim],
    admittedBy: 'privileged',
    rule: /seLinuxOptions.*virt_launcher\.process/,
  },
  {
    pod: 'a launcher where KubeVirt has the feature gate Root',
    context: { runAsUser: 0, fsGroup: 107 },
    containers: [{ runAsUser: 0, runAsNonRoot: false, capabilities: { add: ['NET_BIND_SERVICE', 'SYS_NICE'] } }],
    volumes: [scratch, claim],
    admittedBy: 'privileged',
    rule: /non-default capabilities.*SYS_NICE/,
  },
  {
    pod: 'a launcher with a folder of the node (hostDisk)',
    context: launcher,
    containers: [compute],
    volumes: [scratch, { hostPath: { path: '/var/disks', type: 'Directory' } }],
    admittedBy: 'privileged',
    rule: /hostPath volumes/,
  },
];

function podOf({ context, init = [], containers, volumes }: PodCase): Json {
  const named = (prefix: string) => (securityContext: Json, at: number) => ({
    name: `${prefix}${at}`,
    image: 'any',
    securityContext,
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generateName: 'pod-' },
    spec: {
      securityContext: context,
      initContainers: init.map(named('init-')),
      containers: containers.map(named('main-')),
      volumes: volumes.map((volume, at) => ({ name: `volume-${at}`, ...volume })),
      automountServiceAccountToken: false,
    },
  };
}

const ofVdc = 'pods-of-vdc';
const vdc = {
  id: '7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11',
  name: 'production',
  description: '',
  namespace: ofVdc,
  enabled: true,
  organizationId: '0c0b2f14-9a0f-4b8e-8a0f-2f9d5a1c0b22',
  organizationName: 'acme',
  installationId: 'f3b1d7a2-0000-4000-8000-000000000001',
  vmQuota: 0,
  memoryLimitMb: 0,
  storageLimitMb: 0,
};

/** `podSecurityCases` declares the tests. `client` returns an administrator's client of a kube-apiserver. */
export function podSecurityCases(client: () => Client): void {
  /** Returns undefined if a dry run creates the pod, otherwise the refusal. */
  async function refusal(namespace: string, pod: PodCase): Promise<string | undefined> {
    const path = `/api/v1/namespaces/${namespace}/pods`;
    try {
      await client().request({ method: 'POST', path, query: { dryRun: 'All' }, body: podOf(pod) });
      return undefined;
    } catch (error) {
      if (error instanceof KubeError && error.code === 403) return error.message;
      throw error;
    }
  }

  describe('pods in the namespace of a VDC', () => {
    before(async () => {
      const enforced = levels.map(
        (level) => [`pods-${level}`, { 'pod-security.kubernetes.io/enforce': level }] as const,
      );
      const all = [...enforced, [ofVdc, namespaceLabels(vdc, defaultClusterNamespaces.podSecurity)] as const];
      for (const [name, labels] of all) await client().create(namespaces, { metadata: { name, labels } });
      const [anyPod] = ordinary.filter(({ admittedBy }) => admittedBy === 'restricted');
      assert.ok(anyPod !== undefined);
      // A pod is refused until its namespace has the default account.
      for (const [name] of all)
        await until(`pods can be created in ${name}`, async () => (await refusal(name, anyPod)) === undefined, {
          deadlineMs: 60_000,
        });
    });

    for (const pod of [...ordinary, ...extraordinary])
      test(`${pod.pod}: ${pod.admittedBy} is the strictest level that admits it`, async () => {
        const strictest = levels.indexOf(pod.admittedBy);
        for (const [at, level] of levels.entries()) {
          const text = await refusal(`pods-${level}`, pod);
          if (at >= strictest) assert.equal(text, undefined, level);
          else assert.match(text ?? 'admitted', new RegExp(`violates PodSecurity "${level}:latest"`));
          if (at === strictest - 1) assert.match(text ?? 'admitted', pod.rule ?? /any/);
        }
      });

    test('the label of a VDC admits what KubeVirt and CDI create, and the next stricter level refuses a launcher', async () => {
      const refused: string[] = [];
      for (const pod of ordinary) {
        assert.equal(await refusal(ofVdc, pod), undefined, pod.pod);
        if ((await refusal('pods-restricted', pod)) !== undefined) refused.push(pod.pod);
      }
      assert.deepEqual(
        refused,
        ordinary.slice(0, 3).map(({ pod }) => pod),
      );
      for (const pod of extraordinary) assert.notEqual(await refusal(ofVdc, pod), undefined, pod.pod);
    });
  });
}
