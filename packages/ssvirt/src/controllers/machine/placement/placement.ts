/**
 * Decides on which cluster a Machine runs. The decision is recorded when that cluster has answered, before anything is
 * created there: first in an annotation, which survives the loss of a status, then in the status. From then on it is
 * final. Before that, nothing is created anywhere, and each reconcile decides again. This controller also reports on
 * Machines whose cluster is not a member, or no longer one, since no other controller can.
 */
import { defined } from '@ssvirt/base/values/defined';
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped, enqueueObject, type Target } from '@ssvirt/kube/controller/handlers';
import type { Request, Result } from '@ssvirt/kube/controller/request';
import { external, watches, type ExternalSource } from '@ssvirt/kube/controller/sources';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import { keyOfObject, type ObjectMeta } from '@ssvirt/kube/object';
import { Conditions, findCondition } from '@ssvirt/kube/reconcile/conditions';
import { hasFinalizer, isDeleting, removeFinalizer } from '@ssvirt/kube/reconcile/finalizers';
import { lockOn } from '@ssvirt/kube/reconcile/merge-patch';
import { patchStatus } from '@ssvirt/kube/reconcile/status-patch';
import { localName, type KubevirtConfig } from '../../../fleet/kubevirtconfig/kubevirt-config.ts';
import { placeMachine } from '../../../fleet/placement/place-machine.ts';
import { neverReached } from '../../../fleet/placement/placement-problems.ts';
import {
  annotations,
  conditions as conditionTypes,
  finalizer,
  type MachinePhase,
  type MachineProblem,
} from '../../../kubevirt/machine/resource.ts';
import { placementDiffers } from '../../../kubevirt/machine/status.ts';
import { Contacts } from './contacts.ts';
import { machines, type Machine, type MachineStatus } from '../machine-types.ts';
import type { MachineOperatorContext } from '../operator.ts';
import { isPaused, pausedCondition } from '../pause.ts';
import { waitsForCluster } from '../removal.ts';
import { byCluster } from '../supervisor.ts';
import { setDeleting } from '../status/deleting.ts';
import { setPlacementDiffers } from '../status/placement-differs.ts';
import { withTime } from '../status/status.ts';

/** The retry interval. A cluster that did not answer may answer again, and no watch reports that. */
const lookAgainMs = 60_000;
/**
 * The retry interval while the fleet asks a cluster for the first time. Without it, a process that has just started
 * would report every cluster as missing, and abandon the objects there.
 */
const soonMs = 1000;
/** The retry interval while the fleet has not noticed yet that a cluster stopped answering, or is back. */
const unnoticedMs = 5000;

/**
 * Other controllers have workers for each cluster, but every Machine waits for this one. Few workers would delay many
 * Machines.
 */
const clustersServed = 4;

export interface PlacementController {
  readonly controller: Controller;
  /** A member has come or gone: reconciles the Machines that are placed there or nowhere. */
  memberChanged(name: string): void;
}

export function placementController(operator: MachineOperatorContext): PlacementController {
  const { supervisor } = operator;
  const members: ExternalSource = external('members');
  const concerned = (name: string): readonly Target[] =>
    [...supervisor.machines.byIndex(byCluster, name), ...supervisor.machines.byIndex(byCluster, '')].map(keyOfObject);
  const contacts = new Contacts(operator.fleet);
  const controller = createController({
    ...operator.instruments,
    name: 'machine-placement',
    concurrency: operator.concurrency * clustersServed,
    timeoutMs: 60_000,
    onSyncTimeout: 'wait',
    sources: () => [
      watches(supervisor.machines, enqueueObject),
      watches(
        supervisor.configs,
        enqueueMapped(({ metadata }: KubevirtConfig) => concerned(metadata.name ?? '')),
      ),
      members,
    ],
    reconcile: (request, context) =>
      operator.metrics.timed('machine-placement', () => reconcile(operator, contacts, request, context)),
  });
  return {
    controller,
    memberChanged(name) {
      for (const key of concerned(name)) members.push({ cluster: localName, ...key });
    },
  };
}

async function reconcile(
  operator: MachineOperatorContext,
  contacts: Contacts,
  request: Request,
  context: ClusterContext,
): Promise<Result | void> {
  const machine = operator.supervisor.machines.get(request);
  if (machine === undefined) return undefined;
  const at = machine.status?.kubevirtConfigRef;
  const pause = isPaused(machine);
  // The controller of the cluster reports a Machine that is placed.
  if (pause !== undefined)
    return operator.fleet.cluster(at ?? '') === undefined ? sayPaused(operator, machine, pause, context) : undefined;
  if (at !== undefined && at !== '') {
    // The write of the annotation wakes the Machine again.
    if (await keepNote(operator, machine, at, context)) return undefined;
    return operator.fleet.cluster(at) === undefined ? absent(operator, machine, at, context) : undefined;
  }
  // Nothing was created for it, so its deletion needs no work.
  if (isDeleting(machine) && !hasFinalizer(machine, finalizer)) return undefined;
  const { fleet, defaultConfig, configsNamespace } = operator;
  const placement = await placeMachine(fleet, machine, { defaultConfig, configsNamespace, signal: context.signal });
  const chosen = placement.kind === 'placed' ? placement : undefined;
  const problem =
    placement.kind === 'placed' ? await unreached(contacts, machine, placement.config, context) : placement.problem;
  if (chosen !== undefined && problem === undefined)
    return settle(operator, machine, chosen.config, chosen.by, context);
  if (problem === undefined || isEarly(operator)) return { requeueAfterMs: soonMs };
  if (isDeleting(machine) && (await givenUp(operator, machine, problem, context))) return undefined;
  const result = await refuse(operator, machine, problem, context);
  const isUnnoticed = chosen !== undefined && contacts.known(chosen.config) === undefined;
  return isUnnoticed ? { requeueAfterMs: unnoticedMs } : result;
}

/**
 * Why a Machine cannot be placed there yet. A Machine with our finalizer was placed before and has lost its status: its
 * objects are where its annotation says, even while that cluster is not reachable. A manifest that was exported with
 * the finalizer cannot be told from it; docs/provider/backup-and-restore.md says to remove the finalizer.
 */
async function unreached(
  contacts: Contacts,
  machine: Machine,
  config: string,
  { signal }: ClusterContext,
): Promise<MachineProblem | undefined> {
  if (hasFinalizer(machine, finalizer)) return undefined;
  const silence = await contacts.silence(config, machine, signal);
  return silence === undefined ? undefined : neverReached(config, silence);
}

async function sayPaused(
  operator: MachineOperatorContext,
  machine: Machine,
  why: string,
  { signal, term }: ClusterContext,
): Promise<void> {
  const { generation } = machine.metadata;
  const conditions = new Conditions(machine.status?.conditions, { date: new Date(), generation });
  conditions.set(pausedCondition, 'True', 'Paused', why);
  const wanted = withTime(machine, { ...machine.status, conditions: conditions.list() });
  await patchStatus(operator.supervisor.client(term), machines, machine, wanted, { signal });
}

function isEarly({ fleet }: MachineOperatorContext): boolean {
  const names = fleet.listConfigs().map(({ metadata }) => metadata.name ?? '');
  return [localName, ...names].some((name) => !fleet.isAsked(name));
}

async function settle(
  operator: MachineOperatorContext,
  machine: Machine,
  config: string,
  by: string,
  { signal, term, log }: ClusterContext,
): Promise<void> {
  const client = operator.supervisor.client(term);
  const key = keyOfObject(machine);
  const isChosen = by === 'field' || by === 'annotation';
  let placed = machine;
  if (machine.metadata.annotations?.[annotations.kubevirtConfig] !== config) {
    const body = { metadata: { ...lockOn(machine), ...marksOf(operator, machine, config) } };
    placed = await client.patch(machines, key, { type: 'merge', body }, { signal });
  }
  const status = withTime(placed, {
    ...placed.status,
    phase: placed.status?.phase ?? 'Pending',
    kubevirtConfigRef: config,
  });
  await patchStatus(client, machines, placed, status, { signal });
  const message = isChosen ? 'Assigned KubevirtConfig to machine' : 'Automatically assigned KubevirtConfig to machine';
  // oxlint-disable-next-line architecture/log-messages -- one of two constants, in the words of the original vitistack operator, which people search for
  log.info({ machine: key.name, namespace: key.namespace, kubevirtConfig: config, by }, message);
  operator.event(machine, 'Normal', 'Placed', `${message}: "${config}" (by ${by})`);
}

/**
 * Writes the annotation with the placement if it is missing: without it, a lost status would let the Machine be placed
 * on another cluster. An annotation with another value is reported, and left as it is.
 */
async function keepNote(
  operator: MachineOperatorContext,
  machine: Machine,
  at: string,
  { signal, term, log }: ClusterContext,
): Promise<boolean> {
  if (isDeleting(machine)) return false;
  const said = machine.metadata.annotations?.[annotations.kubevirtConfig];
  if (said === undefined) {
    const body = { metadata: { ...lockOn(machine), annotations: { [annotations.kubevirtConfig]: at } } };
    await operator.supervisor.client(term).patch(machines, keyOfObject(machine), { type: 'merge', body }, { signal });
    return true;
  }
  const [found] = placementDiffers({ annotated: said, kubevirtConfigRef: at });
  const before = findCondition(machine.status?.conditions, conditionTypes.placementDiffers);
  if (found === undefined || before?.message === found.message) return false;
  const { name, namespace } = machine.metadata;
  log.warn({ machine: name, namespace, kubevirtConfig: at, detail: found.message }, 'placement annotation differs');
  operator.event(machine, 'Warning', 'PlacementKept', found.message);
  return false;
}

/**
 * Sets the finalizer in the same request, which saves the controller of that cluster its first one. If the cluster is
 * not engaged, nothing is created there, and the Machine needs no finalizer.
 */
function marksOf(
  { fleet }: MachineOperatorContext,
  machine: Machine,
  config: string,
): Pick<ObjectMeta, 'annotations' | 'finalizers'> {
  const chosen = { annotations: { [annotations.kubevirtConfig]: config } };
  const holds = fleet.cluster(config) !== undefined && !isDeleting(machine) && !hasFinalizer(machine, finalizer);
  return holds ? { ...chosen, finalizers: [...(machine.metadata.finalizers ?? []), finalizer] } : chosen;
}

async function refuse(
  operator: MachineOperatorContext,
  machine: Machine,
  problem: MachineProblem,
  context: ClusterContext,
  phase: MachinePhase | undefined = problem.reason === 'KubevirtConfigNotFound' ? 'Failed' : 'Pending',
): Promise<Result> {
  const { generation } = machine.metadata;
  const conditions = new Conditions(machine.status?.conditions, { date: new Date(), generation });
  const before = conditions.get(conditionTypes.ready);
  if (isDeleting(machine)) setDeleting(conditions, problem);
  else {
    conditions.set(conditionTypes.ready, 'False', problem.reason, problem.message);
    setPlacementDiffers(conditions, machine);
  }
  if (conditions.get(pausedCondition) !== undefined) conditions.drop(pausedCondition);
  if (before?.reason !== problem.reason || before.message !== problem.message) {
    operator.metrics.failed('machine-placement', problem.reason);
    operator.event(machine, 'Warning', problem.reason, problem.message);
    const { name, namespace } = machine.metadata;
    const fields = { machine: name, namespace, phase, reason: problem.reason, detail: problem.message };
    context.log.warn(fields, 'Machine not placed');
  }
  const wanted: MachineStatus = {
    ...machine.status,
    ...defined({ phase }),
    conditions: conditions.list(),
  };
  const { signal, term } = context;
  await patchStatus(operator.supervisor.client(term), machines, machine, withTime(machine, wanted), { signal });
  return { requeueAfterMs: lookAgainMs };
}

/**
 * The cluster of the Machine was never reached, is gone, or has an invalid Secret. Its objects there stay, and so does
 * the Machine, unless it is deleted by force.
 */
async function absent(
  operator: MachineOperatorContext,
  machine: Machine,
  at: string,
  context: ClusterContext,
): Promise<Result | void> {
  if (isDeleting(machine) && !hasFinalizer(machine, finalizer)) return undefined;
  if (!operator.fleet.isAsked(at)) return { requeueAfterMs: soonMs };
  const silence = operator.whyUnavailable(at);
  const problem = (message: string): MachineProblem => ({ reason: 'ClusterUnavailable', message });
  const phase = machine.status?.phase ?? 'Pending';
  if (!isDeleting(machine)) return refuse(operator, machine, problem(silence), context, phase);
  if (await givenUp(operator, machine, problem(silence), context)) return undefined;
  return refuse(operator, machine, problem(waitsForCluster(silence)), context, phase);
}

async function givenUp(
  operator: MachineOperatorContext,
  machine: Machine,
  { message }: MachineProblem,
  { signal, term, log }: ClusterContext,
): Promise<boolean> {
  if (machine.metadata.annotations?.[annotations.forceDelete] !== 'true') return false;
  operator.event(machine, 'Warning', 'ForceDeleted', `Its objects in the cluster are abandoned: ${message}`);
  log.warn({ machine: machine.metadata.name, namespace: machine.metadata.namespace }, 'deleting Machine by force');
  await removeFinalizer(operator.supervisor.client(term), machines, machine, finalizer, { signal });
  return true;
}
