/** Conditions in the form of metav1.Condition. */
import { defined } from '@ssvirt/base/values/defined';
import { isDeepStrictEqual } from 'node:util';

export type ConditionStatus = 'True' | 'False' | 'Unknown';

export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  /** Machine-readable: CamelCase. */
  readonly reason: string;
  /** Human-readable. */
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}

export type Finding = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** The patterns of metav1.Condition's schema: every CRD that uses it refuses what does not match. */
const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const typePattern =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/;
const longest = { type: 316, reason: 1024, message: 32_768 };

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/** `assertFinding` throws for what no server would accept: that is a bug, better found in a test. */
export function assertFinding({ type, reason }: Finding): void {
  if (type.length > longest.type || !typePattern.test(type))
    throw new TypeError(`"${type}" is not a valid condition type`);
  if (reason.length > longest.reason || !reasonPattern.test(reason))
    throw new TypeError(`"${reason}" is not a valid reason of condition ${type}: it must be a CamelCase word`);
}

export interface FoundAt {
  readonly date: Date;
  readonly generation?: number | undefined;
}

/**
 `conditionAfter` returns * The condition after the finding. Its time changes only with its status; an unchanged condition is returned as the
 * same object.
 */
export function conditionAfter(
  before: Condition | undefined,
  finding: Finding,
  { date, generation }: FoundAt,
): Condition {
  assertFinding(finding);
  const { type, status, reason } = finding;
  const moved = before?.status !== status;
  const after: Condition = {
    type,
    status,
    reason,
    message: finding.message.slice(0, longest.message),
    ...defined({ observedGeneration: generation }),
    lastTransitionTime: moved ? date.toISOString().replace(/\.\d+Z$/, 'Z') : before.lastTransitionTime,
  };
  return before !== undefined && isDeepStrictEqual(before, after) ? before : after;
}

/** `sortConditions` puts ready first, then by name: the same findings give the same list in any order. */
export function sortConditions(conditions: readonly Condition[]): readonly Condition[] {
  const rank = ({ type }: Condition): number => (type === 'Ready' ? 0 : 1);
  return conditions.toSorted((a, b) => rank(a) - rank(b) || (a.type < b.type ? -1 : Number(a.type > b.type)));
}

/**
 * `Conditions` collects the findings of a reconcile. Conditions that are not set here, including other writers', stay
 * as they are.
 */
export class Conditions {
  readonly #before: readonly Condition[];
  readonly #at: FoundAt;
  readonly #found = new Map<string, Condition>();
  readonly #dropped = new Set<string>();

  constructor(before: readonly Condition[] | undefined, at: FoundAt) {
    this.#before = before ?? [];
    this.#at = at;
  }

  /** The last call for a type wins. */
  set(type: string, status: ConditionStatus, reason: string, message = ''): void {
    const before = findCondition(this.#before, type);
    this.#found.set(type, conditionAfter(before, { type, status, reason, message }, this.#at));
    this.#dropped.delete(type);
  }

  drop(type: string): void {
    this.#found.delete(type);
    this.#dropped.add(type);
  }

  get(type: string): Condition | undefined {
    return this.#found.get(type) ?? (this.#dropped.has(type) ? undefined : findCondition(this.#before, type));
  }

  /** Whether this reconcile has set or dropped the type. */
  has(type: string): boolean {
    return this.#found.has(type) || this.#dropped.has(type);
  }

  /** The resulting list of all conditions. */
  list(): readonly Condition[] {
    const kept = this.#before.filter(({ type }) => !this.#found.has(type) && !this.#dropped.has(type));
    return sortConditions([...kept, ...this.#found.values()]);
  }

  /** Only those set here: for a server-side apply, where each writer owns its own. */
  own(): readonly Condition[] {
    return sortConditions([...this.#found.values()]);
  }

  get changed(): boolean {
    return !isDeepStrictEqual(this.list(), sortConditions(this.#before));
  }
}
