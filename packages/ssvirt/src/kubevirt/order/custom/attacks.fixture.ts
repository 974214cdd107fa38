/**
 * What a user who may write orders, or a careless author of a template, could try. Each attempt must create nothing and
 * explain why.
 */
import type { OrderTemplateSpec, TemplateParameter } from '../parameters/template.ts';

export interface Attack {
  /** Continues "an order cannot". */
  readonly name: string;
  readonly parameters: readonly TemplateParameter[];
  readonly objects: readonly object[];
  /** The order's parameters; if absent, the template itself is refused. */
  readonly given?: Readonly<Record<string, unknown>>;
  readonly says: RegExp;
}

type Json = Readonly<Record<string, unknown>>;

export function asTemplate({ parameters, objects }: Attack, templateID: string): OrderTemplateSpec {
  return { templateID, parameters, objects: objects as OrderTemplateSpec['objects'] };
}

const metadata = { name: '${ORDER_NAME}' };
const open: readonly TemplateParameter[] = [{ name: 'p' }];
const bounded: readonly TemplateParameter[] = [{ name: 'p', pattern: '.*' }];

const configMap = (more: Json): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, ...more });
const secret = (more: Json): object => ({ apiVersion: 'v1', kind: 'Secret', metadata, ...more });
const service = (spec: Json): object => ({ apiVersion: 'v1', kind: 'Service', metadata, spec });
const claim = (spec: Json): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata,
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const disk = (source: Json, sourceRef?: Json): object => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata,
  spec: {
    ...(sourceRef === undefined ? { source } : { sourceRef }),
    pvc: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
});
const machine = (spec: Json, more: Json = {}): object => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata,
  spec: { running: true, template: { spec: { domain: { devices: {} }, ...spec } }, ...more },
});
const volume = (source: Json): object => machine({ volumes: [{ name: 'v', ...source }] });

export const attacks: readonly Attack[] = [
  {
    name: 'get a kind of object that is not listed',
    parameters: [],
    objects: [
      configMap({}),
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata, subjects: [] },
    ],
    says: /objects\[1\] is of kind "RoleBinding".*may only have v1 Secret/,
  },
  {
    name: 'get a listed kind of another group',
    parameters: [],
    objects: [{ apiVersion: 'cloudkit.openshift.io/v1alpha1', kind: 'VirtualMachine', metadata, spec: {} }],
    says: /is of kind "VirtualMachine" of "cloudkit\.openshift\.io\/v1alpha1"/,
  },
  {
    name: 'choose the kind of an object',
    parameters: [{ name: 'p', enum: ['ConfigMap'] }],
    objects: [{ apiVersion: 'v1', kind: '${p}', metadata }],
    says: /objects\[0\] is of kind "\$\{p\}"/,
  },
  {
    name: 'get an object in another namespace',
    parameters: [],
    objects: [configMap({ metadata: { ...metadata, namespace: 'kube-system' } })],
    says: /metadata\.namespace is "kube-system".*only made in the namespace of the order's tenant/,
  },
  {
    name: 'choose the namespace of an object',
    parameters: bounded,
    objects: [configMap({ metadata: { ...metadata, namespace: '${p}' } })],
    says: /metadata\.namespace is "\$\{p\}"/,
  },
  {
    name: 'clone a disk out of a namespace that it chooses',
    parameters: bounded,
    objects: [disk({ pvc: { namespace: '${p}', name: 'root' } })],
    says: /spec\.source\.pvc\.namespace has "\$\{p\}".*no order decides on a namespace/,
  },
  {
    name: 'take a DataSource of a namespace that it chooses, not even of a list',
    parameters: [{ name: 'p', enum: ['a', 'b'] }],
    objects: [disk({}, { kind: 'DataSource', namespace: '${p}', name: 'fedora' })],
    says: /spec\.sourceRef\.namespace has "\$\{p\}"/,
  },
  {
    name: 'take any DataSource of the namespace that the author has written',
    parameters: bounded,
    objects: [disk({}, { kind: 'DataSource', namespace: 'images', name: '${p}' })],
    says: /spec\.sourceRef\.name has "\$\{p\}".*must not reach what it did not make/,
  },
  {
    name: 'take a snapshot that bears its name',
    parameters: [],
    objects: [disk({ snapshot: { namespace: 'images', name: '${ORDER_NAME}' } })],
    says: /spec\.source\.snapshot\.name has "\$\{ORDER_NAME\}"/,
  },
  {
    name: 'clone a disk of another order',
    parameters: open,
    objects: [disk({ pvc: { namespace: '${TENANT_NAMESPACE}', name: '${p}' } })],
    given: { p: 'victim-root-disk' },
    says: /p is "victim-root-disk", but must be the name of a DataVolume or PersistentVolumeClaim that the template makes/,
  },
  {
    name: 'mount the Secret of another order',
    parameters: open,
    objects: [volume({ secret: { secretName: '${p}' } })],
    given: { p: 'victim-cloud-init' },
    says: /p is "victim-cloud-init", but must be the name of a Secret that the template makes/,
  },
  {
    name: 'mount the Secret of an order whose name begins with its own',
    parameters: open,
    objects: [volume({ secret: { secretName: '${ORDER_NAME}-${p}' } })],
    given: { p: '2-cloud-init' },
    says: /p is "2-cloud-init", but must be the name of a Secret that the template makes/,
  },
  {
    name: 'mount the Secret that its own name happens to name',
    parameters: [],
    objects: [volume({ secret: { secretName: '${ORDER_NAME}-root-password' } })],
    says: /volumes\.secret\.secretName names a Secret that the template does not create/,
  },
  {
    name: 'read user data out of a Secret that it chooses',
    parameters: bounded,
    objects: [volume({ cloudInitNoCloud: { secretRef: { name: '${p}' } } })],
    given: { p: 'victim-cloud-init' },
    says: /must be the name of a Secret that the template makes/,
  },
  {
    name: 'let keys log in out of a Secret that it chooses',
    parameters: open,
    objects: [machine({ accessCredentials: [{ sshPublicKey: { source: { secret: { secretName: '${p}' } } } }] })],
    given: { p: 'victim' },
    says: /must be the name of a Secret that the template makes/,
  },
  {
    name: 'mount the disk of another order',
    parameters: bounded,
    objects: [volume({ persistentVolumeClaim: { claimName: '${p}' } })],
    given: { p: 'victim-root-disk' },
    says: /must be the name of a DataVolume or PersistentVolumeClaim that the template makes/,
  },
  {
    name: 'mount the DataVolume of another order',
    parameters: open,
    objects: [volume({ dataVolume: { name: '${p}' } })],
    given: { p: 'victim-root-disk' },
    says: /must be the name of a DataVolume or PersistentVolumeClaim that the template makes/,
  },
  {
    name: 'mount a ConfigMap that it chooses',
    parameters: open,
    objects: [volume({ configMap: { name: '${p}' } })],
    given: { p: 'kube-root-ca.crt' },
    says: /must be the name of a ConfigMap that the template makes/,
  },
  {
    name: 'act as a service account that it chooses',
    parameters: bounded,
    objects: [volume({ serviceAccount: { serviceAccountName: '${p}' } })],
    says: /serviceAccountName has "\$\{p\}", but nothing is put there/,
  },
  {
    name: 'mount a file of the node',
    parameters: bounded,
    objects: [volume({ hostDisk: { path: '${p}', type: 'Disk' } })],
    says: /hostDisk\.path has "\$\{p\}", but nothing is put there/,
  },
  {
    name: 'join a network that it chooses',
    parameters: bounded,
    objects: [machine({ networks: [{ name: 'n', multus: { networkName: '${p}' } }] })],
    says: /networkName has "\$\{p\}", but nothing is put there/,
  },
  {
    name: 'bind a volume that it chooses',
    parameters: bounded,
    objects: [claim({ volumeName: '${p}' })],
    says: /volumeName has "\$\{p\}", but nothing is put there/,
  },
  {
    name: 'run a container beside its machine',
    parameters: bounded,
    objects: [
      machine({}, { template: { metadata: { annotations: { 'hooks.kubevirt.io/hookSidecars': '${p}' } }, spec: {} } }),
    ],
    says: /hookSidecars has "\$\{p\}", but others act on that place/,
  },
  {
    name: 'lead its Service to the machines of others',
    parameters: bounded,
    objects: [service({ selector: { 'kubevirt.io/vm': '${p}' }, ports: [{ port: 22 }] })],
    says: /spec\.selector\.kubevirt\.io\/vm has "\$\{p\}"/,
  },
  {
    name: 'take the traffic of an address',
    parameters: [],
    objects: [service({ externalIPs: ['10.0.0.1'], ports: [{ port: 443 }] })],
    says: /spec\.externalIPs sends traffic outside of the order/,
  },
  {
    name: 'lead its Service elsewhere by its type',
    parameters: [{ name: 'p', enum: ['ClusterIP', 'ExternalName'] }],
    objects: [service({ type: '${p}', ports: [{ port: 443 }] })],
    given: { p: 'ExternalName' },
    says: /p is "ExternalName", but must be another type of Service/,
  },
  {
    name: 'have a Secret sent to a host that it chooses',
    parameters: open,
    objects: [disk({ http: { url: '${p}', secretRef: 'registry-login' } })],
    says: /spec\.source\.http\.url has "\$\{p\}", but a Secret is sent to that address/,
  },
  {
    name: 'have headers of the author sent to a host that it chooses',
    parameters: open,
    objects: [disk({ http: { url: '${p}', extraHeaders: ['Authorization: Bearer x'] } })],
    says: /spec\.source\.http\.url has "\$\{p\}", but a Secret is sent to that address/,
  },
  {
    name: 'pull any image with the login of the author',
    parameters: open,
    objects: [volume({ containerDisk: { image: '${p}', imagePullSecret: 'registry-login' } })],
    says: /containerDisk\.image has "\$\{p\}", but a Secret is sent to that address/,
  },
  {
    name: 'show a password in its status',
    parameters: open,
    objects: [disk({ http: { url: '${p}' } })],
    given: { p: 'https://me:hush@example.org/a' },
    says: /p is "https:\/\/\*\*\*@example\.org\/a", but must be an address .* without spaces or a password/,
  },
  {
    name: 'import a disk from inside of the cluster',
    parameters: open,
    objects: [disk({ http: { url: '${p}' } })],
    given: { p: 'http://169.254.169.254/latest/meta-data' },
    says: /p is "http:\/\/169\.254\.169\.254\/latest\/meta-data", but must be an address outside of the cluster/,
  },
  {
    name: 'change the host of an image',
    parameters: open,
    objects: [disk({ registry: { url: 'docker://quay.io${p}' } })],
    says: /url has "\$\{p\}", but part of an address is only put behind its host/,
  },
  {
    name: 'leave the folder of an image',
    parameters: open,
    objects: [disk({ registry: { url: 'docker://quay.io/team/${p}' } })],
    given: { p: '../other/image' },
    says: /p is "\.\.\/other\/image", but must be part of an address/,
  },
  {
    name: 'get a token of a service account',
    parameters: [],
    objects: [secret({ type: 'kubernetes.io/service-account-token' })],
    says: /type is "kubernetes\.io\/service-account-token"; the operator makes Secrets of type "Opaque" only/,
  },
  {
    name: 'pass for the object of another order',
    parameters: [],
    objects: [configMap({ metadata: { ...metadata, labels: { 'ssvirt.io/parent-uid': 'x' } } })],
    says: /metadata\.labels has "ssvirt\.io\/parent-uid", which the operator sets itself/,
  },
  {
    name: 'hang on an owner, or hinder a deletion',
    parameters: [],
    objects: [configMap({ metadata: { ...metadata, ownerReferences: [], finalizers: ['a/b'] } })],
    says: /metadata has "finalizers", but may only have name, namespace, labels, annotations/,
  },
  {
    name: 'have a name that is not its own',
    parameters: bounded,
    objects: [configMap({ metadata: { name: '${p}' } })],
    says: /metadata\.name is "\$\{p\}", but must be "\$\{ORDER_NAME\}" or begin with "\$\{ORDER_NAME\}-"/,
  },
  {
    name: 'have a name that Kubernetes does not take',
    parameters: open,
    objects: [configMap({ metadata: { name: '${ORDER_NAME}-${p}' } })],
    given: { p: '../x' },
    says: /p is "\.\.\/x", but must be such that the name of the object/,
  },
  {
    name: 'choose the name of a field',
    parameters: bounded,
    objects: [configMap({ data: { '${p}': 'x' } })],
    says: /has "\$\{p\}" for the name of a field/,
  },
  {
    name: 'write any text where others read it',
    parameters: open,
    objects: [machine({ priorityClassName: '${p}' })],
    says: /priorityClassName has "\$\{p\}", which may be any text/,
  },
  {
    name: 'write any text where its name alone speaks of a guest',
    parameters: open,
    objects: [machine({ nodeSelector: { hostname: '${p}' } })],
    says: /nodeSelector\.hostname has "\$\{p\}", which may be any text/,
  },
  {
    name: 'nest lists without end',
    parameters: [],
    objects: [machine({ x: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown })],
    says: /is nested more than 40 deep/,
  },
  {
    name: 'have disks made by its machine',
    parameters: [],
    objects: [machine({}, { dataVolumeTemplates: [{ metadata: { name: 'x' }, spec: {} }] })],
    says: /dataVolumeTemplates would create disks outside of the order/,
  },
  {
    name: 'clone a boot image from a namespace that the author has written',
    parameters: [],
    objects: [disk({}, { kind: 'DataSource', namespace: 'tenant-b', name: 'golden' })],
    says: /objects\[0\] \(DataVolume\) spec\.sourceRef\.namespace is "tenant-b"; disks are cloned from boot images, which are in .* \(cloudkit\.imageNamespaces\)/,
  },
  {
    name: 'clone a boot image of its own, behind which is whatever it says',
    parameters: [],
    objects: [disk({}, { kind: 'DataSource', namespace: '${TENANT_NAMESPACE}', name: 'mine' })],
    says: /spec\.sourceRef\.namespace is "tenant[a-z-]*"; disks are cloned from boot images/,
  },
  {
    name: 'clone by another kind of reference',
    parameters: [],
    objects: [disk({}, { kind: 'VirtualMachineSnapshot', namespace: 'images', name: 'x' })],
    says: /spec\.sourceRef\.kind is "VirtualMachineSnapshot"; a disk is made from a DataSource/,
  },
  {
    name: 'clone a disk from a namespace that the author has written',
    parameters: [],
    objects: [disk({ pvc: { namespace: 'tenant-b', name: 'root' } })],
    says: /spec\.source\.pvc\.namespace is "tenant-b"; disks are cloned from/,
  },
  {
    name: 'clone a disk from a namespace that the author has written, where a parameter has a pattern',
    parameters: [{ name: 'p', pattern: '[0-9]{4}', required: true }],
    objects: [configMap({ data: { text: '${p}' } }), disk({ pvc: { namespace: 'tenant-b', name: 'root' } })],
    says: /objects\[1\] \(DataVolume\) spec\.source\.pvc\.namespace is "tenant-b"|p is not given/,
  },
  {
    name: 'clone what bears the name of the order where the images are',
    parameters: [],
    objects: [disk({ pvc: { namespace: 'kubevirt-os-images', name: '${ORDER_NAME}' } })],
    says: /objects\[0\] \(DataVolume\) spec\.source\.pvc\.name is ".*"; only the template itself may choose a claim or snapshot in kubevirt-os-images/,
  },
  {
    name: 'clone what bears the name of its own disk where the images are',
    parameters: open,
    objects: [
      {
        ...disk({ pvc: { namespace: 'kubevirt-os-images', name: '${ORDER_NAME}-${p}' } }),
        metadata: { name: '${ORDER_NAME}-${p}' },
      },
    ],
    given: { p: 'golden' },
    says: /p is "golden", but must be .*the field is "[a-z0-9-]+-golden"; only the template itself may choose a claim or snapshot in kubevirt-os-images/,
  },
  {
    name: 'take the data of what bears its name where the images are',
    parameters: [],
    objects: [
      claim({
        dataSourceRef: { kind: 'PersistentVolumeClaim', namespace: 'kubevirt-os-images', name: '${ORDER_NAME}' },
      }),
    ],
    says: /spec\.dataSourceRef\.name is ".*"; a parameter may only name a DataVolume or PersistentVolumeClaim that the template makes itself/,
  },
  {
    name: 'clone a snapshot from a namespace that the author has written',
    parameters: [],
    objects: [disk({ snapshot: { namespace: 'tenant-b', name: 's' } })],
    says: /spec\.source\.snapshot\.namespace is "tenant-b"; disks are cloned from/,
  },
  {
    name: 'take the data of a claim from a namespace that the author has written',
    parameters: [],
    objects: [claim({ dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'root', namespace: 'tenant-b' } })],
    says: /spec\.dataSourceRef\.namespace is "tenant-b"; an object may only refer to its own tenant's namespace/,
  },
  {
    name: 'fill a disk from an unknown source',
    parameters: [],
    objects: [disk({ volume: { handle: 'x' } })],
    says: /spec\.source is of the type "volume"; allowed are blank/,
  },
  {
    name: 'clone by the annotation of a claim',
    parameters: [{ name: 'a', enum: ['tenant-b'] }],
    objects: [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { ...metadata, annotations: { 'k8s.io/CloneRequest': '${a}/root' } },
        spec: {},
      },
    ],
    given: { a: 'tenant-b' },
    says: /a is "tenant-b", but must be one that may be put there: the field is "tenant-b\/root"; a disk must declare its source in its spec/,
  },
  {
    name: 'import from a host that is put together from several parameters',
    parameters: [
      { name: 'a', enum: ['minio', 'mirror'] },
      { name: 'b', enum: ['tenant-b.svc', 'example.org'] },
    ],
    objects: [disk({ http: { url: 'https://${a}.${b}/disk.qcow2' } })],
    given: { a: 'minio', b: 'tenant-b.svc' },
    says: /a is "minio", but must be .*the field is "https:\/\/minio\.tenant-b\.svc\/disk\.qcow2"; a disk may not be imported from inside of the cluster/,
  },
  {
    name: 'import from a host inside of the cluster that the author has listed',
    parameters: [{ name: 'p', enum: ['http://169.254.169.254/latest', 'https://example.org/disk'] }],
    objects: [disk({ http: { url: '${p}' } })],
    given: { p: 'http://169.254.169.254/latest' },
    says: /p is "http:\/\/169\.254\.169\.254\/latest", but must be .*a disk may not be imported from inside of the cluster/,
  },
  {
    name: 'import from a host inside of the cluster that the author has written',
    parameters: [{ name: 'p' }],
    objects: [disk({ http: { url: 'http://kubernetes.default.svc/${p}' } })],
    says: /spec\.source\.http\.url is "http:\/\/kubernetes\.default\.svc\/.*"; a disk may not be imported from inside of the cluster/,
  },
  {
    name: 'show a password that the author has written in an address',
    parameters: [],
    objects: [disk({ http: { url: 'https://me:hush@example.org/a' } })],
    says: /url is "https:\/\/\*\*\*@example\.org\/a"; an address may not contain credentials/,
  },
  {
    name: 'import a file of the importer',
    parameters: open,
    objects: [disk({ registry: { url: '${p}' } })],
    given: { p: 'oci-archive://var/run/secrets' },
    says: /p is "oci-archive:\/\/var\/run\/secrets", but must be an address with docker:\/\//,
  },
  {
    name: 'run an image that is none',
    parameters: open,
    objects: [volume({ containerDisk: { image: 'quay.io/team/${p}' } })],
    given: { p: 'a:b:c' },
    says: /p is "a:b:c", but must be .*the field is "quay\.io\/team\/a:b:c"; that is not a container image reference/,
  },
  {
    name: 'join a network of another namespace that the author has written',
    parameters: [],
    objects: [machine({ networks: [{ name: 'n', multus: { networkName: 'tenant-b/lan' } }] })],
    says: /networkName is "tenant-b\/lan"; a machine may only join networks of its tenant's namespace/,
  },
  {
    name: 'attach a network by an annotation whose parts the author has listed',
    parameters: [{ name: 'a', enum: ['tenant-b'] }],
    objects: [
      machine({}, { template: { metadata: { annotations: { 'k8s.v1.cni.cncf.io/networks': '${a}/lan' } }, spec: {} } }),
    ],
    given: { a: 'tenant-b' },
    says: /the field is "tenant-b\/lan"; an annotation may not attach networks or containers to a machine/,
  },
  {
    name: 'run a container beside its machine that the author has written',
    parameters: [],
    objects: [
      machine({}, { template: { metadata: { annotations: { 'hooks.kubevirt.io/hookSidecars': '[]' } }, spec: {} } }),
    ],
    says: /hookSidecars is "\[\]"; an annotation may not attach networks or containers/,
  },
  {
    name: 'mount a file of the node that the author has written',
    parameters: [],
    objects: [volume({ hostDisk: { path: '/var/disk.img', type: 'Disk' } })],
    says: /spec\.template\.spec\.volumes has a volume of the type "hostDisk"; allowed are/,
  },
  {
    name: 'act as the service account that the author has written',
    parameters: [],
    objects: [volume({ serviceAccount: { serviceAccountName: 'default' } })],
    says: /has a volume of the type "serviceAccount"; allowed are/,
  },
  {
    name: 'land near machines of other namespaces',
    parameters: [],
    objects: [machine({ affinity: { podAffinity: { x: [{ namespaces: ['tenant-b'] }] } } })],
    says: /namespaces is "tenant-b"; an object may only refer to its own tenant's namespace/,
  },
  {
    name: 'choose its node by a pattern that takes any',
    parameters: bounded,
    objects: [machine({ nodeSelector: { 'kubernetes.io/hostname': '${p}' } })],
    given: { p: 'control-plane-1' },
    says: /p is "control-plane-1", but must be .*only the template may set that/,
  },
  {
    name: 'displace others by a priority class of a pattern that takes any',
    parameters: bounded,
    objects: [machine({ priorityClassName: 'system-${p}' })],
    given: { p: 'cluster-critical' },
    says: /the field is "system-cluster-critical"; only the template may set that/,
  },
];
