/** Conditions as metav1.Condition has them: what is the case, since when, why, and for which generation of the object that was found. */
import { isDeepStrictEqual } from 'node:util';

export type ConditionStatus = 'True' | 'False' | 'Unknown';

export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  /** For machines: CamelCase. */
  readonly reason: string;
  /** For people. */
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}

export type Finding = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** The patterns of metav1.Condition's own schema: what does not match is refused by every CRD that uses it. */
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

/** Throws where no server would take it: that is a mistake in the code, and is better found in a test. */
export function assertFinding({ type, reason }: Finding): void {
  if (type.length > longest.type || !typePattern.test(type)) throw new TypeError(`"${type}" is no type of a condition`);
  if (reason.length > longest.reason || !reasonPattern.test(reason))
    throw new TypeError(`"${reason}" is no reason of condition ${type}: it must be a CamelCase word`);
}

export interface FoundAt {
  readonly date: Date;
  readonly generation?: number | undefined;
}

/** The condition after the finding. Its time moves only when the status does, and an unchanged one is the same object. */
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
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastTransitionTime: moved ? date.toISOString().replace(/\.\d+Z$/, 'Z') : before.lastTransitionTime,
  };
  return before !== undefined && isDeepStrictEqual(before, after) ? before : after;
}

/** Ready first, then by name: the same findings give the same list, whatever the order in which they were made. */
export function sortConditions(conditions: readonly Condition[]): readonly Condition[] {
  const rank = ({ type }: Condition): number => (type === 'Ready' ? 0 : 1);
  return conditions.toSorted((a, b) => rank(a) - rank(b) || (a.type < b.type ? -1 : Number(a.type > b.type)));
}

/** Collects what a reconcile finds out. Conditions that nobody sets here, of other writers too, stay as they are. */
export class Conditions {
  readonly #before: readonly Condition[];
  readonly #at: FoundAt;
  readonly #found = new Map<string, Condition>();
  readonly #dropped = new Set<string>();

  constructor(before: readonly Condition[] | undefined, at: FoundAt) {
    this.#before = before ?? [];
    this.#at = at;
  }

  /** The last word on a type counts. */
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

  /** Whether this reconcile has said something about it. */
  has(type: string): boolean {
    return this.#found.has(type) || this.#dropped.has(type);
  }

  /** All of them as they shall be. */
  list(): readonly Condition[] {
    const kept = this.#before.filter(({ type }) => !this.#found.has(type) && !this.#dropped.has(type));
    return sortConditions([...kept, ...this.#found.values()]);
  }

  /** Only those that were found here: for a server-side apply, where each writer owns its own. */
  own(): readonly Condition[] {
    return sortConditions([...this.#found.values()]);
  }

  get changed(): boolean {
    return !isDeepStrictEqual(this.list(), sortConditions(this.#before));
  }
}
