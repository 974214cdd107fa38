/** virt-controller's decisions about a migration, as a function of the migration, its VMI and its target pod. */
import type { Condition, Pod, VirtualMachineInstance, VirtualMachineInstanceMigration } from '../objects.ts';
import { has } from '../vmi/conditions.ts';
import { isFinal as isPodFinal, isReady } from '../vmi/pods.ts';
import { ABORT_REQUESTED, FINALIZER, REJECTED_BY_QUOTA, annotations, reasons } from './names.ts';
import {
  hasTarget,
  isDeleting,
  isFinal,
  isSet,
  isTargetHandedOff,
  isVmiFinal,
  ownState,
  phaseOf,
  stateOf,
  type Phase,
} from './state.ts';

export interface MigrationScene {
  readonly migration: VirtualMachineInstanceMigration;
  readonly vmi: VirtualMachineInstance;
  readonly target: Pod | undefined;
  /** The launcher in which the guest runs. */
  readonly source: Pod | undefined;
  /** Hotplugged volumes of the VMI need an attachment pod at the target. */
  readonly needsAttachment: boolean;
  readonly attachment: Pod | undefined;
  /** Another migration of the VMI is in progress. */
  readonly isTaken: boolean;
  /** Why the sync could not act. */
  readonly error: string | undefined;
  readonly now: string;
}

export interface MigrationEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

type Status = NonNullable<VirtualMachineInstanceMigration['status']>;

export interface MigrationDecision {
  readonly status: Status;
  readonly finalizers: readonly string[];
  readonly events: readonly MigrationEvent[];
  /** Since when the domain is ready: to be written to the target pod. */
  readonly targetReadySince?: string;
}

interface Draft {
  phase: Phase;
  conditions: readonly Condition[];
  migrationState: unknown;
  finalizers: readonly string[];
  targetReadySince?: string;
  readonly events: MigrationEvent[];
}

export function decide(scene: MigrationScene): MigrationDecision {
  const { migration } = scene;
  const draft: Draft = {
    phase: phaseOf(migration),
    conditions: migration.status?.conditions ?? [],
    migrationState: migration.status?.['migrationState'],
    finalizers: migration.metadata.finalizers ?? [],
    events: [],
  };
  if (isFinal(migration)) putAway(draft, scene);
  else {
    const failure = failureOf(scene);
    if (failure !== undefined) fail(draft, failure, scene.now);
    else if (isDeleting(migration) && !has(draft.conditions, ABORT_REQUESTED))
      draft.conditions = [...draft.conditions, condition(ABORT_REQUESTED, scene.now)];
    else phases[draft.phase]?.(draft, scene);
  }
  if (draft.phase === 'Pending' && scene.source !== undefined)
    draft.migrationState = { ...(draft.migrationState as object | undefined), sourcePod: scene.source.metadata.name };
  return finished(draft, scene);
}

function finished(draft: Draft, { migration, now }: MigrationScene): MigrationDecision {
  const { conditions, migrationState, phase, finalizers, events, targetReadySince } = draft;
  const known = (migration.status?.['phaseTransitionTimestamps'] ?? []) as readonly { readonly phase: string }[];
  const isNew = phase !== phaseOf(migration) && !known.some((entry) => entry.phase === phase);
  const transitions = isNew ? [...known, { phase, phaseTransitionTimestamp: now }] : known;
  return {
    status: {
      ...migration.status,
      ...(conditions.length > 0 || migration.status?.conditions !== undefined ? { conditions } : {}),
      ...(migrationState === undefined ? {} : { migrationState }),
      ...(phase === '' ? {} : { phase }),
      ...(transitions.length === 0 ? {} : { phaseTransitionTimestamps: transitions }),
    },
    finalizers,
    events,
    ...(targetReadySince === undefined ? {} : { targetReadySince }),
  };
}

/** The migration has ended: its status keeps the VMI's last migration state, and the finalizer is removed. */
function putAway(draft: Draft, { migration, vmi }: MigrationScene): void {
  const state = ownState(vmi, migration);
  if (state !== undefined) draft.migrationState = state;
  draft.finalizers = draft.finalizers.filter((finalizer) => finalizer !== FINALIZER);
}

const CANCELED = 'Migration failed due to being canceled';

/** Why the migration cannot continue. */
function failureOf(scene: MigrationScene): string | undefined {
  const { migration, vmi, target, attachment } = scene;
  const state = stateOf(vmi);
  if (isVmiFinal(vmi)) return 'Migration failed vmi shutdown during migration.';
  if (isDeleting(migration) && ownState(vmi, migration) === undefined) return CANCELED;
  // Checked first, because the target pod ends as a consequence: if both are seen at once, the cause is reported.
  if (ownState(vmi, migration)?.failed === true) return 'source node reported migration failed';
  if (target !== undefined && isPodFinal(target))
    return 'Migration failed because target pod shutdown during migration';
  if (hasTarget(migration) && target === undefined) return 'Migration target pod was removed during active migration.';
  if (isTargetHandedOff(migration)) {
    if (state === undefined) return "VMI's migration state was cleared during the active migration.";
    if (ownState(vmi, migration) === undefined)
      return "VMI's migration state was taken over by another migration job during active migration.";
  }
  if (isDeleting(migration) && !has(migration.status?.conditions, ABORT_REQUESTED)) return undefined;
  if (attachment !== undefined && isPodFinal(attachment))
    return 'Migration failed because target attachment pod shutdown during migration';
  return undefined;
}

function fail(draft: Draft, message: string, now: string): void {
  draft.events.push({ type: 'Warning', reason: reasons.failed, message });
  if (message === CANCELED && !has(draft.conditions, ABORT_REQUESTED))
    draft.conditions = [...draft.conditions, condition(ABORT_REQUESTED, now)];
  draft.phase = 'Failed';
}

function condition(type: string, now: string): Condition {
  return { type, status: 'True', lastProbeTime: now, lastTransitionTime: null };
}

type PhaseRule = (draft: Draft, scene: MigrationScene) => void;

const phases: Readonly<Record<Phase, PhaseRule | undefined>> = {
  '': (draft, { isTaken, now }) => {
    const message = 'VMI is not eligible for migration because another migration job is in progress.';
    if (isTaken) fail(draft, message, now);
    else draft.phase = 'Pending';
  },
  Pending: whilePending,
  Scheduling: whileScheduling,
  Scheduled: (draft, { vmi, migration }) => {
    if ((ownState(vmi, migration)?.targetNode ?? '') !== '') draft.phase = 'PreparingTarget';
  },
  PreparingTarget: (draft, { vmi }) => {
    const { targetNode = '', targetNodeAddress = '' } = stateOf(vmi) ?? {};
    if (targetNode !== '' && targetNodeAddress !== '') draft.phase = 'TargetReady';
  },
  TargetReady: (draft, { vmi }) => {
    if (isSet(stateOf(vmi)?.startTimestamp)) draft.phase = 'Running';
  },
  Running: whileRunning,
  Succeeded: undefined,
  Failed: undefined,
};

const isAttached = ({ needsAttachment, attachment }: MigrationScene): boolean =>
  !needsAttachment || (attachment !== undefined && isReady(attachment));

function whilePending(draft: Draft, scene: MigrationScene): void {
  const { target, error, now } = scene;
  if (target !== undefined) {
    if (isAttached(scene)) draft.phase = 'Scheduling';
  } else if (error?.includes('exceeded quota') === true && !has(draft.conditions, REJECTED_BY_QUOTA))
    draft.conditions = [...draft.conditions, condition(REJECTED_BY_QUOTA, now)];
}

function whileScheduling(draft: Draft, scene: MigrationScene): void {
  draft.conditions = draft.conditions.filter(({ type }) => type !== REJECTED_BY_QUOTA);
  if (scene.target !== undefined && isReady(scene.target) && isAttached(scene)) draft.phase = 'Scheduled';
}

function whileRunning(draft: Draft, { vmi, target }: MigrationScene): void {
  const { targetNodeDomainReadyTimestamp: ready, completed } = stateOf(vmi) ?? {};
  if (target?.metadata.annotations?.[annotations.targetReady] === undefined && typeof ready === 'string')
    draft.targetReadySince = ready;
  if (completed !== true || isChanging(vmi)) return;
  draft.phase = 'Succeeded';
  draft.events.push({
    type: 'Normal',
    reason: reasons.succeeded,
    message: 'Source node reported migration succeeded',
  });
}

/** The change for which the VMI was migrated has not taken effect yet. */
function isChanging({ status }: VirtualMachineInstance): boolean {
  return (
    has(status?.conditions, 'HotVCPUChange') ||
    has(status?.conditions, 'HotMemoryChange', 'True') ||
    has(status?.conditions, 'MigrationRequired', 'True')
  );
}
