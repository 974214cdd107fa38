/** Brings a virtual data center into its cluster, and what differs there back to what is asked for. */
import { hashOf } from '../../kube/reconcile/apply-child.ts';
import { endTasks } from '../../db/claimed-tasks.ts';
import { completeClaim, underClaim } from '../../db/reconciliations.ts';
import { recordApplied, type AppliedObject } from '../../db/vdc-applied.ts';
import type { VdcWork } from '../../db/vdc-work.ts';
import type { VdcDescription } from '../../virt/vdc/description.ts';
import { childKinds, desiredObjects, newNamespace, type VdcKind } from '../../virt/vdc/objects.ts';
import { isOurs, report, taskIds, type Attempt } from './attempt.ts';
import type { Result } from './context.ts';
import { Refused } from './failures.ts';
import { appliedObject, isAsApplied, type LiveObject } from './live-object.ts';

const steps: Readonly<Record<VdcKind, readonly [step: string, progress: number]>> = {
  Namespace: ['labelling namespace', 30],
  ResourceQuota: ['applying quota', 50],
  LimitRange: ['applying limits', 65],
  NetworkPolicy: ['applying network policy', 80],
};

export async function makePresent(attempt: Attempt): Promise<Result> {
  const { live, work } = attempt;
  const found = live.Namespace;
  if (found?.isEnding === true) return waitForItsEnd(attempt, found);
  if (found !== undefined && !isOurs(attempt, found)) throw foreign(work, attempt.claim.cluster);
  const vdc = descriptionOf(work);
  const namespace = found ?? (await create(attempt, vdc));
  const objects = await applyAll(attempt, vdc, found === undefined ? { Namespace: namespace } : live);
  return finish(attempt, namespace, objects);
}

async function create(attempt: Attempt, vdc: VdcDescription): Promise<LiveObject> {
  await report(attempt, 'creating namespace', 10);
  return attempt.hand.createNamespace(newNamespace(vdc));
}

async function applyAll(
  attempt: Attempt,
  vdc: VdcDescription,
  live: Attempt['live'],
): Promise<Readonly<Record<VdcKind, AppliedObject>>> {
  const { hand, work, settings } = attempt;
  const desired = desiredObjects(vdc, settings.surroundings);
  const apply = async (kind: VdcKind): Promise<AppliedObject> => {
    const digest = hashOf(desired[kind]);
    const last = work.applied.objects[kind];
    const seen = live[kind];
    if (seen !== undefined && last?.digest === digest && isAsApplied(seen, last)) return last;
    await report(attempt, ...steps[kind]);
    return appliedObject(await hand.apply(kind, desired[kind], seen), digest);
  };
  const objects = { Namespace: await apply('Namespace') } as Record<VdcKind, AppliedObject>;
  // One after the other: a crash between any two leaves what the next attempt goes on with.
  for (const kind of childKinds) objects[kind] = await apply(kind);
  return objects;
}

/** The result and the word to all whose wish is in it, at once. */
async function finish(
  attempt: Attempt,
  { metadata }: LiveObject,
  objects: Readonly<Record<VdcKind, AppliedObject>>,
): Promise<Result> {
  const { db, claim, work, settings } = attempt;
  const before = work.applied;
  const kinds = Object.keys(objects) as VdcKind[];
  const isSame = before.ready && before.fault === null && kinds.every((kind) => objects[kind] === before.objects[kind]);
  await underClaim(db, claim, async (tx) => {
    if (!isSame)
      await recordApplied(tx, claim, { namespaceUid: metadata.uid ?? null, objects, ready: true, fault: null });
    await endTasks(tx, claim, taskIds(attempt));
    await completeClaim(tx, claim, { dueInMs: settings.resyncMs * (0.9 + Math.random() * 0.2) });
  });
  return isSame ? 'unchanged' : 'applied';
}

/** Somebody has deleted it. It is made again when it is gone, and what was in it is not. */
async function waitForItsEnd(attempt: Attempt, { endsWhen }: LiveObject): Promise<Result> {
  const { db, claim, work, settings } = attempt;
  await report(attempt, 'waiting for the namespace to end', 5);
  const message = `waits until namespace "${work.vdc.namespace}", which somebody has deleted, is gone`;
  await completeClaim(db, claim, {
    dueInMs: settings.waitMs,
    message: endsWhen === '' ? message : `${message}: ${endsWhen}`,
  });
  return 'waiting';
}

function foreign({ vdc }: VdcWork, cluster: string): Refused {
  return new Refused(
    'CONFLICT',
    `cluster "${cluster}" has a namespace "${vdc.namespace}" that is not of this virtual data center: remove it, or make the virtual data center anew under another name`,
  );
}

function descriptionOf({ vdc, organizationName, installationId }: VdcWork): VdcDescription {
  return {
    id: vdc.id,
    name: vdc.name,
    description: vdc.description,
    namespace: vdc.namespace,
    enabled: vdc.enabled,
    organizationId: vdc.organization_id,
    organizationName,
    installationId,
    vmQuota: vdc.vm_quota,
    memoryLimitMb: vdc.memory_limit_mb,
    storageLimitMb: vdc.storage_limit_mb,
  };
}
