/** Checks whether a pod fits a node; if not, returns kube-scheduler's reasons. */
import type { Unstructured } from '@ssvirt/kube/object';
import { selectsLabels } from '@ssvirt/kube/label-selector';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { listAt, objectAt, textAt, textMapAt, textsAt } from '../../objects/kinds/values/fields.ts';
import type { Pod } from '../kubevirt/objects.ts';
import type { NodeAmounts } from './amounts.ts';

/** `helpless`: removing pods would not help, so preemption is not considered. */
export interface Misfit {
  readonly reasons: readonly string[];
  readonly helpless: boolean;
}

export interface Candidate {
  readonly node: Unstructured;
  readonly allocatable: NodeAmounts;
  readonly taken: NodeAmounts;
  /** The pods on the node, for anti-affinity. */
  readonly pods: () => readonly Pod[];
}

export interface Wanted {
  readonly pod: Pod;
  readonly requests: NodeAmounts;
  /** The node affinity terms of the pod's volumes, all of which must match. */
  readonly volumeTerms: readonly (readonly JsonObject[])[];
}

const field = (object: Unstructured, name: string): JsonObject | undefined => {
  const value = object[name] as Json | undefined;
  return isObject(value) ? value : undefined;
};

export function misfit(wanted: Wanted, candidate: Candidate): Misfit | undefined {
  const helpless = refusal(wanted, candidate);
  if (helpless !== undefined) return { reasons: [helpless], helpless: true };
  const short = shortages(wanted.requests, candidate);
  if (short.length > 0) return { reasons: short, helpless: isTooLarge(wanted.requests, candidate.allocatable) };
  if (isNearOthers(wanted.pod, candidate))
    return { reasons: ["node(s) didn't match pod anti-affinity rules"], helpless: false };
  return undefined;
}

function refusal({ pod, volumeTerms }: Wanted, { node }: Candidate): string | undefined {
  const labels = node.metadata.labels;
  const spec = field(node, 'spec');
  if (spec?.['unschedulable'] === true && !tolerates(pod, UNSCHEDULABLE)) return 'node(s) were unschedulable';
  const isTainted = listAt(spec, 'taints').some(
    (one) =>
      one['effect'] !== 'PreferNoSchedule' && textAt(one, 'key') !== UNSCHEDULABLE['key'] && !tolerates(pod, one),
  );
  if (isTainted) return 'node(s) had untolerated taint(s)';
  const affinity = objectAt(objectAt(pod.spec, 'affinity'), 'nodeAffinity');
  const required = objectAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution');
  if (
    !selectsLabels({ matchLabels: textMapAt(pod.spec, 'nodeSelector') }, labels) ||
    (required !== undefined && !meetsTerms(listAt(required, 'nodeSelectorTerms'), node))
  )
    return "node(s) didn't match Pod's node affinity/selector";
  if (volumeTerms.some((terms) => !meetsTerms(terms, node)))
    return "node(s) didn't match PersistentVolume's node affinity";
  return undefined;
}

const UNSCHEDULABLE: JsonObject = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

function tolerates(pod: Pod, taint: JsonObject): boolean {
  return listAt(pod.spec, 'tolerations').some((toleration) => {
    const key = textAt(toleration, 'key');
    const effect = textAt(toleration, 'effect');
    if (effect !== '' && effect !== textAt(taint, 'effect')) return false;
    if (key === '') return textAt(toleration, 'operator') === 'Exists';
    if (key !== textAt(taint, 'key')) return false;
    return textAt(toleration, 'operator') === 'Exists' || textAt(toleration, 'value') === textAt(taint, 'value');
  });
}

/** One matching term is enough; within a term, all requirements must match. */
export function meetsTerms(terms: readonly JsonObject[], node: Unstructured): boolean {
  return terms.some(
    (term) =>
      listAt(term, 'matchExpressions').every((one) => meets(one, node.metadata.labels ?? {})) &&
      listAt(term, 'matchFields').every((one) => meets(one, { 'metadata.name': node.metadata.name ?? '' })),
  );
}

function meets(requirement: JsonObject, labels: Readonly<Record<string, string>>): boolean {
  const key = textAt(requirement, 'key');
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  const values = textsAt(requirement, 'values');
  switch (textAt(requirement, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

function shortages(requests: NodeAmounts, { allocatable, taken }: Candidate): readonly string[] {
  return Object.entries(requests)
    .filter(([name, amount]) => amount > 0 && (taken[name] ?? 0) + amount > (allocatable[name] ?? 0))
    .map(([name]) => (name === 'pods' ? 'Too many pods' : `Insufficient ${name}`));
}

function isTooLarge(requests: NodeAmounts, allocatable: NodeAmounts): boolean {
  return Object.entries(requests).some(([name, amount]) => amount > (allocatable[name] ?? 0));
}

/** Anti-affinity as launchers use it: per node, and within the pod's own namespace unless others are named. */
function isNearOthers(pod: Pod, { pods }: Candidate): boolean {
  const affinity = objectAt(objectAt(pod.spec, 'affinity'), 'podAntiAffinity');
  const terms = listAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution').filter(
    (term) => textAt(term, 'topologyKey') === 'kubernetes.io/hostname',
  );
  if (terms.length === 0) return false;
  return pods().some((other) => terms.some((term) => isMeant(term, pod, other)));
}

function isMeant(term: JsonObject, pod: Pod, other: Pod): boolean {
  const namespaces = textsAt(term, 'namespaces');
  const within = namespaces.length === 0 ? [pod.metadata.namespace] : namespaces;
  const selector = objectAt(term, 'labelSelector');
  return (
    other.metadata.uid !== pod.metadata.uid &&
    within.includes(other.metadata.namespace) &&
    selector !== undefined &&
    selectsLabels(selector, other.metadata.labels)
  );
}

/** `0/3 nodes are available: 1 Insufficient cpu, 2 Insufficient memory. preemption: …` */
export function unschedulableMessage(misfits: readonly Misfit[]): string {
  const all = misfits.length;
  if (all === 0) return 'no nodes available to schedule pods';
  const helpless = misfits.filter((one) => one.helpless).length;
  const preemption = [
    ...(helpless === 0 ? [] : [`${helpless} Preemption is not helpful for scheduling`]),
    ...(helpless === all ? [] : [`${all - helpless} No preemption victims found for incoming pod`]),
  ];
  const available = `0/${all} nodes are available`;
  return `${available}: ${counted(misfits)}. preemption: ${available}: ${preemption.join(', ')}.`;
}

/** For a problem that no node can solve, such as a missing PVC. */
export function refusedMessage(reason: string, nodes: number): string {
  const available = `0/${nodes} nodes are available`;
  return `${available}: ${reason}. preemption: ${available}: ${nodes} Preemption is not helpful for scheduling.`;
}

function counted(misfits: readonly Misfit[]): string {
  const counts = new Map<string, number>();
  for (const reason of misfits.flatMap(({ reasons }) => reasons)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}

/** How full a node would be, from 0 to 1: pods are placed where most room is left. */
export function fullness(requests: NodeAmounts, { allocatable, taken }: Candidate): number {
  const share = (name: string): number =>
    ((taken[name] ?? 0) + (requests[name] ?? 0)) / Math.max(1e-9, allocatable[name] ?? 0);
  return (share('cpu') + share('memory')) / 2;
}
