/**
 * The state of an order with an OrderTemplate. It is derived from the objects that the template renders to or, if these
 * are unknown, from the objects that carry the order's labels.
 */
import { defined } from '@ssvirt/base/values/defined';
import { fields } from '../../../kubevirt/facts/reading.ts';
import type { KubeLike } from '../../../kubevirt/tenant-vm/kube-like.ts';
import { annotations, conditions, type ChildCondition } from '../../../kubevirt/order/resource.ts';
import { shown } from '../../../kubevirt/order/shown.ts';
import type { ChildState } from '../../../kubevirt/order/status/status.ts';
import { isOurs } from '../children.ts';
import { cachedAt, kindsOfTemplates, ownOfKind } from './template-kinds.ts';
import type { OrderOutcome } from '../operator/report.ts';
import { templateOf, versionOf } from './templates.ts';
import type { OrderWork } from '../work.ts';

/** The part of an object that its state is derived from. */
interface Expected {
  readonly kind: string;
  readonly name: string;
  readonly isBalanced?: boolean;
}

type Seen = Pick<OrderOutcome, 'children' | 'machineless' | 'names' | 'note'>;

/** `MadeOf` is the version of the template that an order was created from. */
export interface MadeOf {
  readonly version: string;
  readonly vmName?: string;
}

export function madeOf({ journal }: Pick<OrderWork, 'journal'>): MadeOf | undefined {
  const text = journal.order.metadata.annotations?.[annotations.templateVersion];
  if (text === undefined) return undefined;
  const [version = '', vmName] = text.split('/');
  return { version, ...(vmName === undefined || vmName === '' ? {} : { vmName }) };
}

/** Also checks that AAP has not provisioned the order since. */
export function isByTemplate(work: Pick<OrderWork, 'journal'>): boolean {
  return madeOf(work) !== undefined && work.journal.order.status?.provisionedBy === 'controller';
}

export function customView(work: OrderWork, objects: readonly KubeLike[], note?: string): Seen {
  const expected = objects.map(({ kind, metadata, spec }) => ({
    kind,
    name: metadata.name,
    isBalanced: fields(spec)['type'] === 'LoadBalancer',
  }));
  const vm = expected.find(({ kind }) => kind === 'VirtualMachine')?.name;
  return seenBy(work, expected, vm, note);
}

/** Used when the expected objects are unknown: the template is gone or has changed, or the order is refused. */
export function customRemains(work: OrderWork): Seen {
  const expected = kindsOfTemplates.flatMap((kind) =>
    ownOfKind(work, kind).map(({ metadata }) => ({ kind, name: metadata.name ?? '' })),
  );
  const made = madeOf(work);
  const vm = made === undefined ? expected.find(({ kind }) => kind === 'VirtualMachine')?.name : made.vmName;
  const isMissing = vm !== undefined && !expected.some(({ kind }) => kind === 'VirtualMachine');
  return seenBy(work, isMissing ? [...expected, { kind: 'VirtualMachine', name: vm }] : expected, vm, noteOf(work));
}

function noteOf(work: OrderWork): string | undefined {
  const { templateID } = work.order.spec;
  const template = templateOf(work.caches, templateID);
  if (template === undefined)
    return `The template ${shown(templateID)} no longer exists: the objects created from it stay until the order is deleted, and their drift is not corrected; a change of the order needs the template again.`;
  return madeOf(work)?.version === versionOf(template)
    ? undefined
    : `The template ${shown(templateID)} has changed since: existing objects stay as they are, and their drift is not corrected, until a change of the order (or of its spec.desiredConfigVersion) applies the new template.`;
}

function seenBy(
  work: OrderWork,
  expected: readonly Expected[],
  vm: string | undefined,
  note: string | undefined,
): Seen {
  const machineless = vm === undefined;
  const namesOf = (...kinds: readonly string[]): readonly string[] =>
    expected.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  return {
    children: groups.flatMap(({ condition, kinds }) => {
      const those = expected.filter(({ kind }) => kinds.includes(kind));
      return those.length === 0 ? [] : [groupState(work, condition, those, machineless)];
    }),
    machineless,
    names: { ...defined({ vm }), disks: namesOf('DataVolume'), services: namesOf('Service') },
    ...defined({ note }),
  };
}

const groups: readonly { readonly condition: ChildCondition; readonly kinds: readonly string[] }[] = [
  { condition: conditions.objects, kinds: ['Secret', 'ConfigMap'] },
  { condition: conditions.dataVolume, kinds: ['DataVolume', 'PersistentVolumeClaim'] },
  { condition: conditions.virtualMachine, kinds: ['VirtualMachine'] },
  { condition: conditions.service, kinds: ['Service'] },
];

function groupState(
  work: OrderWork,
  condition: ChildCondition,
  those: readonly Expected[],
  machineless: boolean,
): ChildState {
  const missing = those.filter((one) => !isThere(work, one));
  if (missing.length > 0) return { condition, applied: false, message: `Not created yet: ${named(missing)}.` };
  if (condition === conditions.virtualMachine) return { condition, applied: true };
  const waiting = those.filter((one) => !isReady(work, one, machineless));
  const ready = waiting.length === 0;
  return {
    condition,
    applied: true,
    ready,
    message: ready ? `As ordered: ${named(those)}.` : `Not ready yet: ${named(waiting)}.`,
  };
}

/** CDI may delete a DataVolume when its PersistentVolumeClaim is filled. */
function isThere(work: OrderWork, { kind, name }: Expected): boolean {
  if (isOurs(work, cachedAt(work, kind, name))) return true;
  return kind === 'DataVolume' && isOurs(work, cachedAt(work, 'PersistentVolumeClaim', name));
}

/** In a template without a VM a disk may never get a consumer, so these phases count as ready. */
const unused: ReadonlySet<unknown> = new Set(['WaitForFirstConsumer', 'PendingPopulation']);

function isReady(
  { caches, identity }: OrderWork,
  { kind, name, isBalanced = false }: Expected,
  machineless: boolean,
): boolean {
  const key = { namespace: identity.tenantNamespace, name };
  if (kind === 'DataVolume') {
    const phase = caches.dataVolumes.get(key)?.facts.phase;
    return phase === undefined
      ? caches.dataVolumes.get(key) === undefined
      : phase === 'Succeeded' || (machineless && unused.has(phase));
  }
  if (kind === 'PersistentVolumeClaim') return caches.claims.get(key)?.status['phase'] !== 'Lost';
  return !isBalanced || caches.services.get(key)?.address !== undefined;
}

const MOST_NAMED = 8;

function named(those: readonly Expected[]): string {
  const names = those.slice(0, MOST_NAMED).map(({ kind, name }) => `${kind} "${name}"`);
  return those.length > MOST_NAMED ? `${names.join(', ')} and ${those.length - MOST_NAMED} more` : names.join(', ');
}
