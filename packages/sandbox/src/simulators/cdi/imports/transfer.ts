/**
 * Fills a PVC step by step: its pod is scheduled, runs, and fails and is retried with growing pauses, or succeeds. The
 * state is kept in annotations of the PVC, so that a restarted simulator continues from it.
 */
import * as name from '../names.ts';

type Annotations = Readonly<Record<string, string>>;

export interface TransferTimes {
  readonly start: number;
  /** The time until a failing attempt ends. */
  readonly failing: number;
  /** Infinity if a third party decides when the transfer is done. */
  readonly transfer: number;
  /** The interval between progress updates. */
  readonly tick: number;
  readonly pause: (tries: number) => number;
}

export interface TransferFacts {
  readonly annotations: Annotations;
  readonly what: 'Import' | 'Clone' | 'Upload';
  /** Whether the volume to be filled exists. */
  readonly bound: boolean;
  /** The error message of the pod. */
  readonly failure: string | undefined;
  readonly times: TransferTimes;
  /** For a clone: the name of its running phase. */
  readonly clonePhase?: string;
  /** The milliseconds left of a stage, which begins when it is first asked for. */
  readonly left: (stage: string, total: number) => number;
}

export type TransferStep =
  | { readonly do: 'wait'; readonly afterMs?: number }
  | { readonly do: 'mark'; readonly annotations: Annotations; readonly afterMs?: number }
  | { readonly do: 'finish' };

const marks = (phase: string, running: boolean, reason: string, message = ''): Annotations => ({
  [name.POD_PHASE]: phase,
  [name.RUNNING]: String(running),
  [name.RUNNING_REASON]: reason,
  [name.RUNNING_MESSAGE]: message,
});

export function nextStep(facts: TransferFacts): TransferStep {
  const { annotations, bound, left, times } = facts;
  switch (annotations[name.POD_PHASE]) {
    case undefined:
      return {
        do: 'mark',
        annotations: { ...marks('Pending', false, 'ContainerCreating'), ...clonePhase(facts, 'Pending') },
      };
    case 'Pending': {
      if (!bound) return { do: 'wait' };
      const afterMs = left('start', times.start);
      return afterMs > 0 ? { do: 'wait', afterMs } : run(facts);
    }
    case 'Succeeded':
      return { do: 'finish' };
    default:
      return annotations[name.RUNNING] === 'true' ? whileRunning(facts) : afterFailure(facts);
  }
}

const triesOf = ({ annotations }: TransferFacts): number => Number(annotations[name.POD_RESTARTS] ?? 0) || 0;

function run(facts: TransferFacts, restarts = triesOf(facts)): TransferStep {
  return {
    do: 'mark',
    annotations: {
      ...marks('Running', true, 'Pod is running'),
      [name.POD_RESTARTS]: String(restarts),
      [name.PROGRESS]: 'N/A',
      ...clonePhase(facts, facts.clonePhase ?? ''),
    },
  };
}

function clonePhase({ clonePhase: phase }: TransferFacts, value: string): Annotations {
  return phase === undefined ? {} : { [name.CLONE_PHASE]: value };
}

function whileRunning(facts: TransferFacts): TransferStep {
  const { failure, left, times, what } = facts;
  const attempt = triesOf(facts);
  if (failure !== undefined) {
    const afterMs = left(`failing-${attempt}`, times.failing);
    if (afterMs > 0) return { do: 'wait', afterMs };
    return { do: 'mark', annotations: marks('Running', false, 'Error', failure) };
  }
  const rest = left(`transfer-${attempt}`, times.transfer);
  if (!Number.isFinite(rest)) return { do: 'wait' };
  if (rest > 0) return progress(facts, rest);
  return {
    do: 'mark',
    annotations: {
      ...marks('Succeeded', false, 'Completed', `${what} Complete`),
      [name.PROGRESS]: '100.0%',
      ...clonePhase(facts, 'Succeeded'),
      ...(what === 'Clone' ? { [name.CLONE_OF]: 'true' } : {}),
    },
  };
}

/** Reports progress from time to time, but not too often to be read. */
function progress({ left, times, annotations }: TransferFacts, rest: number): TransferStep {
  const done = Math.min(99.99, (1 - rest / times.transfer) * 100);
  const told = Number.parseFloat(annotations[name.PROGRESS] ?? '') || 0;
  const untilTold = left(`told-${told}`, times.tick);
  if (untilTold > 0) return { do: 'wait', afterMs: Math.min(rest, untilTold) };
  if (done <= told) return { do: 'wait', afterMs: rest };
  return { do: 'mark', annotations: { [name.PROGRESS]: `${done.toFixed(2)}%` }, afterMs: Math.min(rest, times.tick) };
}

function afterFailure(facts: TransferFacts): TransferStep {
  const tries = triesOf(facts);
  if (facts.failure === undefined) return run(facts, tries + 1);
  const afterMs = facts.left(`pause-${tries}`, facts.times.pause(tries));
  return afterMs > 0 ? { do: 'wait', afterMs } : run(facts, tries + 1);
}
