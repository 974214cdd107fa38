/** Writes the result of a reconcile to the status of a Machine, and reports changes as Events and log lines. */
import { defined } from '@ssvirt/base/values/defined';
import { findCondition } from '@ssvirt/kube/reconcile/conditions';
import type { Round } from '@ssvirt/kube/reconcile/shape';
import { diskState, type DiskState } from '../../../kubevirt/machine/disk-state.ts';
import { vmName } from '../../../kubevirt/machine/names.ts';
import type { ResolvedNetwork } from '../../../kubevirt/machine/networks.ts';
import type { PlacedProblem } from '../../../kubevirt/machine/problem-part.ts';
import { isAttached, type ResolvedMachine } from '../../../kubevirt/machine/resolve.ts';
import {
  annotations,
  conditions as types,
  type MachineFacts,
  type MachineProblem,
} from '../../../kubevirt/machine/resource.ts';
import { machineStatus, type MachineReport } from '../../../kubevirt/machine/status.ts';
import type { StepHalted } from '../step-halted.ts';
import { controllerName, type Machine, type MachineStatus } from '../machine-types.ts';
import { observe, type ObservedTroubles } from '../placement/observe.ts';
import { existingDisk, type AttachedClaims, type LiveDisk } from '../children/storage.ts';
import { networkNames } from '../supervisor.ts';
import { isOurs, type MachineWork } from '../work.ts';

const claimDeleted: MachineProblem['reason'] = 'ClaimDeleted';

/** `MachineOutcome` is the result of the steps. */
export interface MachineOutcome {
  readonly resolved?: ResolvedMachine;
  readonly networks?: readonly ResolvedNetwork[];
  readonly attached?: AttachedClaims;
  readonly halt?: StepHalted;
}

/** `tellStatus` returns the time after which to reconcile again even if nothing changes. */
export function tellStatus(
  work: MachineWork,
  troubles: ObservedTroubles,
  round: Round<Machine>,
  outcome: MachineOutcome,
): number | undefined {
  const { machine } = work;
  const { halt } = outcome;
  const observation = observe(work, troubles);
  const { startedWith, restarted, ...facts } = live(work);
  const problem = problemOf(halt);
  const { phase, kubevirtConfigRef } = machine.status ?? {};
  const report = machineStatus({
    name: work.identity.name,
    running: machine.spec.running ?? true,
    ...defined({ kubevirtConfigRef, phase, startedWith, observation, restarted }),
    ...defined({ restart: machine.metadata.annotations?.[annotations.restart] }),
    ...facts,
    ...defined({ annotated: machine.metadata.annotations?.[annotations.kubevirtConfig] }),
    disks: disksOf(work, outcome),
    ...defined({ networks: outcome.networks, problem }),
  });
  setConditions(round, report, halt);
  // Removes the fields that are not among the new facts.
  round.report({ ...noFacts, ...report.facts } as Partial<MachineStatus>);
  tellNews(work, report.facts, halt);
  tellDeletedClaim(work, report);
  return sooner(observation?.recheckAfterMs, halt?.why.requeueAfterMs);
}

const noFacts: { readonly [K in keyof Omit<MachineFacts, 'lastUpdated'>]: undefined } = {
  phase: undefined,
  vmName: undefined,
  vmiName: undefined,
  ipAddresses: undefined,
  addresses: undefined,
  nodeName: undefined,
  kubevirtConfigRef: undefined,
};

function live(
  work: MachineWork,
): Pick<Parameters<typeof machineStatus>[0], 'vm' | 'vmi' | 'startedWith' | 'restarted'> {
  const { caches, identity } = work;
  const key = { namespace: identity.namespace, name: vmName(identity.name) };
  const vm = caches.vms.get(key);
  if (vm === undefined || !isOurs(work)(vm)) return {};
  const vmi = caches.instances.get(key);
  if (vmi === undefined) return { vm: vm.facts };
  const startedWith = vmi.metadata.annotations?.[annotations.networks];
  const restarted = vmi.metadata.annotations?.[annotations.restart];
  return { vm: vm.facts, vmi: vmi.facts, ...defined({ startedWith, restarted }) };
}

function disksOf(work: MachineWork, { resolved, attached }: MachineOutcome): readonly DiskState[] {
  const classes = work.caches.classes.list().map(({ facts }) => facts);
  return (resolved?.disks ?? []).map((disk) => {
    const { name } = disk;
    const { claim, dataVolume } = isAttached(disk) ? attachedDisk(attached?.get(name)) : existingDisk(work, name);
    const state = diskState(name, claim === undefined ? {} : { claim }, classes);
    return dataVolume === undefined ? state : { ...state, dataVolume: dataVolume.facts };
  });
}

function attachedDisk(claim: LiveDisk['claim']): LiveDisk {
  return claim === undefined ? {} : { claim };
}

/** A step that only waits is no problem. */
function problemOf(halt: StepHalted | undefined): PlacedProblem | undefined {
  if (halt?.isProblem !== true) return undefined;
  // The function `problem` accepts only reasons of the closed set.
  return { reason: halt.why.reason as MachineProblem['reason'], message: halt.why.message, part: halt.part };
}

function setConditions(
  { conditions }: Round<Machine>,
  { findings }: MachineReport,
  halt: StepHalted | undefined,
): void {
  for (const { type, status, reason, message } of findings) conditions.set(type, status, reason, message);
  for (const type of Object.values(types))
    if (!findings.some((finding) => finding.type === type) && conditions.get(type) !== undefined) conditions.drop(type);
  if (halt !== undefined) conditions.set(types.ready, 'False', halt.why.reason, halt.why.message);
}

function tellNews(work: MachineWork, { phase }: MachineFacts, halt: StepHalted | undefined): void {
  const { machine, operator, context, identity } = work;
  const fields = { machine: identity.name, namespace: identity.namespace, phase };
  if (phase !== machine.status?.phase) {
    context.log.info({ ...fields, before: machine.status?.phase }, 'Machine phase changed');
    // In other phases, other Events report the progress.
    if (phase === 'Running' || phase === 'Stopped' || phase === 'Failed')
      operator.event(
        machine,
        phase === 'Failed' ? 'Warning' : 'Normal',
        phase,
        `The phase is ${phase}, and was ${machine.status?.phase ?? 'none'}`,
      );
  }
  if (halt?.isProblem !== true) return;
  const before = findCondition(machine.status?.conditions, types.ready);
  const { reason, message } = halt.why;
  if (before?.reason === reason && before.message === message) return;
  context.log.warn({ ...fields, reason, detail: message }, 'Machine cannot proceed');
  operator.event(machine, 'Warning', reason, message);
  operator.metrics.failed(controllerName, reason);
  if (halt.part === 'network') for (const name of failedNetworks(work)) operator.metrics.networkFailed(name);
}

/** The claim is deleted from outside, and nothing else says so before the machine stops. */
function tellDeletedClaim({ machine, operator, context, identity }: MachineWork, { findings }: MachineReport): void {
  const found = findings.find(({ type, reason }) => type === types.ready && reason === claimDeleted);
  const before = findCondition(machine.status?.conditions, types.ready);
  if (found === undefined || (before?.reason === claimDeleted && before.message === found.message)) return;
  const fields = { machine: identity.name, namespace: identity.namespace, reason: claimDeleted, detail: found.message };
  context.log.warn(fields, 'claim of a disk was deleted');
  operator.event(machine, 'Warning', claimDeleted, found.message);
}

/** The networks that do not exist; if all exist, every network that the Machine names. */
function failedNetworks({ machine, operator, identity: { namespace } }: MachineWork): readonly string[] {
  const names = networkNames(machine);
  const missing = names.filter((name) => operator.supervisor.networks.get({ namespace, name }) === undefined);
  return missing.length > 0 ? missing : names;
}

function sooner(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
