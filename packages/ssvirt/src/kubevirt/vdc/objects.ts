/**
 * The objects of a VDC in its cluster: a namespace with a quota, limits and isolation. Only the fields that we own, for
 * server-side apply.
 */
import type { VdcAccess, VdcDescription, ClusterNamespaces } from './description.ts';
import { identityLabels, namespaceAnnotations, namespaceLabels } from './labels.ts';
import { quotaOf } from './quota.ts';

export interface DesiredObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly roleRef?: RoleRef;
  readonly subjects?: readonly VdcAccess['subject'][];
}

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** In the order in which they are applied. RoleBindings come first: the objects after them may need the permissions. */
export const childKinds = ['RoleBinding', 'ResourceQuota', 'LimitRange', 'NetworkPolicy', 'ImporterPolicy'] as const;
/** `templatesKind` is a second RoleBinding, only if the cluster serves OpenShift's templates. */
export const templatesKind = 'TemplatesRoleBinding';
export type ChildKind = (typeof childKinds)[number] | typeof templatesKind;
export type VdcKind = 'Namespace' | ChildKind;

export const childNames: Readonly<Record<ChildKind, string>> = {
  RoleBinding: 'vdc-secrets',
  TemplatesRoleBinding: 'vdc-templates',
  ResourceQuota: 'vdc-quota',
  LimitRange: 'vdc-limits',
  NetworkPolicy: 'vdc-isolation',
  ImporterPolicy: 'vdc-importers',
};

/**
 * The namespace at its creation. It has all labels that show its owner, so that no crash leaves an unidentifiable
 * namespace.
 */
export function newNamespace(vdc: VdcDescription): DesiredObject {
  return { metadata: { name: vdc.namespace, labels: identityLabels(vdc) } };
}

export function desiredObjects(
  vdc: VdcDescription,
  clusterNamespaces: ClusterNamespaces,
  { subject, servesTemplates }: VdcAccess,
): Readonly<Record<Exclude<VdcKind, typeof templatesKind>, DesiredObject>> & {
  readonly [templatesKind]?: DesiredObject;
} {
  return {
    RoleBinding: roleBinding(vdc, 'RoleBinding', subject),
    ...(servesTemplates ? { [templatesKind]: roleBinding(vdc, templatesKind, subject) } : {}),
    Namespace: {
      metadata: {
        name: vdc.namespace,
        labels: namespaceLabels(vdc, clusterNamespaces.podSecurity),
        annotations: namespaceAnnotations(vdc),
      },
    },
    ResourceQuota: child(vdc, 'ResourceQuota', { hard: quotaOf(vdc) }),
    LimitRange: child(vdc, 'LimitRange', { limits }),
    NetworkPolicy: child(vdc, 'NetworkPolicy', isolation(clusterNamespaces)),
    ImporterPolicy: child(vdc, 'ImporterPolicy', importerEgress(clusterNamespaces)),
  };
}

/** The ClusterRoles of deploy/rbac that are bound in each of these namespaces, and in no other. */
const roleNames = { RoleBinding: 'ssvirt-api-server-vdc', [templatesKind]: 'ssvirt-api-server-templates' } as const;

function roleBinding(vdc: VdcDescription, kind: keyof typeof roleNames, subject: VdcAccess['subject']): DesiredObject {
  return {
    metadata: { name: childNames[kind], namespace: vdc.namespace, labels: identityLabels(vdc) },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleNames[kind] },
    subjects: [subject],
  };
}

function child(vdc: VdcDescription, kind: ChildKind, spec: Readonly<Record<string, unknown>>): DesiredObject {
  return { metadata: { name: childNames[kind], namespace: vdc.namespace, labels: identityLabels(vdc) }, spec };
}

/**
 * A quota for memory refuses pods that request none, such as those of an importer without a setting; with this default
 * they request a little. It sets no limits: KubeVirt takes a `default` as the limit of its guests, and `max` becomes a
 * `default`; a guest above it could not start.
 */
const limits = [{ type: 'Container', defaultRequest: { cpu: '10m', memory: '64Mi' } }] as const;

/**
 * VMs of a VDC reach each other, DNS and the outside; pods of other tenants do not reach them. CDI and the namespaces
 * of images are allowed, or else uploads and clones would hang. No NetworkPolicy covers secondary networks.
 */
function isolation({ importNamespaces, imageNamespaces }: ClusterNamespaces): Readonly<Record<string, unknown>> {
  const letIn = [...new Set([...importNamespaces, ...imageNamespaces])].toSorted();
  const named = { key: 'kubernetes.io/metadata.name', operator: 'In', values: letIn };
  return {
    podSelector: {},
    policyTypes: ['Ingress'],
    ingress: [
      { from: [{ podSelector: {} }] },
      ...(letIn.length === 0 ? [] : [{ from: [{ namespaceSelector: { matchExpressions: [named] } }] }]),
    ],
  };
}

/** CDI's labels of the pods that download images. Its other pods, such as the sources of clones, send to pods. */
const importers = { app: 'containerized-data-importer', 'cdi.kubevirt.io': 'importer' } as const;

/** The second port is that of the DNS pods of OpenShift. */
const dnsPorts = [53, 5353].flatMap((port) => ['UDP', 'TCP'].map((protocol) => ({ protocol, port })));

/**
 * A request checks the host of an image when it names it. This closes what the host leads to later, or in the cluster
 * of the VDC alone.
 */
function importerEgress({ importNetworks }: ClusterNamespaces): Readonly<Record<string, unknown>> {
  return {
    podSelector: { matchLabels: importers },
    policyTypes: ['Egress'],
    egress:
      importNetworks === undefined
        ? [{}]
        : [{ to: importNetworks.map((ipBlock) => ({ ipBlock })) }, { ports: dnsPorts }],
  };
}
