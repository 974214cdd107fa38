/**
 * What the original vitistack operator leaves in its cluster: its Helm release, under the names of its reference; its
 * definitions, which are older than ours; and Machines with their virtual machines.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import { claims, instances, namespaces, secrets, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { machines, networkConfigurations } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { fields } from '../../packages/ssvirt/src/kubevirt/facts/reading.ts';
import { looseDefinition } from '../fleet/definition.ts';
import { look, patient } from '../machine-operator/harness.ts';
import { until } from '../runtime/until.ts';

export const earlier = {
  release: 'kubevirt-operator',
  namespace: 'kubevirt-operator-system',
  account: 'kubevirt-operator-controller-manager',
  binding: 'kubevirt-operator-manager-rolebinding',
} as const;

/** Accepts any fields, shows no columns, and has no short name. */
export function earlierDefinition(kind: string, plural: string): Unstructured {
  const definition = looseDefinition('vitistack.io', 'v1alpha1', kind, plural);
  const { versions, ...spec } = definition['spec'] as { readonly versions: readonly object[] };
  return {
    ...definition,
    // As the generator of these definitions writes it, before the name.
    metadata: { annotations: { 'controller-gen.kubebuilder.io/version': 'v0.11.0' }, ...definition.metadata },
    spec: { ...spec, versions: versions.map((version) => ({ ...version, subresources: { status: {} } })) },
  };
}

/** Writes the chart of the operator, with these definitions among its templates. */
export async function writeEarlierChart(folder: string, definitions: readonly Unstructured[]): Promise<string> {
  const { namespace, account: name, binding } = earlier;
  const labels = { 'control-plane': 'controller-manager' };
  const containers = [{ name: 'manager', image: 'ghcr.io/vitistack/kubevirt-operator:v0.0.1' }];
  const template = { metadata: { labels }, spec: { serviceAccountName: name, containers } };
  const objects = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: binding },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'kubevirt-operator' },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    },
    ...definitions,
  ];
  await mkdir(join(folder, 'templates'), { recursive: true });
  const chart = { apiVersion: 'v2', name: earlier.release, version: '0.0.1' };
  await writeFile(join(folder, 'Chart.yaml'), stringify(chart));
  await writeFile(join(folder, 'templates/all.yaml'), objects.map((one) => stringify(one)).join('---\n'));
  return folder;
}

export interface EarlierMachine {
  readonly namespace: string;
  readonly name: string;
  readonly hasCloudInit: boolean;
}

/** Creates a Machine, which asks for adoption, and the objects that its operator made; resolves when the VM runs. */
export async function createEarlierMachine(
  client: Client,
  { namespace, name, hasCloudInit }: EarlierMachine,
): Promise<void> {
  const labels = { 'vitistack.io/managed-by': 'kubevirt-operator', 'vitistack.io/machine': name };
  const metadata = { namespace, labels };
  await client.create(namespaces, { metadata: { name: namespace } });
  await client.create(networkConfigurations, { metadata: { namespace, name: 'prod' }, spec: {} });
  await client.create(machines, {
    metadata: {
      namespace,
      name,
      annotations: { 'vitistack.io/adopt': 'true' },
      finalizers: ['machine.vitistack.io/cleanup'],
    },
    spec: { template: 'small' },
  });
  const status = { phase: 'Running', vmName: `vm-${name}` };
  await client.patch(machines, { namespace, name }, { type: 'merge', body: { status } }, { subresource: 'status' });
  await client.create<KubeObject>(claims, {
    metadata: { ...metadata, name: `${name}-root` },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '3Gi' } } },
  } as KubeObject);
  const disks: object[] = [{ name: 'root', bootOrder: 1, disk: { bus: 'sata' } }];
  const volumes: object[] = [{ name: 'root', persistentVolumeClaim: { claimName: `${name}-root` } }];
  if (hasCloudInit) {
    const secret = { ...metadata, name: `vm-${name}-cloudinit` };
    const data = { userdata: Buffer.from('#cloud-config\n').toString('base64') };
    await client.create(secrets, { metadata: secret, data });
    disks.push({ name: 'cloudinit', disk: { bus: 'virtio' } });
    volumes.push({ name: 'cloudinit', cloudInitNoCloud: { secretRef: { name: secret.name } } });
  }
  await client.create<KubeObject>(virtualMachines, {
    metadata: { ...metadata, name: `vm-${name}` },
    spec: {
      runStrategy: 'Always',
      template: {
        metadata: { labels: { 'vitistack.io/machine': name } },
        spec: {
          domain: {
            cpu: { cores: 2, threads: 1, sockets: 1 },
            memory: { guest: '4Gi' },
            devices: {
              disks,
              interfaces: [{ name: 'default', macAddress: '02:12:34:56:78:9a', masquerade: {} }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes,
        },
      },
    },
  } as KubeObject);
  await until(
    `vm-${name} runs`,
    async () =>
      fields(fields(await look(client, instances, { namespace, name: `vm-${name}` }))['status'])['phase'] === 'Running',
    patient,
  );
}
