/**
 * Who provisions an order: this controller, or AAP. A switch takes effect at the next config version, so that neither an annotation nor a setting touches a
 * machine that is as ordered: until then whoever has provisioned it goes on looking after it.
 */
import * as problems from './mode-problems.ts';
import { quietFor } from './quiet.ts';
import type { Mode, Problem, WebhookRecord } from './resource.ts';
import { isInRollout } from './rollout.ts';

/** `custom` is one of an OrderTemplate. */
export type TemplateClass = 'native' | 'custom' | 'floating-ip' | 'unknown';

export interface ModeInput {
  readonly uid: string;
  readonly templateID: string;
  readonly template: TemplateClass;
  /** The annotation, as it stands. */
  readonly managedBy?: string | undefined;
  /** As recorded in the status. */
  readonly provisionedBy?: Mode | undefined;
  /** AAP's finalizer is on, or the annotation with the reconciled version: AAP has worked on it, where nothing is recorded. */
  readonly hasTracesOfAap: boolean;
  readonly desired: string;
  readonly reconciled?: string | undefined;
  readonly fallbackConfigVersion?: string | undefined;
  /** The switch for all orders. */
  readonly controllerMode: boolean;
  /** Of the orders that say nothing, how many go to the controller: 0 to 100. */
  readonly rolloutPercentage: number;
  readonly webhook?: WebhookRecord | undefined;
  readonly quietPeriodMs: number;
  /** In milliseconds. */
  readonly now: number;
}

export interface Decided {
  /** Of an order that is as ordered, `aap` means that nothing is done but to tell its status. */
  readonly mode: Mode;
  /** `mode` is to be written to `status.provisionedBy` before anything is done. */
  readonly record: boolean;
  /** Who does it from the next config version on, where that is somebody else. */
  readonly takesOver?: Mode;
  /** Why nobody will, where that is so: an order that is as ordered does not fail of it before it is changed. */
  readonly refused?: Problem;
}

export type ModeDecision = Decided | { readonly problem: Problem } | { readonly waitMs: number; readonly why: string };

type Wanted = { readonly mode: Mode } | { readonly problem: Problem };

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

/** Who has worked on it so far. Orders from before this operator bear no record, only what AAP leaves on them. */
export function provisioner({
  provisionedBy,
  hasTracesOfAap,
}: Pick<ModeInput, 'provisionedBy' | 'hasTracesOfAap'>): Mode | undefined {
  return provisionedBy ?? (hasTracesOfAap ? 'aap' : undefined);
}

function decided({ provisionedBy }: ModeInput, mode: Mode, next: Wanted): Decided {
  return { mode, record: provisionedBy !== mode, ...later(mode, next) };
}

function later(mode: Mode, next: Wanted): Pick<Decided, 'takesOver' | 'refused'> {
  if ('problem' in next) return { refused: next.problem };
  return next.mode === mode ? {} : { takesOver: next.mode };
}

/** It is as ordered. */
function goOn(input: ModeInput, before: Mode, next: Wanted): Decided {
  const { controllerMode, template } = input;
  const canMend = controllerMode && (template === 'native' || template === 'custom');
  // The switch is there to stop the controller's hand at once: what it has made is left alone, and remains recorded as its work.
  if (before === 'controller' && !canMend) return { mode: 'aap', record: false, ...later('controller', next) };
  return decided(input, before, next);
}

/** An OrderTemplate is nothing that AAP could be asked for in the controller's place. */
function isGivenUp({ fallbackConfigVersion, desired, template }: ModeInput): boolean {
  return fallbackConfigVersion === desired && template !== 'custom';
}

/** The last that AAP was asked for is what the controller gave up: the order is still the controller's, who tries the next version again. */
function isAapOnlyByFallback({ fallbackConfigVersion, desired, reconciled, webhook }: ModeInput): boolean {
  if (fallbackConfigVersion === undefined) return false;
  return [desired, reconciled, webhook?.configVersion].includes(fallbackConfigVersion);
}

/** Who shall do the next version. */
function wantedMode(input: ModeInput, managedBy: Mode | undefined, before: Mode | undefined): Wanted {
  const { template, templateID, controllerMode } = input;
  // Whoever says so knows what AAP can do.
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
  // AAP knows nothing of OrderTemplates, and the controller nothing of templates that are neither: there is no choice.
  if (template === 'custom') return 'controller';
  return template === 'native' && isInRollout(uid, rolloutPercentage) ? 'controller' : 'aap';
}
