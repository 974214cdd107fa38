/** Counts starts that fail before the guest ran, and retries them with growing pauses. */
import type { VirtualMachine, VirtualMachineStatus } from '../../objects.ts';
import { runStrategyOf } from '../state-change.ts';
import { hasRun, isFinal, type MaybeVmi } from '../vmi-state.ts';

type StartFailure = NonNullable<VirtualMachineStatus['startFailure']>;

const maxDelaySeconds = 300;
const interval = 10;

/** 10·n² s plus up to half of that, so that VMs that failed together are not retried together; at most 300 s. */
export function backOffSeconds(failures: number, random: () => number = Math.random): number {
  const delay = interval * Math.max(failures, 1) ** 2;
  const spread = Math.floor(random() * (Math.floor(delay / 2) + 1));
  return Math.min(delay + spread, maxDelaySeconds);
}

const restarting: ReadonlySet<string> = new Set(['Always', 'RerunOnFailure', 'Once']);

/** Strategies that show a crash loop; for the others, a failed start is final. */
export function countsFailures(vm: VirtualMachine): boolean {
  return restarting.has(runStrategyOf(vm));
}

export interface Pause {
  readonly now: Date;
  /** Converts seconds of real-cluster time to milliseconds here. */
  readonly toMs: (seconds: number) => number;
  readonly random?: () => number;
}

/** `startFailureOf` returns the record after a reconcile. Each VMI counts once. */
export function startFailureOf(vm: VirtualMachine, vmi: MaybeVmi, pause: Pause): StartFailure | undefined {
  const known = vm.status?.startFailure;
  if (!countsFailures(vm) || (vmi !== undefined && hasRun(vmi))) return undefined;
  if (vmi === undefined || !isFinal(vmi) || known?.lastFailedVMIUID === vmi.metadata.uid) return known;
  const count = (known?.consecutiveFailCount ?? 0) + 1;
  const after = new Date(pause.now.getTime() + pause.toMs(backOffSeconds(count, pause.random)));
  return {
    consecutiveFailCount: count,
    ...(vmi.metadata.uid === undefined ? {} : { lastFailedVMIUID: vmi.metadata.uid }),
    retryAfterTimestamp: after.toISOString(),
  };
}

/** In whole seconds, as the API shows it. */
export function asShown(failure: StartFailure | undefined): StartFailure | undefined {
  const { retryAfterTimestamp } = failure ?? {};
  return failure === undefined || retryAfterTimestamp === undefined
    ? failure
    : { ...failure, retryAfterTimestamp: retryAfterTimestamp.replace(/\.\d+Z$/, 'Z') };
}

/** How long the next start must wait. */
export function backOffLeftMs(failure: StartFailure | undefined, now: Date): number {
  if (failure?.retryAfterTimestamp === undefined) return 0;
  return Math.max(0, Date.parse(failure.retryAfterTimestamp) - now.getTime());
}
