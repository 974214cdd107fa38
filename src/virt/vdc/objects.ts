/** What a virtual data center is in its cluster: a namespace with a quota, limits and isolation. Only the fields that are ours, for server-side apply. */
import type { VdcDescription, VdcSurroundings } from './description.ts';
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
}

/** In the order in which they are applied. */
export const childKinds = ['ResourceQuota', 'LimitRange', 'NetworkPolicy'] as const;
export type ChildKind = (typeof childKinds)[number];
export type VdcKind = 'Namespace' | ChildKind;

export const childNames: Readonly<Record<ChildKind, string>> = {
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
): Readonly<Record<VdcKind, DesiredObject>> {
  return {
    Namespace: {
      metadata: { name: vdc.namespace, labels: namespaceLabels(vdc), annotations: namespaceAnnotations(vdc) },
    },
    ResourceQuota: child(vdc, 'ResourceQuota', { hard: quotaOf(vdc) }),
    LimitRange: child(vdc, 'LimitRange', { limits }),
    NetworkPolicy: child(vdc, 'NetworkPolicy', isolation(surroundings)),
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
