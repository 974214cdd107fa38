/**
 * The way back of an order. Whoever has provisioned it removes it first: AAP what it has made, by its webhook, or the controller what bears the order's marks. The
 * other one follows, so that an order that went from hand to hand leaves nothing behind: as long as AAP's finalizer is on, AAP may have things that nobody else
 * knows of (floating IPs), and only its own job takes the finalizer off.
 */
import { keyOf } from '../../kube/object.ts';
import { deleteInOrder, type DeletionStep, type Doomed } from '../../kube/reconcile/delete-in-order.ts';
import { hasFinalizer } from '../../kube/reconcile/finalizers.ts';
import { desiredVersion } from '../../virt/order/config-version.ts';
import { provisioner } from '../../virt/order/mode.ts';
import { bindingProblem, namespaceFacts } from '../../virt/order/namespace.ts';
import { quietAfterDeletion } from '../../virt/order/quiet.ts';
import { aapFinalizers, annotations, finalizer, type Mode } from '../../virt/order/resource.ts';
import { askAapToDelete } from './aap.ts';
import { refuseForeignTargets } from './aap-targets.ts';
import { writing } from './children.ts';
import { lookAgainMs, refused, waiting, type Halted } from './halted.ts';
import type { Order } from './kinds.ts';
import { forget, type Memory } from './memory.ts';
import { namesakeProblem, namesakesOf } from './namesake.ts';
import { hasAapFinalizer, reconciledVersion } from '../../virt/order/traces.ts';
import { knownRemains, ownRemains, remainsOfAap } from './remains.ts';
import { tellStatus } from './report.ts';
import { countFailure, restOf } from './retries.ts';
import { logFields, tell, type Work } from './work.ts';

/** Failures on the way back are counted apart from those of any version. */
const wayBack = 'deletion';

/**
 * One that is `unmanaged` goes like any other: the annotation keeps our hands off an order that is there, and an order that nobody removes would hang for ever.
 * Throws only what the queue shall try again.
 */
export async function remove(work: Work, memory: Memory): Promise<number | undefined> {
  const { order, journal, identity, context } = work;
  const isHeldByUs = hasFinalizer(order, finalizer);
  // Whoever takes our finalizer off gives up what we have made. What AAP holds it still holds.
  if (!isHeldByUs && !hasAapFinalizer(order)) return undefined;
  const halted = await attempt(work, memory, isHeldByUs);
  if (halted !== undefined) {
    const desired = desiredVersion(order.spec);
    const mode = provisionerOf(order);
    const { waits, problem, requeueAfterMs } = halted;
    return tellStatus(work, memory, {
      desired,
      ...(mode === undefined ? {} : { mode }),
      ...(problem === undefined ? {} : { halted }),
      ...(waits === undefined ? {} : { deletionWaits: waits.message }),
      requeueAfterMs,
    });
  }
  forget(memory, identity.uid);
  await journal.removeFinalizer();
  context.log.info({ ...logFields(work), tenant: identity.tenantNamespace }, 'order removed');
  tell(work, 'Normal', 'Deleted', `Nothing of it is left in namespace "${identity.tenantNamespace}"`);
  return undefined;
}

/** What holds it up, if anything does. */
async function attempt(work: Work, memory: Memory, isHeldByUs: boolean): Promise<Halted | undefined> {
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

/** Each step throws `Halted` for as long as it is not done. */
async function removeAll(work: Work): Promise<void> {
  const { order } = work;
  if (provisionerOf(order) === 'aap') {
    await aapHasDeleted(work);
    await deleteInTurn(work, ownRemains(work));
  } else {
    await deleteInTurn(work, ownRemains(work));
    await aapHasDeleted(work);
  }
  if (!tookPart(order)) return;
  aapIsQuiet(work);
  if (mayTakeAapsThings(work)) await deleteInTurn(work, remainsOfAap(work));
}

function provisionerOf(order: Order): Mode | undefined {
  const hasTracesOfAap = hasAapFinalizer(order) || reconciledVersion(order) !== undefined;
  return provisioner({ provisionedBy: order.status?.provisionedBy, hasTracesOfAap });
}

/** AAP was asked for something, or had it before us. */
function tookPart(order: Order): boolean {
  return provisionerOf(order) === 'aap' || order.status?.webhook !== undefined;
}

function isManual({ order }: Work): boolean {
  return order.metadata.annotations?.[annotations.managementState] === 'manual';
}

async function deleteInTurn(work: Work, steps: readonly DeletionStep[]): Promise<void> {
  const { cluster, identity, signal } = work;
  const what = `delete what order "${identity.name}" has in namespace "${identity.tenantNamespace}"`;
  const removal = await writing(work, what, () => deleteInOrder(cluster.client, steps, { signal }));
  if (removal.done) return;
  throw waiting('Deleting', `Waiting for ${removal.waitingFor} to be gone: ${removal.left.join(', ')}.`);
}

async function aapHasDeleted(work: Work): Promise<void> {
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
      // How often it was tried stands in the record: the condition says what is new.
      const why = journal.order.status?.webhook?.lastError ?? asked.problem.message;
      const message = `AAP could not be asked to delete what it has made: ${why.replace(/[\s.]+$/, '')}. It is tried again by itself.`;
      throw refused({ reason: asked.problem.reason, message }, asked.requeueAfterMs);
    }
    case 'waiting':
      throw waiting('WaitingForAAP', 'AAP is about to be asked to delete what it has made.', asked.requeueAfterMs);
    case 'accepted': {
      const message = `AAP was asked to delete what it has made, and works on it: its job takes the finalizer ${heldBy(order)} off when it is done.`;
      throw waiting('WaitingForAAP', message, asked.requeueAfterMs);
    }
  }
}

/**
 * AAP's job makes its things by name, also beside one that deletes them. A job that has not begun finds an order that is being deleted, and cannot put its finalizer
 * on, which is the first thing that the origin's playbook does: but nobody says so of every role. So what may run is waited for before the last look.
 */
function aapIsQuiet(work: Work): void {
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
  const message = `A job of AAP that makes the machine may still be running, and what it makes has to go, too: waiting until ${until}. Who knows that none is running removes the finalizer ${finalizer}.`;
  throw waiting('WaitingForAAP', message, waitMs);
}

/** What only an annotation or a finalizer says, anybody may have written who writes orders: it opens no namespace to them. */
function isRecorded({ order }: Work): boolean {
  return order.status?.provisionedBy !== undefined;
}

function foreignness({ caches, identity }: Work): ReturnType<typeof bindingProblem> {
  const found = caches.namespaces.get({ name: identity.tenantNamespace });
  const problem = bindingProblem(identity, found === undefined ? undefined : namespaceFacts(found));
  return problem?.reason === 'NamespaceNotBound' ? problem : undefined;
}

function refuseWhatIsAnothers(work: Work): void {
  const problem = (isRecorded(work) ? undefined : foreignness(work)) ?? namesakeProblem(work);
  if (problem === undefined) return;
  const message = `${problem.message} AAP is not asked to delete anything there: where it has made nothing, remove the finalizer ${heldBy(work.order)}.`;
  throw refused({ ...problem, message }, lookAgainMs);
}

/** Another order of this name may have its things in the same namespace: AAP tells them apart as little as we could. */
function mayTakeAapsThings(work: Work): boolean {
  if (!isRecorded(work) && foreignness(work) !== undefined) return false;
  return namesakesOf(work).length === 0;
}

/** As the origin has it: who manages an order by hand is not called for by AAP, and nothing is deleted in their place. The order stays until they have. */
function leftToPeople(work: Work): void {
  const { order } = work;
  const left = knownRemains(work);
  if (left.length > 0) {
    const way = `delete them, or remove the annotation ${annotations.managementState}`;
    throw waiting(
      'Manual',
      `The order is managed by hand, and this is left of it: ${left.map(nameOf).join(', ')}. Now ${way}.`,
    );
  }
  if (hasAapFinalizer(order)) throw leftToAap(order);
}

function leftToAap(order: Order): Halted {
  const message = `The order is managed by hand, so AAP is not asked to delete what it has made: delete it and remove the finalizer ${heldBy(order)}, or remove the annotation ${annotations.managementState}.`;
  return waiting('Manual', message);
}

function nameOf({ type, object }: Doomed): string {
  return `${type.kind} ${keyOf(object.metadata)}`;
}

function heldBy({ metadata }: Order): string {
  return metadata.finalizers?.filter((one) => aapFinalizers.includes(one)).join(', ') ?? '';
}
