/**
 * Who provisions an order: this controller, or AAP. A switch takes effect at the next config version, so that neither
 * an annotation nor a setting affects a VM that is as ordered: until then, the one who provisioned it continues to
 * maintain it.
 */
import * as problems from './mode-problems.ts';
import { quietFor } from './aap/aap-quiet-period.ts';
import type { Mode, OrderProblem, WebhookRecord } from './resource.ts';
import { isInRollout } from './rollout.ts';

/** `custom` is a template of an OrderTemplate. */
export type TemplateClass = 'native' | 'custom' | 'floating-ip' | 'unknown';

export interface ModeInput {
  readonly uid: string;
  readonly templateID: string;
  readonly template: TemplateClass;
  /** The annotation's value, unchecked. */
  readonly managedBy?: string | undefined;
  /** As recorded in the status. */
  readonly provisionedBy?: Mode | undefined;
  /**
   * The order has AAP's finalizer, or the annotation with the reconciled version: AAP has worked on it if no mode is
   * recorded.
   */
  readonly hasAapMarks: boolean;
  readonly desired: string;
  readonly reconciled?: string | undefined;
  readonly fallbackConfigVersion?: string | undefined;
  /** The switch for all orders. */
  readonly controllerMode: boolean;
  /** The percentage of undecided orders that go to the controller: 0 to 100. */
  readonly rolloutPercentage: number;
  readonly webhook?: WebhookRecord | undefined;
  readonly quietPeriodMs: number;
  /** In milliseconds. */
  readonly now: number;
}

export interface Decided {
  /** For an order that is as ordered, `aap` means that only its status is updated. */
  readonly mode: Mode;
  /** `mode` must be written to `status.provisionedBy` before anything else is done. */
  readonly record: boolean;
  /** The mode from the next config version on, if it differs. */
  readonly takesOver?: Mode;
  /**
   * Why the next config version is refused: an order that is as ordered does not fail for this reason before it is
   * changed.
   */
  readonly refused?: OrderProblem;
}

export type ModeDecision =
  | Decided
  | { readonly problem: OrderProblem }
  | { readonly waitMs: number; readonly why: string };

type Wanted = { readonly mode: Mode } | { readonly problem: OrderProblem };

export function decideMode(input: ModeInput): ModeDecision {
  const { managedBy, desired, reconciled } = input;
  if (managedBy !== undefined && !isMode(managedBy)) return { problem: problems.unknownManagedBy(managedBy) };
  const before = provisioner(input);
  const next = wantedMode(input, managedBy, before);
  if (before !== undefined && reconciled === desired) return goOn(input, before, next);
  if ('problem' in next) return next;
  const mode = isGivenUp(input) ? 'aap' : next.mode;
  const waitMs = before === 'aap' && mode === 'controller' ? quietFor(input) : 0;
  return waitMs > 0 ? { waitMs, why: problems.waitingForAap(input.webhook) } : decided(input, mode, next);
}

function isMode(value: string): value is Mode {
  return value === 'controller' || value === 'aap';
}

/**
 * The mode in which it was provisioned so far. Orders that are older than this operator have no record, only AAP marks.
 */
export function provisioner({
  provisionedBy,
  hasAapMarks,
}: Pick<ModeInput, 'provisionedBy' | 'hasAapMarks'>): Mode | undefined {
  return provisionedBy ?? (hasAapMarks ? 'aap' : undefined);
}

function decided({ provisionedBy }: ModeInput, mode: Mode, next: Wanted): Decided {
  return { mode, record: provisionedBy !== mode, ...later(mode, next) };
}

function later(mode: Mode, next: Wanted): Pick<Decided, 'takesOver' | 'refused'> {
  if ('problem' in next) return { refused: next.problem };
  return next.mode === mode ? {} : { takesOver: next.mode };
}

/** The order is as ordered. */
function goOn(input: ModeInput, before: Mode, next: Wanted): Decided {
  const { controllerMode, template } = input;
  const canMend = controllerMode && (template === 'native' || template === 'custom');
  // Turning off controller mode must stop the controller at once: its objects are left alone, and the record stays.
  if (before === 'controller' && !canMend) return { mode: 'aap', record: false, ...later('controller', next) };
  return decided(input, before, next);
}

/** AAP cannot provision an OrderTemplate in the controller's place. */
function isGivenUp({ fallbackConfigVersion, desired, template }: ModeInput): boolean {
  return fallbackConfigVersion === desired && template !== 'custom';
}

/**
 * The last version that AAP was asked for is one that the controller gave up: the order is still the controller's,
 * which tries the next version again.
 */
function isAapOnlyByFallback({ fallbackConfigVersion, desired, reconciled, webhook }: ModeInput): boolean {
  if (fallbackConfigVersion === undefined) return false;
  return [desired, reconciled, webhook?.configVersion].includes(fallbackConfigVersion);
}

/** The mode for the next version. */
function wantedMode(input: ModeInput, managedBy: Mode | undefined, before: Mode | undefined): Wanted {
  const { template, templateID, controllerMode } = input;
  // The author of the annotation knows what AAP supports.
  if (managedBy === 'aap') return { mode: 'aap' };
  if (template === 'floating-ip')
    return managedBy === 'controller' ? { problem: problems.floatingIp(templateID) } : { mode: 'aap' };
  const asked = managedBy ?? (isAapOnlyByFallback(input) ? 'controller' : before) ?? byRollout(input);
  const mode = controllerMode ? asked : 'aap';
  if (template === 'custom' && mode === 'aap') return { problem: problems.unknownToAap(templateID, asked) };
  if (template === 'unknown' && mode === 'controller') return { problem: problems.unsupported(templateID) };
  return { mode };
}

function byRollout({ template, uid, rolloutPercentage }: ModeInput): Mode {
  // AAP does not know OrderTemplates, and the controller only knows these and the native template.
  if (template === 'custom') return 'controller';
  return template === 'native' && isInRollout(uid, rolloutPercentage) ? 'controller' : 'aap';
}
