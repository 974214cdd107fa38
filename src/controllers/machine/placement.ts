/**
 * Decides on which cluster a Machine runs, and writes it down when that cluster has answered, before anything is made there: as annotation first, since that survives
 * where a status is lost, then as status. From then on it stays; until then nothing is made for it anywhere, and it is decided again each time. It also speaks for Machines whose cluster is not (or not any more) a member, for which nobody else can.
 */
import { createController, type Controller } from '../../kube/controller/controller.ts';
import { enqueueMapped, enqueueObject, type Target } from '../../kube/controller/handlers.ts';
import type { Request, Result } from '../../kube/controller/request.ts';
import { external, watches, type ExternalSource } from '../../kube/controller/sources.ts';
import type { ClusterContext } from '../../kube/controller/workers.ts';
import { keyOfObject, type ObjectMeta } from '../../kube/object.ts';
import { Conditions } from '../../kube/reconcile/conditions.ts';
import { hasFinalizer, isDeleting, removeFinalizer } from '../../kube/reconcile/finalizers.ts';
import { lockOn } from '../../kube/reconcile/merge-patch.ts';
import { patchStatus } from '../../kube/reconcile/status-patch.ts';
import { localName, type KubevirtConfig } from '../../fleet/kubevirt-config.ts';
import { placeMachine } from '../../fleet/machine-client.ts';
import { neverReached } from '../../fleet/placement-problems.ts';
import {
  annotations,
  conditions as conditionTypes,
  finalizer,
  type MachinePhase,
  type Problem,
} from '../../virt/declared-machine/resource.ts';
import { Contacts } from './contact.ts';
import { machines, type Machine, type MachineStatus } from './kinds.ts';
import type { Operator } from './operator.ts';
import { isPaused, pausedCondition } from './pause.ts';
import { byCluster } from './supervisor.ts';
import { withTime } from './status.ts';

/** A cluster that was silent may answer, and nobody tells of that. */
const lookAgainMs = 60_000;
/** A cluster is asked for the first time: a process that has just started would say of all of them that they are not there, and give up what they have. */
const soonMs = 1000;
/** The fleet has not noticed yet that a cluster is silent, or that it is back. */
const unnoticedMs = 5000;

/** The others have their workers in each cluster, and all of them wait for what is decided here: few would hold up many. */
const clustersServed = 4;

export interface PlacementController {
  readonly controller: Controller;
  /** A member has come or gone: those Machines that are placed there, or nowhere, are looked at again. */
  memberChanged(name: string): void;
}

export function placementController(operator: Operator): PlacementController {
  const { supervisor } = operator;
  const members: ExternalSource = external('members');
  const concerned = (name: string): readonly Target[] =>
    [...supervisor.machines.byIndex(byCluster, name), ...supervisor.machines.byIndex(byCluster, '')].map(keyOfObject);
  const contacts = new Contacts(operator.fleet);
  const controller = createController({
    ...operator.surroundings,
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
  operator: Operator,
  contacts: Contacts,
  request: Request,
  context: ClusterContext,
): Promise<Result | void> {
  const machine = operator.supervisor.machines.get(request);
  if (machine === undefined) return undefined;
  const at = machine.status?.kubevirtConfigRef;
  const pause = isPaused(machine);
  // Of one that is placed, those say it who work for its cluster.
  if (pause !== undefined)
    return operator.fleet.cluster(at ?? '') === undefined ? sayPaused(operator, machine, pause, context) : undefined;
  if (at !== undefined && at !== '') {
    // What is written there wakes us again.
    if (await keepNote(operator, machine, at, context)) return undefined;
    return operator.fleet.cluster(at) === undefined ? absent(operator, machine, at, context) : undefined;
  }
  // Nothing was made for it: it may go.
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
 * Why a Machine cannot be placed there yet. One that bears our finalizer was placed before, and has lost its status: what it has is where its annotation says, also
 * while that cluster is away.
 */
async function unreached(
  contacts: Contacts,
  machine: Machine,
  config: string,
  { signal }: ClusterContext,
): Promise<Problem | undefined> {
  if (hasFinalizer(machine, finalizer)) return undefined;
  const silence = await contacts.silence(config, machine, signal);
  return silence === undefined ? undefined : neverReached(config, silence);
}

async function sayPaused(
  operator: Operator,
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

function isEarly({ fleet }: Operator): boolean {
  const names = fleet.listConfigs().map(({ metadata }) => metadata.name ?? '');
  return [localName, ...names].some((name) => !fleet.isAsked(name));
}

async function settle(
  operator: Operator,
  machine: Machine,
  config: string,
  by: string,
  { signal, term, log }: ClusterContext,
): Promise<void> {
  const client = operator.supervisor.client(term);
  const key = keyOfObject(machine);
  const isTold = by === 'field' || by === 'annotation';
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
  const message = isTold ? 'Assigned KubevirtConfig to machine' : 'Automatically assigned KubevirtConfig to machine';
  log.info({ machine: key.name, namespace: key.namespace, kubevirtConfig: config, by }, message);
  operator.event(machine, 'Normal', 'Placed', `${message}: "${config}" (by ${by})`);
}

/**
 * The annotation says again where the Machine is, whatever somebody wrote there: nothing moves, and where the status is lost (with a backup, say) it would be made a
 * second time on another cluster.
 */
async function keepNote(
  operator: Operator,
  machine: Machine,
  at: string,
  { signal, term, log }: ClusterContext,
): Promise<boolean> {
  const said = machine.metadata.annotations?.[annotations.kubevirtConfig];
  if (said === at || isDeleting(machine)) return false;
  const body = { metadata: { ...lockOn(machine), annotations: { [annotations.kubevirtConfig]: at } } };
  await operator.supervisor.client(term).patch(machines, keyOfObject(machine), { type: 'merge', body }, { signal });
  if (said === undefined) return true;
  const message = `the annotation ${annotations.kubevirtConfig} was changed to "${said}", but the Machine is placed on "${at}" and never moves: it says "${at}" again. To have it elsewhere, make a new Machine`;
  const { name, namespace } = machine.metadata;
  log.warn({ machine: name, namespace, kubevirtConfig: at }, message);
  operator.event(machine, 'Warning', 'PlacementKept', message);
  return true;
}

/** Whoever works for that cluster begins with the finalizer: here it takes no request of its own. Where nobody does, nothing is made, and the Machine may go. */
function marksOf(
  { fleet }: Operator,
  machine: Machine,
  config: string,
): Pick<ObjectMeta, 'annotations' | 'finalizers'> {
  const chosen = { annotations: { [annotations.kubevirtConfig]: config } };
  const holds = fleet.cluster(config) !== undefined && !isDeleting(machine) && !hasFinalizer(machine, finalizer);
  return holds ? { ...chosen, finalizers: [...(machine.metadata.finalizers ?? []), finalizer] } : chosen;
}

async function refuse(
  operator: Operator,
  machine: Machine,
  problem: Problem,
  context: ClusterContext,
  phase: MachinePhase | undefined = problem.reason === 'KubevirtConfigNotFound' ? 'Failed' : 'Pending',
): Promise<Result> {
  const { generation } = machine.metadata;
  const conditions = new Conditions(machine.status?.conditions, { date: new Date(), generation });
  const before = conditions.get(conditionTypes.ready);
  conditions.set(conditionTypes.ready, 'False', problem.reason, problem.message);
  if (conditions.get(pausedCondition) !== undefined) conditions.drop(pausedCondition);
  if (before?.reason !== problem.reason || before.message !== problem.message) {
    operator.metrics.failed('machine-placement', problem.reason);
    operator.event(machine, 'Warning', problem.reason, problem.message);
    const { name, namespace } = machine.metadata;
    context.log.warn({ machine: name, namespace, phase, reason: problem.reason }, problem.message);
  }
  const wanted: MachineStatus = {
    ...machine.status,
    ...(phase === undefined ? {} : { phase }),
    conditions: conditions.list(),
  };
  const { signal, term } = context;
  await patchStatus(operator.supervisor.client(term), machines, machine, withTime(machine, wanted), { signal });
  return { requeueAfterMs: lookAgainMs };
}

/** Its cluster was never reached, is gone, or its Secret is broken: what it has there stays, and so does the Machine, unless it is given up. */
async function absent(
  operator: Operator,
  machine: Machine,
  at: string,
  context: ClusterContext,
): Promise<Result | void> {
  if (isDeleting(machine) && !hasFinalizer(machine, finalizer)) return undefined;
  if (!operator.fleet.isAsked(at)) return { requeueAfterMs: soonMs };
  const problem: Problem = { reason: 'ClusterUnavailable', message: operator.whyUnavailable(at) };
  if (isDeleting(machine) && (await givenUp(operator, machine, problem, context))) return undefined;
  return refuse(operator, machine, problem, context, machine.status?.phase ?? 'Pending');
}

async function givenUp(
  operator: Operator,
  machine: Machine,
  { message }: Problem,
  { signal, term, log }: ClusterContext,
): Promise<boolean> {
  if (machine.metadata.annotations?.[annotations.forceDelete] !== 'true') return false;
  operator.event(machine, 'Warning', 'ForceDeleted', `What it has in its cluster is given up: ${message}`);
  log.warn({ machine: machine.metadata.name, namespace: machine.metadata.namespace }, 'deleting Machine by force');
  await removeFinalizer(operator.supervisor.client(term), machines, machine, finalizer, { signal });
  return true;
}
