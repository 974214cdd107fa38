/**
 * What a tenant could try with the parameters of a template, and what no template may create, whoever wrote it. Each
 * attempt must be refused with an explanation.
 */

export interface Attack {
  /** Continues "a template cannot". */
  readonly name: string;
  readonly objects: readonly object[];
  /** The template's own defaults, written by its author; the caller gives `given`. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly given?: Readonly<Record<string, string>>;
  /** The parameter that is blamed; absent if the template itself is. */
  readonly parameter?: string;
  readonly says: RegExp;
}

type Json = Readonly<Record<string, unknown>>;

const metadata = { name: '${NAME}' };

export const machine = (spec: Json, more: Json = {}, meta: Json = {}): object => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { ...metadata, ...meta },
  spec: { runStrategy: 'Halted', template: { spec: { domain: { devices: {} }, ...spec } }, ...more },
});
export const cloned = (spec: Json): object =>
  machine(
    { volumes: [{ name: 'root', dataVolume: { name: '${NAME}' } }] },
    { dataVolumeTemplates: [{ metadata: { name: '${NAME}' }, spec: { ...spec, storage: {} } }] },
  );
const volume = (source: Json): object => machine({ volumes: [{ name: 'v', ...source }] });
const annotated = (annotations: Json): object =>
  machine({}, { template: { metadata: { annotations }, spec: { domain: { devices: {} } } } });
const disk = (spec: Json, meta: Json = {}): object => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata: { name: 'd', ...meta },
  spec,
});
const claim = (spec: Json, meta: Json = {}): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'c', ...meta },
  spec,
});
const core = (kind: string, more: Json): object => ({ apiVersion: 'v1', kind, metadata, ...more });

const image = { kind: 'DataSource', name: '${DATA_SOURCE_NAME}', namespace: '${DATA_SOURCE_NAMESPACE}' };
const images = { DATA_SOURCE_NAME: 'fedora', DATA_SOURCE_NAMESPACE: 'images' };

export const attacks: readonly Attack[] = [
  {
    name: 'clone a boot image of another tenant, whose namespace a parameter names',
    objects: [cloned({ sourceRef: image })],
    defaults: images,
    given: { DATA_SOURCE_NAMESPACE: 'tenant-b' },
    parameter: 'DATA_SOURCE_NAMESPACE',
    says: /dataVolumeTemplates\.spec\.sourceRef\.namespace is "tenant-b"; disks are cloned from boot images, which are in images/,
  },
  {
    name: 'clone what is no boot image in the namespace of the images',
    objects: [cloned({ sourceRef: image })],
    defaults: images,
    given: { DATA_SOURCE_NAME: 'internal' },
    parameter: 'DATA_SOURCE_NAME',
    says: /sourceRef\.name is "internal"; no such image/,
  },
  {
    name: 'clone from a namespace that its author has written',
    objects: [cloned({ sourceRef: { kind: 'DataSource', name: 'golden', namespace: 'tenant-b' } })],
    says: /sourceRef\.namespace is "tenant-b"/,
  },
  {
    name: 'clone a DataSource of the virtual data center, behind which is whatever it says',
    objects: [cloned({ sourceRef: { kind: 'DataSource', name: '${X}' } })],
    given: { X: 'mine' },
    parameter: 'X',
    says: /sourceRef\.namespace is ""/,
  },
  {
    name: 'clone by another kind of reference',
    objects: [cloned({ sourceRef: { kind: '${X}', name: 'fedora', namespace: 'images' } })],
    given: { X: 'VirtualMachineSnapshot' },
    says: /sourceRef\.kind is "VirtualMachineSnapshot"; a disk is made from a DataSource/,
  },
  {
    name: 'put a namespace together from several parameters',
    objects: [cloned({ sourceRef: { ...image, namespace: '${A}-${B}' } })],
    defaults: { ...images, A: 'tenant' },
    given: { B: 'b' },
    parameter: 'B',
    says: /namespace is "tenant-b"/,
  },
  {
    name: 'have one parameter bring another one into place',
    objects: [cloned({ sourceRef: { ...image, namespace: '${A}${B}' } })],
    defaults: { ...images, A: 'images' },
    given: { A: '${B}', B: 'tenant-b' },
    parameter: 'A',
    says: /namespace is "tenant-b\$\{B\}"/,
  },
  {
    name: 'give a namespace as JSON',
    objects: [cloned({ sourceRef: { ...image, namespace: '${{DATA_SOURCE_NAMESPACE}}' } })],
    defaults: images,
    given: { DATA_SOURCE_NAMESPACE: '"tenant-b"' },
    parameter: 'DATA_SOURCE_NAMESPACE',
    says: /namespace is "tenant-b"/,
  },
  {
    name: 'give a whole source as JSON',
    objects: [cloned({ source: '${{X}}' })],
    given: { X: '{"pvc":{"namespace":"tenant-b","name":"root"}}' },
    parameter: 'X',
    says: /spec\.source accepts a number, a boolean, a string or a list of these, but no JSON object/,
  },
  {
    name: 'give volumes as JSON',
    objects: [machine({ volumes: '${{X}}' })],
    given: { X: '[{"name":"v","hostDisk":{"path":"/etc/shadow","type":"Disk"}}]' },
    parameter: 'X',
    says: /volumes accepts a number/,
  },
  {
    name: 'be nested without end by a value',
    objects: [machine({ x: '${{X}}' })],
    given: { X: `${'['.repeat(500)}${']'.repeat(500)}` },
    parameter: 'X',
    says: /accepts a number/,
  },
  {
    name: 'be nested without end',
    objects: [machine({ x: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown })],
    says: /is nested more than 40 levels deep/,
  },
  {
    name: 'choose the name of a field',
    objects: [machine({ volumes: [{ name: 'v', '${X}': { path: '/etc/shadow', type: 'Disk' } }] })],
    given: { X: 'hostDisk' },
    parameter: 'X',
    says: /only the template may set field names/,
  },
  {
    name: 'choose the key of a label, such as those that say whose an object is',
    objects: [machine({}, {}, { labels: { '${X}': 'x' } })],
    given: { X: 'vapp.ssvirt.io/vapp-id' },
    parameter: 'X',
    says: /metadata\.labels gets a field of that name/,
  },
  {
    name: 'clone a claim of another tenant',
    objects: [disk({ source: { pvc: { namespace: '${X}', name: 'root' } } })],
    given: { X: 'tenant-b' },
    parameter: 'X',
    says: /spec\.source\.pvc\.namespace is "tenant-b"/,
  },
  {
    name: 'clone a claim of another tenant for a machine',
    objects: [cloned({ source: { pvc: { namespace: '${X}', name: 'root' } } })],
    given: { X: 'tenant-b' },
    parameter: 'X',
    says: /dataVolumeTemplates\.spec\.source\.pvc\.namespace is "tenant-b"/,
  },
  {
    name: 'clone a disk of another machine of its virtual data center, which a parameter names',
    objects: [cloned({ source: { pvc: { namespace: 'vdc-a', name: '${X}' } } })],
    given: { X: 'victim-root' },
    parameter: 'X',
    says: /pvc\.name is "victim-root"; a parameter may only name a disk that the template makes itself/,
  },
  {
    name: 'clone a snapshot of another tenant',
    objects: [disk({ source: { snapshot: { namespace: '${X}', name: 's' } } })],
    given: { X: 'tenant-b' },
    parameter: 'X',
    says: /source\.snapshot\.namespace is "tenant-b"/,
  },
  ...(['pvc', 'snapshot'] as const).flatMap((type): readonly Attack[] => [
    {
      name: `clone what is no boot image in the namespace of the images, as a ${type}`,
      objects: [cloned({ source: { [type]: { namespace: 'images', name: '${X}' } } })],
      defaults: { X: 'fedora-1' },
      given: { X: 'internal' },
      parameter: 'X',
      says: new RegExp(
        `source\\.${type}\\.name is "internal"; only the template itself may choose a claim or snapshot in images; keep its value`,
      ),
    },
    {
      name: `clone what bears the name that its author has written, as a ${type} of the images`,
      objects: [disk({ source: { [type]: { namespace: '${X}', name: 'root' } } })],
      defaults: { X: 'vdc-a' },
      given: { X: 'images' },
      parameter: 'X',
      says: new RegExp(`source\\.${type}\\.namespace is "images"; only the template itself may choose`),
    },
    {
      name: `clone what bears the name of its own disk, as a ${type} of the images`,
      objects: [cloned({ source: { [type]: { namespace: 'images', name: '${NAME}' } } })],
      given: { NAME: 'internal' },
      parameter: 'NAME',
      says: new RegExp(`source\\.${type}\\.name is "internal"; only the template itself may choose`),
    },
  ]),
  {
    name: 'take the data of what bears the name of its own claim among the images',
    objects: [
      claim({ dataSourceRef: { kind: 'PersistentVolumeClaim', namespace: 'images', name: '${X}' } }, { name: '${X}' }),
    ],
    given: { X: 'internal' },
    parameter: 'X',
    says: /spec\.dataSourceRef\.name is "internal"; a parameter may only name/,
  },
  {
    name: 'take the data of a claim of the images by their namespace',
    objects: [claim({ dataSourceRef: { kind: 'PersistentVolumeClaim', namespace: '${X}', name: 'root' } })],
    given: { X: 'images' },
    parameter: 'X',
    says: /spec\.dataSourceRef\.namespace is "images"; only the template itself may choose/,
  },
  {
    name: 'fill a disk from an unknown source',
    objects: [disk({ source: { volume: { handle: 'x' } } })],
    says: /spec\.source is of the type "volume"; allowed are blank/,
  },
  {
    name: 'take the data of a claim from another namespace',
    objects: [claim({ dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'root', namespace: '${X}' } })],
    given: { X: 'tenant-b' },
    parameter: 'X',
    says: /spec\.dataSourceRef\.namespace is "tenant-b"; an object may only refer to its own virtual data center/,
  },
  {
    name: 'take the data of a disk from another namespace',
    objects: [disk({ storage: { dataSourceRef: { kind: 'VolumeSnapshot', name: 'x', namespace: 'tenant-b' } } })],
    says: /spec\.storage\.dataSourceRef\.namespace is "tenant-b"/,
  },
  {
    name: 'take the data of a claim from another machine of its virtual data center',
    objects: [claim({ dataSource: { kind: 'PersistentVolumeClaim', name: '${X}' } })],
    given: { X: 'victim-root' },
    parameter: 'X',
    says: /spec\.dataSource\.name is "victim-root"; a parameter may only name a DataVolume or PersistentVolumeClaim/,
  },
  {
    name: 'clone by the annotation of a claim',
    objects: [claim({}, { annotations: { 'k8s.io/CloneRequest': 'tenant-b/root' } })],
    says: /a disk must declare its source in its spec/,
  },
  {
    name: 'import by the annotations of a claim',
    objects: [claim({}, { annotations: { 'cdi.kubevirt.io/storage.import.endpoint': '${X}' } })],
    given: { X: 'http://169.254.169.254/' },
    says: /a disk must declare its source in its spec/,
  },
  {
    name: 'bind a volume that a parameter names',
    objects: [claim({ volumeName: '${X}' })],
    given: { X: 'pv-of-b' },
    parameter: 'X',
    says: /spec\.volumeName is "pv-of-b"; only the template may set that/,
  },
  {
    name: 'import from inside of the cluster',
    objects: [cloned({ source: { http: { url: '${X}' } } })],
    given: { X: 'http://169.254.169.254/latest/meta-data' },
    parameter: 'X',
    says: /a disk may not be imported from inside of the cluster/,
  },
  {
    name: 'import from a host that a parameter names, inside of the cluster',
    objects: [disk({ source: { http: { url: 'https://${X}/disk.qcow2' } } })],
    given: { X: 'minio.tenant-b.svc' },
    parameter: 'X',
    says: /a disk may not be imported from inside of the cluster/,
  },
  {
    name: 'import a file of the importer',
    objects: [disk({ source: { registry: { url: '${X}' } } })],
    given: { X: 'oci-archive:///var/run/secrets' },
    parameter: 'X',
    says: /that is no http:\/\/, https:\/\/ or docker:\/\/ address/,
  },
  {
    name: 'show a password in the address of a disk',
    objects: [disk({ source: { http: { url: 'https://me:word@images.example/a' } } })],
    says: /an address may not contain credentials/,
  },
  {
    name: 'run an image that is none',
    objects: [volume({ containerDisk: { image: '${X}' } })],
    given: { X: 'docker://a b' },
    parameter: 'X',
    says: /that is not a container image reference/,
  },
  {
    name: 'mount the disk of another machine',
    objects: [volume({ persistentVolumeClaim: { claimName: '${X}' } })],
    given: { X: 'victim-root' },
    parameter: 'X',
    says: /claimName is "victim-root"; a parameter may only name a DataVolume or PersistentVolumeClaim that the template makes itself/,
  },
  {
    name: 'mount the cloud-init of another machine, with its passwords',
    objects: [volume({ secret: { secretName: '${X}' } })],
    given: { X: 'victim-cloudinit' },
    parameter: 'X',
    says: /may only name a Secret that the template makes itself/,
  },
  {
    name: 'start with the cloud-init of another machine',
    objects: [volume({ cloudInitNoCloud: { secretRef: { name: '${NAME}-${X}' } } })],
    given: { X: 'cloudinit' },
    parameter: 'X',
    says: /may only name a Secret that the template makes itself/,
  },
  {
    name: 'take the keys of another machine',
    objects: [machine({ accessCredentials: [{ sshPublicKey: { source: { secret: { secretName: '${X}' } } } }] })],
    given: { X: 'victim-ssh' },
    parameter: 'X',
    says: /may only name a Secret that the template makes itself/,
  },
  {
    name: 'send a Secret of the virtual data center to a host',
    objects: [disk({ source: { http: { url: 'https://images.example/a', secretRef: '${X}' } } })],
    given: { X: 'victim-cloudinit' },
    parameter: 'X',
    says: /may only name a Secret that the template makes itself/,
  },
  {
    name: 'mount a ConfigMap that a parameter names',
    objects: [volume({ configMap: { name: '${X}' } })],
    given: { X: 'kube-root-ca.crt' },
    parameter: 'X',
    says: /may only name a ConfigMap that the template makes itself/,
  },
  {
    name: 'mount the token of a service account',
    objects: [volume({ serviceAccount: { serviceAccountName: 'default' } })],
    says: /has a volume of the type "serviceAccount"; allowed are/,
  },
  {
    name: 'mount a file of the node',
    objects: [volume({ hostDisk: { path: '/etc/shadow', type: 'Disk' } })],
    says: /has a volume of the type "hostDisk"/,
  },
  {
    name: 'join a network of another namespace',
    objects: [machine({ networks: [{ name: 'n', multus: { networkName: '${X}' } }] })],
    given: { X: 'tenant-b/secret-lan' },
    parameter: 'X',
    says: /networkName is "tenant-b\/secret-lan"; a machine may only join networks of its virtual data center/,
  },
  {
    name: 'join a network of another namespace that its author has written',
    objects: [machine({ networks: [{ name: 'n', multus: { networkName: 'kube-system/lan' } }] })],
    says: /may only join networks of its virtual data center/,
  },
  {
    name: 'attach a network by an annotation',
    objects: [annotated({ 'k8s.v1.cni.cncf.io/networks': '${X}' })],
    given: { X: 'tenant-b/secret-lan' },
    says: /an annotation may not attach networks or containers/,
  },
  {
    name: 'change the default network of a machine by an annotation',
    objects: [annotated({ 'v1.multus-cni.io/default-network': 'tenant-b/lan' })],
    says: /an annotation may not attach networks or containers/,
  },
  {
    name: 'run a container beside a machine',
    objects: [annotated({ 'hooks.kubevirt.io/hookSidecars': '[{"image":"evil"}]' })],
    says: /an annotation may not attach networks or containers/,
  },
  {
    name: 'tell KubeVirt something by an annotation that a parameter fills',
    objects: [annotated({ 'kubevirt.io/libvirt-log-filters': '${X}' })],
    given: { X: '1:*' },
    parameter: 'X',
    says: /only the template may set that/,
  },
  {
    name: 'choose the node of a machine',
    objects: [machine({ nodeSelector: { 'kubernetes.io/hostname': '${X}' } })],
    given: { X: 'control-plane-1' },
    parameter: 'X',
    says: /only the template may set that/,
  },
  {
    name: 'tolerate what keeps machines off the control plane',
    objects: [machine({ tolerations: [{ key: '${X}', operator: 'Exists' }] })],
    given: { X: 'node-role.kubernetes.io/control-plane' },
    parameter: 'X',
    says: /only the template may set that/,
  },
  {
    name: 'displace others by a priority class',
    objects: [machine({ priorityClassName: '${X}' })],
    given: { X: 'system-cluster-critical' },
    parameter: 'X',
    says: /only the template may set that/,
  },
  {
    name: 'take a device of a node',
    objects: [machine({ domain: { devices: { hostDevices: [{ name: 'd', deviceName: '${X}' }] } } })],
    given: { X: 'vendor.com/gpu' },
    parameter: 'X',
    says: /only the template may set that/,
  },
  {
    name: 'land near machines of other namespaces',
    objects: [machine({ affinity: { podAffinity: { x: [{ namespaces: ['tenant-b'] }] } } })],
    says: /an object may only refer to its own virtual data center/,
  },
  {
    name: 'be made in another namespace',
    objects: [core('ConfigMap', { metadata: { name: 'x', namespace: '${X}' } })],
    given: { X: 'kube-system' },
    parameter: 'X',
    says: /metadata\.namespace is "kube-system"; objects are made in the virtual data center/,
  },
  ...(
    [
      ['rbac.authorization.k8s.io/v1', 'RoleBinding'],
      ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'],
      ['v1', 'Pod'],
      ['apps/v1', 'DaemonSet'],
      ['batch/v1', 'Job'],
      ['v1', 'Namespace'],
      ['v1', 'ResourceQuota'],
      ['v1', 'ServiceAccount'],
      ['networking.k8s.io/v1', 'NetworkPolicy'],
      ['cdi.kubevirt.io/v1beta1', 'DataSource'],
      ['cdi.kubevirt.io/v1beta1', 'VolumeCloneSource'],
      ['clone.kubevirt.io/v1beta1', 'VirtualMachineClone'],
      ['snapshot.kubevirt.io/v1beta1', 'VirtualMachineRestore'],
      ['export.kubevirt.io/v1', 'VirtualMachineExport'],
      ['kubevirt.io/v1', 'VirtualMachineInstance'],
      ['template.openshift.io/v1', 'TemplateInstance'],
      ['vitistack.io/v1alpha1', 'Machine'],
      ['cloudkit.openshift.io/v1alpha1', 'VirtualMachine'],
    ] as const
  ).map(([apiVersion, kind]) => ({
    name: `make a ${kind} of ${apiVersion}`,
    objects: [{ apiVersion, kind, metadata, spec: {} }],
    says: new RegExp(`is of the kind "${kind}" of "${apiVersion}"; a template may make Secret, ConfigMap`),
  })),
  {
    name: 'make a list, in which anything may be',
    objects: [{ apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Pod', metadata }] }],
    says: /is of the kind "List"/,
  },
  {
    name: 'have its kind chosen by a parameter',
    objects: [{ apiVersion: 'v1', kind: '${X}', metadata, spec: {} }],
    given: { X: 'Pod' },
    parameter: 'X',
    says: /is of the kind "Pod"/,
  },
  {
    name: 'have its kind chosen by a parameter, though it is a good one',
    objects: [{ apiVersion: '${X}', kind: 'VirtualMachine', metadata, spec: {} }],
    given: { X: 'kubevirt.io/v1' },
    parameter: 'X',
    says: /says itself which/,
  },
  {
    name: 'be given whole by a parameter',
    objects: ['${{X}}' as unknown as object],
    given: { X: '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}' },
    parameter: 'X',
    says: /accepts a number/,
  },
  {
    name: 'have the token of a service account made',
    objects: [
      core('Secret', {
        type: 'kubernetes.io/service-account-token',
        metadata: { name: 't', annotations: { 'kubernetes.io/service-account.name': 'default' } },
      }),
    ],
    says: /type is "kubernetes\.io\/service-account-token"; a Secret of a template is Opaque/,
  },
  {
    name: 'have the type of a Secret chosen by a parameter',
    objects: [core('Secret', { type: '${X}' })],
    given: { X: 'kubernetes.io/service-account-token' },
    says: /a Secret of a template is Opaque/,
  },
  {
    name: 'lead its traffic elsewhere',
    objects: [core('Service', { spec: { type: 'ExternalName', externalName: 'api.tenant-b.svc' } })],
    says: /a Service may only lead to machines of its template/,
  },
  {
    name: 'take the traffic of an address',
    objects: [core('Service', { spec: { externalIPs: ['${X}'], ports: [{ port: 443 }] } })],
    given: { X: '10.0.0.1' },
    parameter: 'X',
    says: /externalIPs is "10\.0\.0\.1"; /,
  },
];
