/**
 * What the recorded cluster contained besides KubeVirt: "also present, made by hand", and the instance types that the
 * scenarios name.
 */
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { isObject } from '../../packages/sandbox/src/values/json.ts';
import type { Sender } from './sender.ts';
import { readScenario, scenarioIds } from './transcripts.ts';

interface Placed {
  /** The path of the collection. */
  readonly path: string;
  readonly object: JsonObject;
  /** Set if the kind has a status subresource. */
  readonly statusApart?: boolean;
}

const storageClass = (name: string, volumeBindingMode: string, isDefault: boolean): Placed => ({
  path: '/apis/storage.k8s.io/v1/storageclasses',
  object: {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name,
      ...(isDefault ? { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } : {}),
    },
    provisioner: 'csi.example',
    reclaimPolicy: 'Delete',
    volumeBindingMode,
  },
});

const storageProfile = (name: string): Placed => ({
  path: '/apis/cdi.kubevirt.io/v1beta1/storageprofiles',
  object: { apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'StorageProfile', metadata: { name }, spec: {} },
});

const amounts: JsonObject = {
  cpu: '16',
  memory: '64Gi',
  pods: '110',
  'ephemeral-storage': '100Gi',
  'devices.kubevirt.io/kvm': '1k',
  'devices.kubevirt.io/tun': '1k',
  'devices.kubevirt.io/vhost-net': '1k',
};

const node = (name: string, address: string): Placed => ({
  path: '/api/v1/nodes',
  statusApart: true,
  object: {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/os': 'linux',
        'kubevirt.io/schedulable': 'true',
        'cpu-vendor.node.kubevirt.io/Intel': 'true',
        'host-model-cpu.node.kubevirt.io/Skylake-Server': 'true',
        'machine-type.node.kubevirt.io/q35': 'true',
      },
    },
    spec: {},
    status: {
      capacity: amounts,
      allocatable: amounts,
      addresses: [{ type: 'InternalIP', address }],
      conditions: [
        { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
      ],
    },
  },
});

const virtHandlerPod = (nodeName: string): Placed => ({
  path: '/api/v1/namespaces/kubevirt/pods',
  statusApart: true,
  object: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `virt-handler-${nodeName}`, namespace: 'kubevirt', labels: { 'kubevirt.io': 'virt-handler' } },
    spec: { nodeName, containers: [{ name: 'virt-handler', image: 'virt-handler:v1.9.0' }] },
    status: {
      phase: 'Running',
      podIP: '127.0.0.1',
      podIPs: [{ ip: '127.0.0.1' }],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  },
});

const kubevirt: Placed = {
  path: '/apis/kubevirt.io/v1/namespaces/kubevirt/kubevirts',
  object: {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    // Recorded with an empty spec, one scenario at a time. Here many migrate at once, and away from the same node.
    spec: {
      workloadUpdateStrategy: { workloadUpdateMethods: [] },
      configuration: { migrations: { parallelMigrationsPerCluster: 100, parallelOutboundMigrationsPerNode: 100 } },
    },
  },
};

const cdiConfig: Placed = {
  path: '/apis/cdi.kubevirt.io/v1beta1/cdiconfigs',
  statusApart: true,
  object: {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'CDIConfig',
    metadata: { name: 'config' },
    spec: {},
    status: { filesystemOverhead: { global: '0.06', storageClass: { std: '0.06', wffc: '0.06' } } },
  },
};

/** The rights that KubeVirt grants everyone. */
const everybody: readonly Placed[] = [
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'kubevirt.io:default' },
      rules: [{ apiGroups: ['subresources.kubevirt.io'], resources: ['version', 'guestfs'], verbs: ['get', 'list'] }],
    },
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'kubevirt.io:default' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'kubevirt.io:default' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:authenticated' }],
    },
  },
];

const collections: Readonly<Record<string, string>> = {
  VirtualMachineClusterInstancetype: 'virtualmachineclusterinstancetypes',
  VirtualMachineClusterPreference: 'virtualmachineclusterpreferences',
};

/** The cluster-wide instance types and preferences, from their recorded ControllerRevisions. */
function instancetypes(): Placed[] {
  const scenarios = scenarioIds().filter((id) => id.startsWith('instancetype/'));
  const events = scenarios.flatMap((id) => readScenario(id).steps.flatMap((step) => step.events));
  const recorded = events.flatMap(({ kind, type, after }) => {
    const data = kind === 'ControllerRevision' && type === 'ADDED' ? after['data'] : undefined;
    const plural = isObject(data) ? collections[String(data['kind'])] : undefined;
    if (!isObject(data) || plural === undefined) return [];
    return [clusterWide(plural, data, String((data['metadata'] as JsonObject)['name']))];
  });
  return [...recorded, ...named];
}

const clusterWide = (plural: string, object: JsonObject, name: string): Placed => ({
  path: `/apis/instancetype.kubevirt.io/v1beta1/${plural}`,
  object: { ...object, metadata: { name } },
});

/**
 * An instance type and a preference that do not fit together; an admission case names them, and no recording contains
 * them.
 */
const named: readonly Placed[] = [
  clusterWide(
    'virtualmachineclusterinstancetypes',
    {
      apiVersion: 'instancetype.kubevirt.io/v1beta1',
      kind: 'VirtualMachineClusterInstancetype',
      spec: { cpu: { guest: 1 }, memory: { guest: '512Mi' } },
    },
    'u1.nano',
  ),
  clusterWide(
    'virtualmachineclusterpreferences',
    {
      apiVersion: 'instancetype.kubevirt.io/v1beta1',
      kind: 'VirtualMachineClusterPreference',
      spec: { requirements: { cpu: { guest: 2 }, memory: { guest: '4Gi' } } },
    },
    'windows.11',
  ),
];

/** Creates what does not exist yet. */
export async function furnish(sender: Sender): Promise<void> {
  const all = [
    storageClass('std', 'Immediate', true),
    storageClass('wffc', 'WaitForFirstConsumer', false),
    storageProfile('std'),
    storageProfile('wffc'),
    cdiConfig,
    kubevirt,
    ...everybody,
    node('node01', '192.0.2.11'),
    node('node02', '192.0.2.12'),
    virtHandlerPod('node01'),
    virtHandlerPod('node02'),
    ...instancetypes(),
  ];
  for (const placed of all) await place(sender, placed);
}

/** The simulated virt-operator has already created it, with an empty spec. */
async function configure(sender: Sender, path: string, object: JsonObject): Promise<void> {
  const { status, body } = await sender.send({
    user: 'admin',
    method: 'PATCH',
    path: `${path}/${String((object['metadata'] as JsonObject)['name'])}`,
    contentType: 'application/merge-patch+json',
    body: { spec: object['spec'] },
  });
  if (status !== 200) throw new Error(`cannot configure KubeVirt: ${status} ${JSON.stringify(body)}`);
}

async function place(sender: Sender, { path, object, statusApart }: Placed): Promise<void> {
  const told = `${String(object['kind'])} ${String((object['metadata'] as JsonObject)['name'])}`;
  const made = await sender.send({ user: 'admin', method: 'POST', path, body: object });
  if (made.status >= 300 && made.status !== 409)
    throw new Error(`cannot furnish ${told}: ${made.status} ${JSON.stringify(made.body)}`);
  if (made.status === 409 && object['kind'] === 'KubeVirt') await configure(sender, path, object);
  if (statusApart !== true) return;
  const set = await sender.send({
    user: 'admin',
    method: 'PATCH',
    path: `${path}/${String((object['metadata'] as JsonObject)['name'])}/status`,
    contentType: 'application/merge-patch+json',
    body: { status: object['status'] },
  });
  // A definition without the subresource takes the status with the object.
  if (set.status >= 300 && set.status !== 404)
    throw new Error(`cannot furnish the status of ${told}: ${set.status} ${JSON.stringify(set.body)}`);
}
