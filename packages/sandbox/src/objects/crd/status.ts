/** The conditions that the server's own controllers set: accepted names, establishment, approval, termination. */
import { jsonEqual } from '../../values/json.ts';
import { goQuote } from '../schema/go/go-text.ts';
import { approvalOf, isProtectedGroup } from './approval.ts';
import { hasCondition } from './types.ts';
import type { CustomResourceDefinition, DefinitionCondition, DefinitionNames, DefinitionStatus } from './types.ts';

interface NewCondition {
  readonly type: string;
  readonly status: DefinitionCondition['status'];
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

/**
 * Returns the status after comparing the names with the other definitions of the group (which may include this one), or
 * undefined when it does not change. A definition keeps the names that it already has.
 */
export function acceptNames(
  crd: CustomResourceDefinition,
  others: Iterable<CustomResourceDefinition>,
  now: string,
): DefinitionStatus | undefined {
  const accepted = crd.status?.acceptedNames ?? { plural: '', kind: '' };
  if (sameNames(crd.spec.names, accepted)) return undefined;
  const { names, condition } = decideNames(crd.spec.names, accepted, namesInUse(crd, others));
  const known = find(crd, 'NamesAccepted');
  if (sameNames(names, accepted) && known !== undefined && sameCondition(known, condition)) return undefined;
  const status = withCondition(crd.status, condition, now);
  return { ...withCondition(status, establishment(crd, condition), now), acceptedNames: names };
}

/** `establish` returns the status of a definition that is now served, or undefined when it cannot be served yet. */
export function establish(crd: CustomResourceDefinition, now: string): DefinitionStatus | undefined {
  if (!hasCondition(crd, 'NamesAccepted') || hasCondition(crd, 'Established')) return undefined;
  return withCondition(
    crd.status,
    {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    },
    now,
  );
}

/** Definitions in community groups have a condition that shows whether their API was approved. */
export function approve(crd: CustomResourceDefinition, now: string): DefinitionStatus | undefined {
  if (!isProtectedGroup(crd.spec.group)) return undefined;
  const { state, reason } = approvalOf(crd.metadata.annotations);
  const condition: NewCondition = {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: state === 'Approved' ? 'True' : 'False',
    reason: {
      Approved: 'ApprovedAnnotation',
      Bypassed: 'UnapprovedAnnotation',
      Missing: 'MissingAnnotation',
      Invalid: 'InvalidAnnotation',
    }[state],
    message: reason,
  };
  const known = find(crd, condition.type);
  return known !== undefined && sameCondition(known, condition) ? undefined : withCondition(crd.status, condition, now);
}

const terminations = {
  pending: [
    'True',
    'InstanceDeletionPending',
    'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  ],
  inProgress: ['True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress'],
  completed: ['False', 'InstanceDeletionCompleted', 'removed all instances'],
  neverEstablished: ['False', 'NeverEstablished', 'resource was never established'],
} as const satisfies { [step: string]: readonly ['True' | 'False', string, string] };

export type TerminationStep = keyof typeof terminations;

export function terminate(crd: CustomResourceDefinition, step: TerminationStep, now: string): DefinitionStatus {
  const [status, reason, message] = terminations[step];
  return withCondition(crd.status, { type: 'Terminating', status, reason, message }, now);
}

const find = (crd: CustomResourceDefinition, type: string): DefinitionCondition | undefined =>
  crd.status?.conditions?.find((condition) => condition.type === type);

const sameCondition = (a: NewCondition, b: NewCondition): boolean =>
  a.status === b.status && a.reason === b.reason && a.message === b.message;

/** Empty lists equal absent ones. */
function sameNames(a: DefinitionNames, b: DefinitionNames): boolean {
  const form = ({ shortNames, categories, singular, listKind, plural, kind }: DefinitionNames): DefinitionNames => ({
    plural,
    kind,
    singular: singular ?? '',
    listKind: listKind ?? '',
    shortNames: shortNames ?? [],
    categories: categories ?? [],
  });
  return jsonEqual(form(a), form(b));
}

function withCondition(status: DefinitionStatus | undefined, condition: NewCondition, now: string): DefinitionStatus {
  const before = status?.conditions ?? [];
  const known = before.find(({ type }) => type === condition.type);
  const lastTransitionTime =
    known !== undefined && known.status === condition.status ? (known.lastTransitionTime ?? now) : now;
  const { type, status: state, reason, message } = condition;
  const next: DefinitionCondition = {
    type,
    status: state,
    lastTransitionTime,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
  return {
    acceptedNames: { plural: '', kind: '' },
    storedVersions: [],
    ...status,
    conditions: known === undefined ? [...before, next] : before.map((each) => (each === known ? next : each)),
  };
}

interface UsedNames {
  readonly resources: Set<string>;
  readonly kinds: Set<string>;
}

function namesInUse(crd: CustomResourceDefinition, others: Iterable<CustomResourceDefinition>): UsedNames {
  const used: UsedNames = { resources: new Set(), kinds: new Set() };
  for (const other of [crd, ...others]) {
    const names = other.status?.acceptedNames;
    const self = other !== crd && other.metadata.name === crd.metadata.name;
    if (other.spec.group !== crd.spec.group || names === undefined || self) continue;
    for (const name of [names.plural, names.singular ?? '', ...(names.shortNames ?? [])]) used.resources.add(name);
    for (const kind of [names.kind, names.listKind ?? '']) used.kinds.add(kind);
  }
  return used;
}

function decideNames(
  wanted: DefinitionNames,
  accepted: DefinitionNames,
  used: UsedNames,
): { names: DefinitionNames; condition: NewCondition } {
  let condition: NewCondition | undefined;
  const names: DefinitionNames = { ...accepted };
  const refuse = (reason: string, message: string): void => {
    condition = { type: 'NamesAccepted', status: 'False', reason, message };
  };
  const taken = (name: string, mine: string, inUse: Set<string>): boolean => name !== mine && inUse.has(name);
  const decide = (field: 'plural' | 'singular' | 'kind' | 'listKind', inUse: Set<string>, reason: string): void => {
    const name = wanted[field] ?? '';
    if (taken(name, accepted[field] ?? '', inUse)) refuse(reason, `${goQuote(name)} is already in use`);
    else names[field] = name;
  };
  // Each conflict replaces the previous one: the condition shows the last.
  decide('plural', used.resources, 'PluralConflict');
  decide('singular', used.resources, 'SingularConflict');
  const shortNames = decideShortNames(wanted.shortNames ?? [], accepted.shortNames ?? [], used.resources);
  if (shortNames !== undefined) refuse('ShortNamesConflict', shortNames);
  else if (wanted.shortNames === undefined) delete names.shortNames;
  else names.shortNames = wanted.shortNames;
  decide('kind', used.kinds, 'KindConflict');
  decide('listKind', used.kinds, 'ListKindConflict');
  if (wanted.categories === undefined) delete names.categories;
  else names.categories = wanted.categories;
  return {
    names: inGoOrder(names),
    condition: condition ?? {
      type: 'NamesAccepted',
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
    },
  };
}

function inGoOrder({ plural, singular, shortNames, kind, listKind, categories }: DefinitionNames): DefinitionNames {
  return {
    plural,
    ...((singular ?? '') === '' ? {} : { singular: singular ?? '' }),
    ...(shortNames === undefined ? {} : { shortNames }),
    kind,
    ...((listKind ?? '') === '' ? {} : { listKind: listKind ?? '' }),
    ...(categories === undefined ? {} : { categories }),
  };
}

function decideShortNames(
  wanted: readonly string[],
  accepted: readonly string[],
  used: Set<string>,
): string | undefined {
  const taken = wanted.filter((name) => !accepted.includes(name) && used.has(name));
  const texts = [...new Set(taken.map((name) => `${goQuote(name)} is already in use`))];
  if (texts.length === 0) return undefined;
  return texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
}

function establishment(crd: CustomResourceDefinition, names: NewCondition): NewCondition {
  const known = find(crd, 'Established');
  if (known?.status === 'True') return known;
  if (names.status === 'True') {
    return {
      type: 'Established',
      status: 'False',
      reason: 'Installing',
      message: 'the initial names have been accepted',
    };
  }
  return (
    known ?? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
  );
}
