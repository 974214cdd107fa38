/** Brings a virtual data center into its cluster, and what differs there back to what is asked for. */
import { hashOf } from '../../kube/reconcile/apply-child.ts';
import { endTasks } from '../../db/claimed-tasks.ts';
import { completeClaim, underClaim } from '../../db/reconciliations.ts';
import { recordApplied, type AppliedObject } from '../../db/vdc-applied.ts';
import type { VdcWork } from '../../db/vdc-work.ts';
import { sleep } from '../../kube/clock.ts';
import type { VdcDescription } from '../../virt/vdc/description.ts';
import {
  childKinds,
  desiredObjects,
  newNamespace,
  templatesKind,
  type DesiredObject,
  type VdcKind,
} from '../../virt/vdc/objects.ts';
import { isOurs, report, taskIds, type Attempt } from './attempt.ts';
import type { Result } from './context.ts';
import { Refused } from './failures.ts';
import { appliedObject, isAsApplied, type LiveObject } from './live-object.ts';

const steps: Readonly<Record<VdcKind, readonly [step: string, progress: number]>> = {
  Namespace: ['labelling namespace', 30],
  RoleBinding: ['binding rights', 40],
  TemplatesRoleBinding: ['binding rights', 40],
  ResourceQuota: ['applying quota', 50],
  LimitRange: ['applying limits', 65],
  NetworkPolicy: ['applying network policy', 80],
};

type Applied = Readonly<Partial<Record<VdcKind, AppliedObject>>>;

const boundPollMs = 100;

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

async function applyAll(attempt: Attempt, vdc: VdcDescription, live: Attempt['live']): Promise<Applied> {
  const { hand, work, settings, access } = attempt;
  const desired = desiredObjects(vdc, settings.surroundings, access);
  const apply = async (kind: VdcKind, wanted: DesiredObject): Promise<AppliedObject> => {
    const digest = hashOf(wanted);
    const last = work.applied.objects[kind];
    const seen = live[kind];
    if (seen !== undefined && last?.digest === digest && isAsApplied(seen, last)) return last;
    await report(attempt, ...steps[kind]);
    return appliedObject(await hand.apply(kind, wanted, seen), digest);
  };
  const objects: { [Kind in VdcKind]?: AppliedObject } = { Namespace: await apply('Namespace', desired.Namespace) };
  // One after the other: a crash between any two leaves what the next attempt goes on with.
  for (const kind of childKinds) objects[kind] = await apply(kind, desired[kind]);
  const templates = desired[templatesKind];
  if (templates !== undefined) objects[templatesKind] = await apply(templatesKind, templates);
  else if (live[templatesKind] !== undefined) await hand.delete(templatesKind, live[templatesKind]);
  if (objects.RoleBinding !== work.applied.objects['RoleBinding']) await untilBound(attempt);
  return objects;
}

/** Whoever waits for the virtual data center writes Secrets as soon as it is ready. */
async function untilBound({ hand, work, cluster, clock, settings }: Attempt): Promise<void> {
  const { namespace } = work.vdc;
  const deadline = clock.now() + settings.boundMs;
  while (!(await hand.mayWriteSecrets(namespace))) {
    if (clock.now() >= deadline)
      throw new Refused(
        'CONFLICT',
        `cluster "${cluster.name}" does not let the api-server write Secrets in namespace "${namespace}", although it is bound there: apply the ClusterRole ssvirt-api-server-vdc of deploy/rbac`,
      );
    await sleep(clock, boundPollMs);
  }
}

/** The result and the word to all whose wish is in it, at once. */
async function finish(attempt: Attempt, { metadata }: LiveObject, objects: Applied): Promise<Result> {
  const { db, claim, work, settings } = attempt;
  const before = work.applied;
  const kinds = [...new Set([...Object.keys(objects), ...Object.keys(before.objects)])] as VdcKind[];
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
