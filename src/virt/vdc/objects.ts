/** What a virtual data center is in its cluster: a namespace with a quota, limits and isolation. Only the fields that are ours, for server-side apply. */
import type { VdcAccess, VdcDescription, VdcSurroundings } from './description.ts';
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

/** In the order in which they are applied. The rights come first: what follows may need them. */
export const childKinds = ['RoleBinding', 'ResourceQuota', 'LimitRange', 'NetworkPolicy'] as const;
/** A second RoleBinding, only where the cluster serves OpenShift's templates. */
export const templatesKind = 'TemplatesRoleBinding';
export type ChildKind = (typeof childKinds)[number] | typeof templatesKind;
export type VdcKind = 'Namespace' | ChildKind;

export const childNames: Readonly<Record<ChildKind, string>> = {
  RoleBinding: 'vdc-secrets',
  TemplatesRoleBinding: 'vdc-templates',
  ResourceQuota: 'vdc-quota',
  LimitRange: 'vdc-limits',
  NetworkPolicy: 'vdc-isolation',
};

/** The namespace at the moment that it is made: with all that shows whose it is, so that no crash leaves one that nobody knows. */
export function newNamespace(vdc: VdcDescription): DesiredObject {
  return { metadata: { name: vdc.namespace, labels: identityLabels(vdc) } };
}

export function desiredObjects(
  vdc: VdcDescription,
  surroundings: VdcSurroundings,
  { subject, servesTemplates }: VdcAccess,
): Readonly<Record<Exclude<VdcKind, typeof templatesKind>, DesiredObject>> & {
  readonly [templatesKind]?: DesiredObject;
} {
  return {
    RoleBinding: roleBinding(vdc, 'RoleBinding', subject),
    ...(servesTemplates ? { [templatesKind]: roleBinding(vdc, templatesKind, subject) } : {}),
    Namespace: {
      metadata: { name: vdc.namespace, labels: namespaceLabels(vdc), annotations: namespaceAnnotations(vdc) },
    },
    ResourceQuota: child(vdc, 'ResourceQuota', { hard: quotaOf(vdc) }),
    LimitRange: child(vdc, 'LimitRange', { limits }),
    NetworkPolicy: child(vdc, 'NetworkPolicy', isolation(surroundings)),
  };
}

/** The ClusterRoles of deploy/rbac that are bound in each namespace, and in no other. */
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
 * A quota for memory refuses pods that request none, such as those of an importer without a setting: they request a little by this. It says nothing of
 * limits: KubeVirt takes a `default` for the limit of its guests, and `max` becomes a `default`; a guest above it could not start.
 */
const limits = [{ type: 'Container', defaultRequest: { cpu: '10m', memory: '64Mi' } }] as const;

/**
 * Machines of a virtual data center reach each other, DNS and the outside; pods of other tenants do not reach them. CDI and the namespaces of images come
 * in, or uploads and clones would hang. Secondary networks are not covered by any NetworkPolicy.
 */
function isolation({ importNamespaces, imageNamespaces }: VdcSurroundings): Readonly<Record<string, unknown>> {
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
