/** What is wrong with an order and what to do, in sentences: the first is the one to begin with. */
import { findCondition } from '../../kube/reconcile/conditions.ts';
import { aapFinalizers, annotations, conditions, finalizer } from '../../virt/order/resource.ts';
import { reconciledVersion } from '../../virt/order/traces.ts';
import { asSentence, silenceMs, withEnd, type Advice } from '../cluster/advice.ts';
import { absenceText } from '../cluster/nearby.ts';
import { ago } from '../output/ago.ts';
import type { Order } from './kinds.ts';
import type { OrderCase } from './order-case.ts';
import { sought } from './order-named.ts';

export function adviceOn(seen: OrderCase): Advice {
  const { order, near, namespace, name, unread } = seen;
  if (order === undefined) {
    const sentence =
      near === undefined
        ? `You may not read ${unread.join(', ')}: ask for the right, or use another context.`
        : absenceText(sought(namespace, name), near);
    return { verdict: 'wrong', sentences: [asSentence(sentence)] };
  }
  if (order.metadata.deletionTimestamp !== undefined) return onDeletion(seen, order);
  if (order.metadata.annotations?.[annotations.managementState] === 'unmanaged')
    return {
      verdict: 'well',
      sentences: [
        `The annotation ${annotations.managementState} is "unmanaged": the operator leaves the order alone. Remove it to have it looked after.`,
      ],
    };
  const wrong = [...silence(seen, order), ...refusals(seen, order), ...calls(order), ...ofMachine(seen)];
  if (wrong.length > 0) return { verdict: 'wrong', sentences: wrong.map(asSentence) };
  const waiting = waits(seen, order);
  return waiting.length > 0
    ? { verdict: 'underway', sentences: waiting.map(asSentence) }
    : { verdict: 'well', sentences: ['Nothing is wrong: all is as ordered.', ...laterRefusals(seen, order)] };
}

/** The operator is content with it as it is: what the rules say holds for its next change. */
function isContent({ metadata, status }: Order): boolean {
  return status?.phase === 'Ready' && status.observedGeneration === metadata.generation;
}

function laterRefusals({ judged }: OrderCase, order: Order): readonly string[] {
  if (!isContent(order) || judged?.provisionedBy === 'aap') return [];
  return (judged?.problems ?? []).map(({ message }) => withEnd(`But its next change would be refused: ${message}`));
}

function silence({ now, leader }: OrderCase, { metadata, status }: Order): readonly string[] {
  const age = now - Date.parse(metadata.creationTimestamp ?? '');
  const isUnseen = status?.phase === undefined && age > silenceMs;
  const isBehind = status?.observedGeneration !== undefined && status.observedGeneration < (metadata.generation ?? 0);
  if (!isUnseen && !isBehind) return [];
  const led =
    leader === undefined
      ? 'No Lease says that an operator runs'
      : `${leader.holder} leads, and renewed its Lease ${ago(leader.renewedAt, now)}`;
  const what = isUnseen
    ? 'No operator has said anything of this order yet'
    : 'The operator has not seen the last change of this order yet';
  return [
    `${what}. ${led}: see that "ssvirt cloudkit-operator" runs, that its cloudkit.orderNamespace is not another one, and look into its log.`,
  ];
}

/** What the rules say now, and what the operator has said, where that is something else. */
function refusals({ judged }: OrderCase, order: Order): readonly string[] {
  const { status } = order;
  const found = isContent(order) ? [] : (judged?.problems ?? []);
  const told = findCondition(status?.conditions, conditions.progressing);
  const known = new Set<string>([
    ...found.map(({ reason }) => reason),
    'WebhookFailed',
    'Failed',
    'AsExpected',
    'Deleting',
  ]);
  const more = told?.status === 'False' && !known.has(told.reason) ? [`${told.reason}: ${told.message}`] : [];
  return [...found.map(({ reason, message }) => `${reason}: ${message}`), ...more];
}

/** While a call is on its way its record says so; what came of those before is in the condition. */
function calls({ status }: Order): readonly string[] {
  const told = findCondition(status?.conditions, conditions.progressing);
  return told?.reason === 'WebhookFailed' ? [`${withEnd(told.message)} ${toAap}`] : [];
}

const toAap = `See that AAP runs, and that cloudkit.aap.* of the operator is right; or set the annotation ${annotations.managedBy} to "controller".`;

function ofMachine({ machine, order }: OrderCase): readonly string[] {
  const state = machine?.state;
  if (state?.state === 'failed' || state?.state === 'hindered')
    return [`${state.reason}: ${withEnd(state.sentence)}${wayOut(state.reason)}`];
  const told = findCondition(order?.status?.conditions, conditions.available);
  return order?.status?.phase === 'Failed' && state?.state === 'missing' && told?.reason === 'Failed'
    ? [withEnd(told.message)]
    : [];
}

const waysOut: Readonly<Record<string, string>> = {
  Unschedulable: ' It starts by itself when a node can run it.',
  DiskPending: ' Look at the events of the claim and at its storage class.',
  ImportFailed: ' The events of the DataVolume and the log of its importer pod say more.',
  InsufficientResources: ' Ask for a larger quota, or order less.',
  CrashLoopBackOff: ' Look at the events of the instance and the log of its virt-launcher pod.',
};

function wayOut(reason: string): string {
  return waysOut[reason] ?? '';
}

function waits(seen: OrderCase, order: Order): readonly string[] {
  const { disk, machine, children, now } = seen;
  const { status } = order;
  const told = findCondition(status?.conditions, conditions.progressing);
  const isOpen = status?.phase !== 'Ready';
  const filling = isOpen && disk?.phase !== undefined && disk.phase !== 'Succeeded';
  const address = children.find(({ kind, says }) => kind === 'Service' && says === 'no address yet');
  const { webhook } = status ?? {};
  const asked = status?.provisionedBy === 'aap' && !isDone(order) && webhook?.acceptedTime !== undefined;
  return [
    ...(asked
      ? [
          `AAP took it ${ago(webhook.acceptedTime ?? '', now)} and has not reported it done: look at its jobs where that lasts.`,
        ]
      : []),
    ...(filling
      ? [`The disk is being filled (${[disk.phase, disk.progress].filter((one) => one !== undefined).join(', ')}).`]
      : []),
    ...(isOpen && told?.status === 'True' && !asked ? [withEnd(told.message)] : []),
    ...(isOpen && status?.phase === undefined
      ? ['It was created a moment ago; the operator has not looked at it yet.']
      : []),
    ...(machine?.state.state === 'stopped'
      ? ['The virtual machine is stopped: start it, for example with "virtctl start".']
      : []),
    ...(machine?.state.state === 'paused'
      ? ['The virtual machine is paused: resume it, for example with "virtctl unpause vm".']
      : []),
    ...(address === undefined
      ? []
      : [
          `The Service "${address.name}" has no address of a load balancer: see that the cluster gives such addresses.`,
        ]),
  ];
}

function onDeletion(seen: OrderCase, order: Order): Advice {
  const { children, now } = seen;
  const { finalizers = [], deletionTimestamp = '' } = order.metadata;
  const told = findCondition(order.status?.conditions, conditions.deleting);
  const left = children.filter(({ state, whose }) => state !== 'absent' && whose !== "another's");
  const held = left.filter(({ says }) => says?.startsWith('held by') === true);
  const sentences = [
    `Its deletion began ${ago(deletionTimestamp, now)}.`,
    ...(told?.status === 'True' ? [withEnd(told.message)] : []),
    ...(told?.reason === 'WebhookFailed'
      ? ['See that AAP runs, and that cloudkit.aap.* of the operator is right.']
      : []),
    ...held.map(
      ({ kind, name, says = '' }) =>
        `${kind} "${name}" is being deleted and ${says}: whoever put that there has to let it go.`,
    ),
    ...finalizers
      .filter((one) => aapFinalizers.includes(one))
      .map((one) => `The finalizer ${one} is taken off by AAP's delete job: see that it ran.`),
    ...finalizers
      .filter((one) => one !== finalizer && !aapFinalizers.includes(one))
      .map((one) => `The finalizer ${one} is nobody's here: whoever put it there has to take it off.`),
    ...(finalizers.includes(finalizer) && left.length === 0
      ? [
          'Nothing of it is left: the operator takes its finalizer off next. Where that does not happen, see that it runs.',
        ]
      : []),
  ];
  const isWrong = told?.reason !== undefined && told.status === 'True' && told.reason !== 'Deleting';
  const lasts = now - Date.parse(deletionTimestamp) > 10 * silenceMs;
  return { verdict: isWrong || lasts || held.length > 0 ? 'wrong' : 'underway', sentences: [...new Set(sentences)] };
}

function isDone(order: Order): boolean {
  return (
    order.status?.desiredConfigVersion !== undefined && order.status.desiredConfigVersion === reconciledVersion(order)
  );
}
