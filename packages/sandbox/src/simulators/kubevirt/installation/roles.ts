/** The roles that KubeVirt and CDI define for users: admin, edit and view are aggregated to Kubernetes' own. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';

const READ = ['get', 'list', 'watch'];
const WRITE = ['get', 'delete', 'create', 'update', 'patch', 'list', 'watch'];
const ALL = [...WRITE, 'deletecollection'];

const rule = (apiGroup: string, resources: readonly string[], verbs: readonly string[]): JsonObject => ({
  apiGroups: [apiGroup],
  resources: [...resources],
  verbs: [...verbs],
});

const of = (kind: string, subresources: readonly string[]): string[] => subresources.map((name) => `${kind}/${name}`);
const SUBRESOURCES = 'subresources.kubevirt.io';
const seen = of('virtualmachineinstances', ['guestosinfo', 'filesystemlist', 'userlist']);
const entered = [
  ...seen,
  ...of('virtualmachineinstances', ['console', 'vnc', 'vnc/screenshot', 'portforward', 'usbredir', 'vsock']),
];
const handled = of('virtualmachineinstances', [
  'pause',
  'unpause',
  'addvolume',
  'removevolume',
  'freeze',
  'unfreeze',
  'softreboot',
  'reset',
  'sev/setupsession',
  'sev/injectlaunchsecret',
]);
const switched = of('virtualmachines', [
  'start',
  'stop',
  'restart',
  'addvolume',
  'removevolume',
  'memorydump',
  'removememorydump',
]);

const machines = (verbs: readonly string[]): readonly JsonObject[] => [
  rule('kubevirt.io', ['virtualmachines', 'virtualmachineinstances', 'virtualmachineinstancepresets'], verbs),
  rule('kubevirt.io', ['virtualmachineinstancereplicasets'], verbs),
  rule('kubevirt.io', ['virtualmachineinstancemigrations'], READ),
  rule(
    'snapshot.kubevirt.io',
    ['virtualmachinesnapshots', 'virtualmachinesnapshotcontents', 'virtualmachinerestores'],
    verbs,
  ),
  rule('clone.kubevirt.io', ['virtualmachineclones'], verbs),
  rule('instancetype.kubevirt.io', ['virtualmachineinstancetypes', 'virtualmachinepreferences'], verbs),
  rule('instancetype.kubevirt.io', ['virtualmachineclusterinstancetypes', 'virtualmachineclusterpreferences'], READ),
];

const used = (verbs: readonly string[]): readonly JsonObject[] => [
  rule(SUBRESOURCES, entered, ['get']),
  rule(SUBRESOURCES, of('virtualmachines', ['expand-spec', 'portforward']), ['get']),
  rule(SUBRESOURCES, handled, ['update']),
  rule(SUBRESOURCES, switched, ['update']),
  rule(SUBRESOURCES, ['expand-vm-spec'], ['update']),
  ...machines(verbs),
];

const role = (name: string, labels: Readonly<Record<string, string>>, rules: readonly JsonObject[]): Unstructured => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels },
  rules,
});

const addedTo = (name: string): Readonly<Record<string, string>> => ({
  [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true',
});

const toEverybody = (
  name: string,
  labels: Readonly<Record<string, string>>,
  groups: readonly string[],
): Unstructured => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name, labels },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
  subjects: groups.map((group) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group })),
});

const KUBEVIRT = { 'kubevirt.io': '' };

export const kubevirtRoles: readonly Unstructured[] = [
  role('kubevirt.io:default', KUBEVIRT, [rule(SUBRESOURCES, ['version', 'guestfs'], ['get', 'list'])]),
  role('kubevirt.io:admin', { ...KUBEVIRT, ...addedTo('admin') }, used(ALL)),
  role('kubevirt.io:edit', { ...KUBEVIRT, ...addedTo('edit') }, [
    ...used(WRITE),
    rule('kubevirt.io', ['kubevirts'], ['get', 'list']),
  ]),
  role('kubevirt.io:view', { ...KUBEVIRT, ...addedTo('view') }, [
    rule(SUBRESOURCES, seen, ['get']),
    rule(SUBRESOURCES, of('virtualmachines', ['expand-spec']), ['get']),
    rule(SUBRESOURCES, ['expand-vm-spec'], ['update']),
    ...machines(READ),
    rule('kubevirt.io', ['kubevirts'], ['get', 'list']),
  ]),
  role('kubevirt.io:migrate', KUBEVIRT, [
    rule(SUBRESOURCES, of('virtualmachines', ['migrate']), ['update']),
    rule('kubevirt.io', ['virtualmachineinstancemigrations'], ALL),
  ]),
  role('instancetype.kubevirt.io:view', KUBEVIRT, [
    rule('instancetype.kubevirt.io', ['virtualmachineclusterinstancetypes', 'virtualmachineclusterpreferences'], READ),
  ]),
];

export const kubevirtBindings: readonly Unstructured[] = [
  toEverybody('kubevirt.io:default', KUBEVIRT, ['system:authenticated', 'system:unauthenticated']),
  toEverybody('instancetype.kubevirt.io:view', KUBEVIRT, ['system:authenticated']),
];

const CDI = { 'cdi.kubevirt.io': '' };
const disks = (verbs: readonly string[]): readonly JsonObject[] => [
  rule('cdi.kubevirt.io', ['datavolumes', 'dataimportcrons', 'datasources'], verbs),
  rule('cdi.kubevirt.io', ['volumeimportsources', 'volumeuploadsources', 'volumeclonesources'], verbs),
];
const upload = rule('upload.cdi.kubevirt.io', ['uploadtokenrequests'], ['*']);
const cloned = rule('cdi.kubevirt.io', ['datavolumes/source'], ['create']);

export const cdiRoles: readonly Unstructured[] = [
  role('cdi.kubevirt.io:admin', { ...CDI, ...addedTo('admin') }, [...disks(['*']), cloned, upload]),
  role('cdi.kubevirt.io:edit', { ...CDI, ...addedTo('edit') }, [...disks(['*']), cloned, upload]),
  role('cdi.kubevirt.io:view', { ...CDI, ...addedTo('view') }, [...disks(READ), cloned]),
  role('cdi.kubevirt.io:config-reader', CDI, [
    rule('cdi.kubevirt.io', ['cdiconfigs'], READ),
    rule('cdi.kubevirt.io', ['storageprofiles'], READ),
  ]),
];

export const cdiBindings: readonly Unstructured[] = [
  toEverybody('cdi.kubevirt.io:config-reader', CDI, ['system:authenticated']),
];
