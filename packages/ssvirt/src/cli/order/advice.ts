/** What is wrong with an order and what to do, in sentences, most important first. */
import { findCondition } from '@ssvirt/kube/reconcile/conditions';
import { aapFinalizers, annotations, conditions, finalizer } from '../../kubevirt/order/resource.ts';
import { reconciledVersion } from '../../kubevirt/order/aap/aap-marks.ts';
import { asSentence, silenceMs, withEnd, type Advice } from '../cluster/advice.ts';
import { isLeaderDead, leadershipText } from '../cluster/leader.ts';
import { absenceText } from '../cluster/nearby.ts';
import { ago } from '../output/ago.ts';
import type { ShownOrder } from './shown-order.ts';
import type { OrderCase } from './order-case.ts';
import { sought } from './order-named.ts';

export function adviceOn(seen: OrderCase): Advice {
  const { order, near, namespace, name, unread } = seen;
  if (order === undefined) {
    const sentence =
      near === undefined
        ? `You have no permission to read ${unread.join(', ')}: ask for it, or use another context.`
        : absenceText(sought(namespace, name), near);
    return { verdict: 'wrong', sentences: [asSentence(sentence)] };
  }
  if (order.metadata.deletionTimestamp !== undefined) return onDeletion(seen, order);
  if (order.metadata.annotations?.[annotations.managementState] === 'unmanaged') return onUnmanaged(seen);
  const wrong = [...silence(seen, order), ...refusals(seen, order), ...calls(order), ...ofMachine(seen)];
  if (wrong.length > 0) return { verdict: 'wrong', sentences: wrong.map(asSentence) };
  const waiting = waits(seen, order);
  return waiting.length > 0
    ? { verdict: 'underway', sentences: waiting.map(asSentence) }
    : {
        verdict: 'well',
        sentences: ['Nothing is wrong: everything matches the order.', ...laterRefusals(seen, order)],
      };
}

/** The operator accepts the order as it is: what the rules say applies only to its next change. */
function isContent({ metadata, status }: ShownOrder): boolean {
  return status?.phase === 'Ready' && status.observedGeneration === metadata.generation;
}

function laterRefusals({ judged }: OrderCase, order: ShownOrder): readonly string[] {
  if (!isContent(order) || judged?.provisionedBy === 'aap') return [];
  return (judged?.problems ?? []).map(({ message }) => withEnd(`But its next change would be refused: ${message}`));
}

/** The status of an unmanaged order is not news; a missing operator is. */
function onUnmanaged(seen: OrderCase): Advice {
  const isDead = isLeaderDead(seen.leader, seen.now);
  return {
    verdict: isDead ? 'wrong' : 'well',
    sentences: [
      `The annotation ${annotations.managementState} is "unmanaged": the operator ignores the order. Remove the annotation to change that.`,
      ...(isDead ? [withLeader('No operator is running', seen)] : []),
    ],
  };
}

function withLeader(what: string, { leader, now }: OrderCase): string {
  return `${what}. ${leadershipText(leader, now)}: check that "ssvirt cloudkit-operator" is running and that its cloudkit.orderNamespace includes this order, and read its log.`;
}

function silence(seen: OrderCase, { metadata, status }: ShownOrder): readonly string[] {
  const { now, leader } = seen;
  const age = now - Date.parse(metadata.creationTimestamp ?? '');
  const isUnseen = status?.phase === undefined && age > silenceMs;
  const isBehind = status?.observedGeneration !== undefined && status.observedGeneration < (metadata.generation ?? 0);
  if (!isUnseen && !isBehind && !isLeaderDead(leader, now)) return [];
  const what = isUnseen
    ? 'No operator has written a status for this order yet'
    : isBehind
      ? 'The operator has not processed the last change of this order yet'
      : 'No operator is running, so the status of this order may be out of date';
  return [withLeader(what, seen)];
}

/** What the rules say now, and what the operator said, if that differs. */
function refusals({ judged }: OrderCase, order: ShownOrder): readonly string[] {
  const { status } = order;
  const found = isContent(order) ? [] : (judged?.problems ?? []);
  const condition = findCondition(status?.conditions, conditions.progressing);
  const known = new Set<string>([
    ...found.map(({ reason }) => reason),
    'WebhookFailed',
    'Failed',
    'AsExpected',
    'Deleting',
  ]);
  const more =
    condition?.status === 'False' && !known.has(condition.reason) ? [`${condition.reason}: ${condition.message}`] : [];
  return [...found.map(({ reason, message }) => `${reason}: ${message}`), ...more];
}

/** During a webhook call, the record in the status shows it. The condition has the result of earlier calls. */
function calls({ status }: ShownOrder): readonly string[] {
  const condition = findCondition(status?.conditions, conditions.progressing);
  return condition?.reason === 'WebhookFailed' ? [`${withEnd(condition.message)} ${toAap}`] : [];
}

const toAap = `Check that AAP is running and that cloudkit.aap.* of the operator is correct; or set the annotation ${annotations.managedBy} to "controller".`;

function ofMachine({ machine, order }: OrderCase): readonly string[] {
  const state = machine?.state;
  if (state?.state === 'failed' || state?.state === 'hindered')
    return [`${state.reason}: ${withEnd(state.sentence)}${wayOut(state.reason)}`];
  const condition = findCondition(order?.status?.conditions, conditions.available);
  return order?.status?.phase === 'Failed' && state?.state === 'missing' && condition?.reason === 'Failed'
    ? [withEnd(condition.message)]
    : [];
}

const waysOut: Readonly<Record<string, string>> = {
  Unschedulable: ' It starts by itself when a node can run it.',
  DiskPending: ' Check the events of the claim and its storage class.',
  ImportFailed: ' See the events of the DataVolume and the log of its importer pod.',
  InsufficientResources: ' Ask for a larger quota, or order less.',
  CrashLoopBackOff: ' Check the events of the instance and the log of its virt-launcher pod.',
};

function wayOut(reason: string): string {
  return waysOut[reason] ?? '';
}

function waits(seen: OrderCase, order: ShownOrder): readonly string[] {
  const { disk, machine, children, now } = seen;
  const { status } = order;
  const condition = findCondition(status?.conditions, conditions.progressing);
  const isOpen = status?.phase !== 'Ready';
  const filling = isOpen && disk?.phase !== undefined && disk.phase !== 'Succeeded';
  const address = children.find(({ kind, says }) => kind === 'Service' && says === 'no address yet');
  const { webhook } = status ?? {};
  const asked = status?.provisionedBy === 'aap' && !isDone(order) && webhook?.acceptedTime !== undefined;
  return [
    ...(asked
      ? [
          `AAP accepted it ${ago(webhook.acceptedTime ?? '', now)} and has not reported completion: check its jobs if this lasts.`,
        ]
      : []),
    ...(filling
      ? [`The disk is being filled (${[disk.phase, disk.progress].filter((one) => one !== undefined).join(', ')}).`]
      : []),
    ...(isOpen && condition?.status === 'True' && !asked ? [withEnd(condition.message)] : []),
    ...(isOpen && status?.phase === undefined ? ['It was just created; the operator has not processed it yet.'] : []),
    ...(machine?.state.state === 'stopped'
      ? ['The virtual machine is stopped: start it, for example with "virtctl start".']
      : []),
    ...(machine?.state.state === 'paused'
      ? ['The virtual machine is paused: resume it, for example with "virtctl unpause vm".']
      : []),
    ...(address === undefined
      ? []
      : [`The Service "${address.name}" has no load balancer address: check that the cluster assigns such addresses.`]),
  ];
}

function onDeletion(seen: OrderCase, order: ShownOrder): Advice {
  const { children, now } = seen;
  const { finalizers = [], deletionTimestamp = '' } = order.metadata;
  const condition = findCondition(order.status?.conditions, conditions.deleting);
  const left = children.filter(({ state, whose }) => state !== 'absent' && whose !== "another's");
  const held = left.filter(({ says }) => says?.startsWith('held by') === true);
  const isDead = isLeaderDead(seen.leader, now);
  const sentences = [
    `Its deletion started ${ago(deletionTimestamp, now)}.`,
    ...(isDead ? [withLeader('No operator is running', seen)] : []),
    ...(condition?.status === 'True' ? [withEnd(condition.message)] : []),
    ...(condition?.reason === 'WebhookFailed'
      ? ['Check that AAP is running and that cloudkit.aap.* of the operator is correct.']
      : []),
    ...held.map(
      ({ kind, name, says = '' }) =>
        `${kind} "${name}" is being deleted and ${says}: the owner of that finalizer must remove it.`,
    ),
    ...finalizers
      .filter((one) => aapFinalizers.includes(one))
      .map((one) => `AAP's delete job removes the finalizer ${one}: check that the job ran.`),
    ...finalizers
      .filter((one) => one !== finalizer && !aapFinalizers.includes(one))
      .map((one) => `The finalizer ${one} does not belong to ssvirt: its owner must remove it.`),
    ...(finalizers.includes(finalizer) && left.length === 0
      ? [
          'All of its objects are deleted: the operator removes its finalizer next. If it does not, check that the operator is running.',
        ]
      : []),
  ];
  const isWrong =
    isDead || (condition?.reason !== undefined && condition.status === 'True' && condition.reason !== 'Deleting');
  const lasts = now - Date.parse(deletionTimestamp) > 10 * silenceMs;
  return { verdict: isWrong || lasts || held.length > 0 ? 'wrong' : 'underway', sentences: [...new Set(sentences)] };
}

function isDone(order: ShownOrder): boolean {
  return (
    order.status?.desiredConfigVersion !== undefined && order.status.desiredConfigVersion === reconciledVersion(order)
  );
}
