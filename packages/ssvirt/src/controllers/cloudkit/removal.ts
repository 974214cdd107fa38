/**
 * The removal of an order. The provisioner goes first: AAP deletes what it created, called by webhook, or the
 * controller deletes the objects with the order's labels. Then the other one follows, so that an order whose
 * provisioner changed leaves nothing behind. While AAP's finalizer is set, AAP may have things that only it knows of
 * (floating IPs), and only its own job removes the finalizer.
 */
import { defined } from '@ssvirt/base/values/defined';
import { keyOf } from '@ssvirt/kube/object';
import { deleteInOrder, type DeletionStep, type Doomed } from '@ssvirt/kube/reconcile/delete-in-order';
import { hasFinalizer } from '@ssvirt/kube/reconcile/finalizers';
import { desiredVersion } from '../../kubevirt/order/config-version.ts';
import { provisioner } from '../../kubevirt/order/mode.ts';
import { bindingProblem, namespaceFacts } from '../../kubevirt/order/namespace.ts';
import { quietAfterDeletion } from '../../kubevirt/order/aap/aap-quiet-period.ts';
import { aapFinalizers, annotations, finalizer, type Mode } from '../../kubevirt/order/resource.ts';
import { askAapToDelete } from './aap/aap.ts';
import { refuseForeignTargets } from './aap/aap-targets.ts';
import { writing } from './children.ts';
import { lookAgainMs } from '../operator/cluster-refusal.ts';
import { refused, waiting, type OrderStepHalted } from './operator/step-halted.ts';
import type { Order } from './operator/order-types.ts';
import { forget, type Memory } from './operator/memory.ts';
import { namesakeProblem, namesakesOf } from './namesake.ts';
import { hasAapFinalizer, reconciledVersion } from '../../kubevirt/order/aap/aap-marks.ts';
import { knownObjects, ownObjects, objectsOfAap } from './order-objects.ts';
import { tellStatus } from './operator/report.ts';
import { countFailure, restOf } from './aap/retries.ts';
import { logFields, tell, type OrderWork } from './work.ts';

/** The key under which failures of a removal are counted, apart from those of any version. */
const wayBack = 'deletion';

/**
 * An `unmanaged` order is removed like any other: the annotation only prevents changes to an existing order, and
 * without a removal the order would hang for ever. Throws only errors that the work queue must retry.
 */
export async function remove(work: OrderWork, memory: Memory): Promise<number | undefined> {
  const { order, journal, identity, context } = work;
  const isHeldByUs = hasFinalizer(order, finalizer);
  // A user who removes our finalizer gives up our objects. What AAP's finalizer holds is still removed.
  if (!isHeldByUs && !hasAapFinalizer(order)) return undefined;
  const halt = await attempt(work, memory, isHeldByUs);
  if (halt !== undefined) {
    const desired = desiredVersion(order.spec);
    const mode = provisionerOf(order);
    const { waits, problem, requeueAfterMs } = halt;
    return tellStatus(work, memory, {
      desired,
      ...defined({ mode }),
      ...(problem === undefined ? {} : { halt }),
      ...(waits === undefined ? {} : { deletionWaits: waits.message }),
      requeueAfterMs,
    });
  }
  forget(memory, identity.uid);
  await journal.removeFinalizer();
  context.log.info({ ...logFields(work), tenant: identity.tenantNamespace }, 'order removed');
  tell(work, 'Normal', 'Deleted', `All its objects are gone from namespace "${identity.tenantNamespace}"`);
  return undefined;
}

/** Resolves to what stops the removal, if anything does. */
async function attempt(work: OrderWork, memory: Memory, isHeldByUs: boolean): Promise<OrderStepHalted | undefined> {
  const rest = restOf(memory, work, wayBack);
  if (rest !== undefined) return rest;
  try {
    if (!isHeldByUs) await aapHasDeleted(work);
    else if (isManual(work)) leftToPeople(work);
    else await removeAll(work);
    return undefined;
  } catch (error) {
    return countFailure(memory, work, wayBack, error);
  }
}

/** Each step throws `Halted` until it is done. */
async function removeAll(work: OrderWork): Promise<void> {
  const { order } = work;
  if (provisionerOf(order) === 'aap') {
    await aapHasDeleted(work);
    await deleteInTurn(work, ownObjects(work));
  } else {
    await deleteInTurn(work, ownObjects(work));
    await aapHasDeleted(work);
  }
  if (!tookPart(order)) return;
  aapIsQuiet(work);
  if (mayTakeAapsThings(work)) await deleteInTurn(work, objectsOfAap(work));
}

function provisionerOf(order: Order): Mode | undefined {
  const hasAapMarks = hasAapFinalizer(order) || reconciledVersion(order) !== undefined;
  return provisioner({ provisionedBy: order.status?.provisionedBy, hasAapMarks });
}

/** Whether AAP was called for the order, or had provisioned it before us. */
function tookPart(order: Order): boolean {
  return provisionerOf(order) === 'aap' || order.status?.webhook !== undefined;
}

function isManual({ order }: OrderWork): boolean {
  return order.metadata.annotations?.[annotations.managementState] === 'manual';
}

async function deleteInTurn(work: OrderWork, steps: readonly DeletionStep[]): Promise<void> {
  const { cluster, identity, signal } = work;
  const what = `delete the objects of order "${identity.name}" in namespace "${identity.tenantNamespace}"`;
  const removal = await writing(work, what, () => deleteInOrder(cluster.client, steps, { signal }));
  if (removal.done) return;
  throw waiting('Deleting', `Waiting for ${removal.waitingFor} to be gone: ${removal.left.join(', ')}.`);
}

async function aapHasDeleted(work: OrderWork): Promise<void> {
  const { order, operator, journal, context, signal } = work;
  if (!hasAapFinalizer(order)) return;
  if (isManual(work)) throw leftToAap(order);
  refuseWhatIsAnothers(work);
  const asked = await askAapToDelete(
    {
      aap: operator.aap,
      journal,
      refuse: (action) => refuseForeignTargets(work, action),
      log: context.log,
      signal,
    },
    desiredVersion(order.spec),
  );
  switch (asked.state) {
    case 'unconfigured':
      throw refused(asked.problem, operator.config.retries.slow);
    case 'failing': {
      // The number of attempts is in the record. The message omits it, so that the condition changes only with the
      // cause.
      const why = journal.order.status?.webhook?.lastError ?? asked.problem.message;
      const message = `AAP could not be called to delete its objects: ${why.replace(/[\s.]+$/, '')}. It is retried automatically.`;
      throw refused({ reason: asked.problem.reason, message }, asked.requeueAfterMs);
    }
    case 'waiting':
      throw waiting('WaitingForAAP', 'AAP is about to be called to delete its objects.', asked.requeueAfterMs);
    case 'accepted': {
      const message = `AAP was called to delete its objects and is working on it: when it is done, its job removes the finalizer ${heldBy(order)}.`;
      throw waiting('WaitingForAAP', message, asked.requeueAfterMs);
    }
  }
}

/**
 * AAP's jobs create objects by name, even while another job deletes them. A job that has not started yet finds the
 * order in deletion and cannot set its finalizer, which is the first step of the original playbook. Other roles may do
 * otherwise. So the last look waits until no job can be running.
 */
function aapIsQuiet(work: OrderWork): void {
  const { order, journal, operator, caches, identity } = work;
  if (caches.namespaces.get({ name: identity.tenantNamespace }) === undefined) return;
  const now = Date.now();
  const waitMs = quietAfterDeletion({
    webhook: journal.order.status?.webhook,
    reconciled: reconciledVersion(order),
    desired: desiredVersion(order.spec),
    since: order.metadata.deletionTimestamp,
    quietPeriodMs: operator.config.aap.quietPeriod,
    now,
  });
  if (waitMs <= 0) return;
  const until = new Date(now + waitMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const message = `An AAP job that creates the virtual machine may still be running, and its objects must be deleted too: waiting until ${until}. If you know that none is running, remove the finalizer ${finalizer}.`;
  throw waiting('WaitingForAAP', message, waitMs);
}

/**
 * An annotation or finalizer can be set by any user who can write orders, so neither gives access to a namespace. Only
 * the status counts.
 */
function isRecorded({ order }: OrderWork): boolean {
  return order.status?.provisionedBy !== undefined;
}

function foreignness({ caches, identity }: OrderWork): ReturnType<typeof bindingProblem> {
  const found = caches.namespaces.get({ name: identity.tenantNamespace });
  const problem = bindingProblem(identity, found === undefined ? undefined : namespaceFacts(found));
  return problem?.reason === 'NamespaceNotBound' ? problem : undefined;
}

function refuseWhatIsAnothers(work: OrderWork): void {
  const problem = (isRecorded(work) ? undefined : foreignness(work)) ?? namesakeProblem(work);
  if (problem === undefined) return;
  const message = `${problem.message} AAP is not called to delete anything there: where it has made nothing, remove the finalizer ${heldBy(work.order)}.`;
  throw refused({ ...problem, message }, lookAgainMs);
}

/**
 * Another order of this name may have objects in the same namespace. AAP's objects do not say which order they belong
 * to.
 */
function mayTakeAapsThings(work: OrderWork): boolean {
  if (!isRecorded(work) && foreignness(work) !== undefined) return false;
  return namesakesOf(work).length === 0;
}

/**
 * As in the original: for a manually managed order AAP is not called, and nothing is deleted. The order stays until its
 * users have deleted the objects.
 */
function leftToPeople(work: OrderWork): void {
  const { order } = work;
  const left = knownObjects(work);
  if (left.length > 0) {
    const way = `delete them, or remove the annotation ${annotations.managementState}`;
    throw waiting(
      'Manual',
      `The order is managed manually, and these objects are left: ${left.map(nameOf).join(', ')}. Now ${way}.`,
    );
  }
  if (hasAapFinalizer(order)) throw leftToAap(order);
}

function leftToAap(order: Order): OrderStepHalted {
  const message = `The order is managed manually, so AAP is not called to delete its objects: delete them and remove the finalizer ${heldBy(order)}, or remove the annotation ${annotations.managementState}.`;
  return waiting('Manual', message);
}

function nameOf({ type, object }: Doomed): string {
  return `${type.kind} ${keyOf(object.metadata)}`;
}

function heldBy({ metadata }: Order): string {
  return metadata.finalizers?.filter((one) => aapFinalizers.includes(one)).join(', ') ?? '';
}
