/** Computes the status of a DataVolume, and the events for its changes. */
import type { Condition, DataVolume, PersistentVolumeClaim } from '../kubevirt/objects.ts';
import { sayingsOf, withCondition } from './conditions.ts';
import * as name from './names.ts';
import type { Origin } from './origin.ts';
import { phaseOf } from './phase.ts';
import { newsOf, type News } from './phase-events.ts';

export interface Problem {
  /** The phase that the DataVolume keeps or gets. */
  readonly phase: string;
  readonly reason: string;
  readonly message: string;
}

export interface StatusFacts {
  readonly dataVolume: DataVolume;
  readonly claim: PersistentVolumeClaim | undefined;
  readonly origin: Origin;
  readonly waits: boolean;
  /** Why there is no claim. */
  readonly problem?: Problem | undefined;
  readonly now: Date;
}

export type DataVolumeStatus = NonNullable<DataVolume['status']>;

export function statusOf(facts: StatusFacts): DataVolumeStatus {
  const { dataVolume, claim, origin, waits, problem, now } = facts;
  const before = dataVolume.status ?? {};
  const phase =
    claim === undefined && problem !== undefined
      ? problem.phase
      : phaseOf({ before: before.phase ?? '', dataVolume: dataVolume.metadata.name ?? '', claim, origin, waits });
  const { bound, ready, running } = sayingsOf(claim, phase, problem);
  let conditions: readonly Condition[] = before.conditions ?? [];
  conditions = withCondition(conditions, 'Bound', bound, now);
  conditions = withCondition(conditions, 'Ready', ready, now);
  conditions = withCondition(conditions, 'Running', running, now);
  const { phase: _, ...others } = before;
  return {
    ...others,
    ...(phase === '' ? {} : { phase }),
    ...(claim === undefined ? {} : ofClaim(claim, phase)),
    conditions,
  };
}

function ofClaim({ metadata }: PersistentVolumeClaim, phase: string): DataVolumeStatus {
  const { annotations = {} } = metadata;
  const restarts = Number(annotations[name.POD_RESTARTS]);
  const adopted = annotations[name.POD_PHASE] !== 'Succeeded';
  return {
    claimName: metadata.name ?? '',
    progress: phase === 'Succeeded' && !adopted ? '100.0%' : (annotations[name.PROGRESS] ?? 'N/A'),
    ...(Number.isInteger(restarts) && restarts >= 0 ? { restartCount: restarts } : {}),
  };
}

/** Events for the phase, the binding and the problem, each only when it is new. */
export function newsOfChange(after: DataVolumeStatus, facts: StatusFacts): readonly News[] {
  const { dataVolume, origin, problem } = facts;
  const before = dataVolume.status ?? {};
  const news: News[] = [];
  const phase = after.phase ?? '';
  const came = newsOf(phase, origin, dataVolume.metadata);
  if (phase !== (before.phase ?? '') && came !== undefined) news.push(came);
  const [boundBefore, bound] = [conditionIn(before, 'Bound'), conditionIn(after, 'Bound')];
  if (bound !== undefined && bound.message !== boundBefore?.message)
    news.push([problem === undefined ? 'Normal' : 'Warning', bound.reason ?? '', bound.message ?? '']);
  const [runningBefore, running] = [conditionIn(before, 'Running'), conditionIn(after, 'Running')];
  const isFailure = running?.status === 'False' && running.reason !== 'Completed' && phase !== 'Succeeded';
  if (isFailure && running.message !== undefined && running.message !== runningBefore?.message)
    news.push(['Warning', running.reason ?? '', running.message]);
  return news;
}

export function conditionIn({ conditions }: DataVolumeStatus, type: string): Condition | undefined {
  return conditions?.find((one) => one.type === type);
}
