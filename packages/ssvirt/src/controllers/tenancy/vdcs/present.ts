/** Creates a VDC in its cluster, and corrects drift. */
import { hashOf } from '@ssvirt/kube/reconcile/apply-child';
import { endTasks } from '../../../db/work-queue/claimed-tasks.ts';
import { completeClaim, underClaim } from '../../../db/work-queue/reconciliations.ts';
import { recordApplied, type AppliedObject } from '../../../db/vdcs/vdc-applied.ts';
import type { VdcWork } from '../../../db/vdcs/vdc-work.ts';
import { sleep } from '@ssvirt/kube/clock';
import type { VdcDescription } from '../../../kubevirt/vdc/description.ts';
import {
  childKinds,
  desiredObjects,
  newNamespace,
  templatesKind,
  type DesiredObject,
  type VdcKind,
} from '../../../kubevirt/vdc/objects.ts';
import { isOurs, report, taskIds, type Attempt } from './attempt.ts';
import type { Result } from '../engine/context.ts';
import { Refused } from '../engine/failures.ts';
import { appliedObject, isAsApplied, type LiveObject } from '../engine/live-object.ts';

const steps: Readonly<Record<VdcKind, readonly [step: string, progress: number]>> = {
  Namespace: ['labeling namespace', 30],
  RoleBinding: ['binding rights', 40],
  TemplatesRoleBinding: ['binding rights', 40],
  ResourceQuota: ['applying quota', 50],
  LimitRange: ['applying limits', 65],
  NetworkPolicy: ['applying network policy', 80],
  ImporterPolicy: ['applying network policy', 80],
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
  return attempt.client.createNamespace(newNamespace(vdc));
}

async function applyAll(attempt: Attempt, vdc: VdcDescription, live: Attempt['live']): Promise<Applied> {
  const { client, work, settings, access } = attempt;
  const desired = desiredObjects(vdc, settings.clusterNamespaces, access);
  const apply = async (kind: VdcKind, wanted: DesiredObject): Promise<AppliedObject> => {
    const digest = hashOf(wanted);
    const last = work.applied.objects[kind];
    const seen = live[kind];
    if (seen !== undefined && last?.digest === digest && isAsApplied(seen, last)) return last;
    await report(attempt, ...steps[kind]);
    return appliedObject(await client.apply(kind, wanted, seen), digest);
  };
  const objects: { [Kind in VdcKind]?: AppliedObject } = { Namespace: await apply('Namespace', desired.Namespace) };
  // One after the other: the next attempt continues after a crash between any two.
  for (const kind of childKinds) objects[kind] = await apply(kind, desired[kind]);
  const templates = desired[templatesKind];
  if (templates !== undefined) objects[templatesKind] = await apply(templatesKind, templates);
  else if (live[templatesKind] !== undefined) await client.delete(templatesKind, live[templatesKind]);
  if (objects.RoleBinding !== work.applied.objects['RoleBinding']) await untilBound(attempt);
  return objects;
}

/** Users of the VDC write Secrets as soon as it is ready, so the rights must be effective before. */
async function untilBound({ client, work, cluster, clock, settings }: Attempt): Promise<void> {
  const { namespace } = work.vdc;
  const deadline = clock.now() + settings.boundMs;
  while (!(await client.mayWriteSecrets(namespace))) {
    if (clock.now() >= deadline)
      throw new Refused(
        'CONFLICT',
        `cluster "${cluster.name}" does not let the api-server write Secrets in namespace "${namespace}", although it is bound there: apply the ClusterRole ssvirt-api-server-vdc of deploy/rbac`,
      );
    await sleep(clock, boundPollMs);
  }
}

/** Records the result and ends all included tasks in one transaction. */
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

/** The namespace was deleted from outside. It is created again when it is gone; its contents are lost. */
async function waitForItsEnd(attempt: Attempt, { endsWhen }: LiveObject): Promise<Result> {
  const { db, claim, work, settings } = attempt;
  await report(attempt, 'waiting for the namespace to end', 5);
  const message = `waits until namespace "${work.vdc.namespace}", which was deleted from outside, is gone`;
  await completeClaim(db, claim, {
    dueInMs: settings.waitMs,
    message: endsWhen === '' ? message : `${message}: ${endsWhen}`,
  });
  return 'waiting';
}

function foreign({ vdc }: VdcWork, cluster: string): Refused {
  return new Refused(
    'CONFLICT',
    `cluster "${cluster}" has a namespace "${vdc.namespace}" that does not belong to this virtual data center: delete it, or create the virtual data center under another name`,
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
