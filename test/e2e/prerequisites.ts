/** The prerequisites of a cluster, checked before anything is created there. Each problem says what to do. */
import { judgeKubeVirt, kubeVirts } from '../../packages/ssvirt/src/fleet/health/kubevirt-ready.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { quantity } from '@ssvirt/base/values/quantity';
import { dataVolumes, leases, machines, nodes, part, storageClasses, text } from './kinds.ts';
import type { Options } from './options.ts';

export interface Findings {
  /** Findings, for the user at the terminal. */
  readonly facts: readonly string[];
  /** Possible problems. */
  readonly warnings: readonly string[];
  /** Problems that prevent a run. */
  readonly problems: readonly string[];
}

type Look = (client: Client, options: Options) => Promise<Partial<Findings>>;

/** Rejects if the cluster cannot be reached at all. */
export async function look(client: Client, options: Options): Promise<Findings> {
  const all: Partial<Findings>[] = [await versionOf(client)];
  for (const one of looks) all.push(await one(client, options));
  const gather = (name: keyof Findings): readonly string[] => all.flatMap((found) => found[name] ?? []);
  return { facts: gather('facts'), warnings: gather('warnings'), problems: gather('problems') };
}

async function versionOf(client: Client): Promise<Partial<Findings>> {
  const { body } = await client.request({ method: 'GET', path: '/version' });
  return { facts: [`Kubernetes ${text(part(body)['gitVersion'])}`] };
}

const kubeVirt: Look = async (client) => {
  const installations = await listOrNone(client, kubeVirts);
  const { status, message } = judgeKubeVirt(installations);
  return status === 'True' ? { facts: [message] } : { problems: [message] };
};

const importer: Look = async (client, { doors }) => {
  if (!doors.includes('machine') && !doors.includes('order')) return {};
  if ((await listOrNone(client, dataVolumes)) !== undefined) return { facts: ['the Containerized Data Importer'] };
  return {
    problems: [
      'the cluster serves no datavolumes.cdi.kubevirt.io/v1beta1: install the Containerized Data Importer, or go through the door that needs none, with --doors tenant',
    ],
  };
};

const storage: Look = async (client, { doors, storageClass }) => {
  const classes = (await listOrNone(client, storageClasses)) ?? [];
  const names = classes.map(({ metadata }) => metadata.name ?? '');
  if (storageClass !== undefined)
    return names.includes(storageClass)
      ? { facts: [`the storage class "${storageClass}"`] }
      : { problems: [`there is no storage class "${storageClass}": name one of ${names.join(', ') || 'none'}`] };
  const main = classes.find(
    ({ metadata }) => metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true',
  );
  if (main !== undefined) return { facts: [`the default storage class "${main.metadata.name}"`] };
  if (!doors.includes('machine') && !doors.includes('order')) return {};
  return {
    problems: [
      `no storage class is the default one: name one of ${names.join(', ') || 'none'} with --storage-class NAME`,
    ],
  };
};

const places: Look = async (client) => {
  const all = (await listOrNone(client, nodes)) ?? [];
  const able = all.filter(({ metadata }) => metadata.labels?.['kubevirt.io/schedulable'] === 'true');
  if (able.length === 0)
    return {
      warnings: [
        `none of the ${all.length} nodes bears kubevirt.io/schedulable=true: look at the pods of virt-handler, or machines will stay unscheduled`,
      ],
    };
  const withKvm = able.filter(
    (node) => (quantity(part(node, 'status', 'allocatable')['devices.kubevirt.io/kvm']) ?? 0) > 0,
  );
  const how = withKvm.length === 0 ? ', none with /dev/kvm: guests are emulated, which is slow' : '';
  return { facts: [`${able.length} of ${all.length} nodes take virtual machines${how}`] };
};

/** The operators work on the entire cluster: two of them would conflict on the same objects. */
const operators = { machine: 'ssvirt-machine-operator', order: 'ssvirt-cloudkit-operator' } as const;

const others: Look = async (client, { doors }) => {
  const held = ((await listOrNone(client, leases)) ?? []).filter(isHeld);
  const problems = Object.entries(operators).flatMap(([door, name]) => {
    const lease = held.find(({ metadata }) => metadata.name === name);
    if (lease === undefined || !doors.some((one) => one === door)) return [];
    return [
      `${name} already runs in this cluster (Lease "${lease.metadata.namespace}/${name}"), and would work on the same objects: stop it, or leave this door out with --doors`,
    ];
  });
  const foreign = doors.includes('machine') ? ((await listOrNone(client, machines)) ?? []) : [];
  const [first] = foreign;
  if (first !== undefined)
    problems.push(
      `there are ${foreign.length} Machines in this cluster, "${first.metadata.namespace}/${first.metadata.name}" among them, which the operator of this run would work on: use another cluster, or leave this door out with --doors`,
    );
  return { problems };
};

const aWhileMs = 60_000;

function isHeld(lease: Unstructured): boolean {
  const { holderIdentity, renewTime } = part(lease, 'spec');
  return text(holderIdentity) !== '' && Date.now() - Date.parse(text(renewTime)) < aWhileMs;
}

/** What the processes create with the rights of the kubeconfig. */
const made: readonly (readonly [group: string, resource: string])[] = [
  ['', 'namespaces'],
  ['', 'secrets'],
  ['', 'services'],
  ['', 'persistentvolumeclaims'],
  ['', 'resourcequotas'],
  ['', 'limitranges'],
  ['networking.k8s.io', 'networkpolicies'],
  ['coordination.k8s.io', 'leases'],
  ['apiextensions.k8s.io', 'customresourcedefinitions'],
  ['kubevirt.io', 'virtualmachines'],
  ['cdi.kubevirt.io', 'datavolumes'],
  ['vitistack.io', 'machines'],
  ['cloudkit.openshift.io', 'virtualmachines'],
];

const rights: Look = async (client) => {
  const problems: string[] = [];
  for (const [group, resource] of made)
    for (const verb of ['create', 'delete']) {
      const spec = { resourceAttributes: { group, resource, verb } };
      const { body } = await client.request({
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec },
      });
      if (part(body, 'status')['allowed'] !== true)
        problems.push(
          `the kubeconfig does not allow "${verb}" on ${resource}${group && `.${group}`} in all namespaces: use that of an administrator`,
        );
    }
  return { problems };
};

const looks: readonly Look[] = [kubeVirt, importer, storage, places, others, rights];

/** Undefined if the kind is not served. */
async function listOrNone<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
): Promise<readonly T[] | undefined> {
  try {
    return (await client.list(type, {})).items;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
