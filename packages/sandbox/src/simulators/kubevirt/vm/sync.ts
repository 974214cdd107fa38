/** One reconcile of a VM: acts in KubeVirt's order, and returns what the status must report. */
import { isConflict } from '@ssvirt/kube/errors';
import { keyOf, keyOfObject } from '@ssvirt/kube/object';
import { serverWords } from '../../server-words.ts';
import { virtualMachines, type VirtualMachine, type VirtualMachineInstance } from '../objects.ts';
import { withoutCondition } from './status/conditions.ts';
import { handleDataVolumes } from './volumes/data-volumes.ts';
import { same } from './domain.ts';
import { hasFinalizer, withFinalizer, withoutFinalizer } from './finalizers.ts';
import { withGeneration } from './generation.ts';
import { startVmi, stopVmi } from './power.ts';
import {
  dumpMemory,
  followAnnotations,
  plugInterfaces,
  plugVolumes,
  updateLive,
  withRestartRequired,
} from './reach-vmi.ts';
import { needsRestart, RESTART_REQUIRED } from './live/restart-required.ts';
import { lastStartedSpec } from './revisions.ts';
import { wishOf } from './run-strategy.ts';
import type { Shell } from './shell.ts';
import { backOffLeftMs } from './status/start-failure.ts';
import { runStrategyOf } from './state-change.ts';
import { SyncError, syncErrorOf } from './status/sync-error.ts';
import { testedPatch } from './tested-patch.ts';
import { withFirmwareUuid } from './vmi-of-vm.ts';
import type { MaybeVmi } from './vmi-state.ts';

export interface Outcome {
  /** The VM as on the server, except for added or removed conditions. */
  readonly vm: VirtualMachine;
  readonly vmi: MaybeVmi;
  readonly startIssued?: boolean;
  readonly stopIssued?: boolean;
  readonly error?: SyncError;
  readonly requeueAfterMs?: number;
  /** The spec was changed: the next reconcile continues from there and writes the status. */
  readonly lookAgain?: boolean;
}

export async function sync(shell: Shell, vm: VirtualMachine, vmi: MaybeVmi): Promise<Outcome> {
  // Read before a start, which replaces it.
  const started = vmi === undefined ? undefined : lastStartedSpec(shell, vm);
  if (vm.metadata.deletionTimestamp !== undefined) return leave(shell, vm, vmi);
  const marked = await withFinalizer(shell, virtualMachines, vm);
  const seen = vmi === undefined ? undefined : await withGeneration(shell, marked, vmi);
  const trouble = (error: unknown): Outcome => ({ vm: marked, vmi: seen, error: asSyncError(error) });
  let current: VirtualMachine;
  try {
    current = await shell.instancetypes.sync(marked, shell.signal);
    if (!(await disksAreReady(shell, current))) return { vm: current, vmi: seen };
  } catch (error) {
    return trouble(error);
  }
  const outcome = await followStrategy(shell, current, seen);
  if (outcome.error !== undefined || outcome.lookAgain === true) return outcome;
  const judged = { ...outcome, vm: await judgeRestart(shell, outcome.vm, seen, started) };
  return outcome.acted ? judged : reach(shell, judged);
}

function asSyncError(error: unknown): SyncError {
  if (error instanceof SyncError) return error;
  throw error;
}

/** The VMI is deleted before the VM, unless the VM's dependents are orphaned. */
async function leave(shell: Shell, vm: VirtualMachine, vmi: MaybeVmi): Promise<Outcome> {
  if (vmi === undefined || hasFinalizer(vm, 'orphan'))
    return { vm: await withoutFinalizer(shell, virtualMachines, vm), vmi };
  try {
    return { vm: await stopVmi(shell, vm, vmi), vmi };
  } catch (error) {
    return { vm, vmi, error: failedDelete(error) };
  }
}

function failedDelete(error: unknown): SyncError {
  // Another VMI with this name exists by now; the next reconcile sees it.
  if (isConflict(error)) throw error;
  return new SyncError('FailedDelete', `Failure attempting to delete VMI: ${serverWords(error)}`, error);
}

/** A halted VM continues without its disks: it only has to be stopped. */
async function disksAreReady(shell: Shell, vm: VirtualMachine): Promise<boolean> {
  if (vm.metadata.annotations?.['kubevirt.io/immediate-data-volume-creation'] === 'false') return true;
  try {
    return (await handleDataVolumes(shell, vm)) || runStrategyOf(vm) === 'Halted';
  } catch (error) {
    const text = `Error encountered while creating DataVolumes: ${serverWords(error)}`;
    throw new SyncError('FailedCreate', text, error);
  }
}

type Followed = Outcome & { readonly acted: boolean };

async function followStrategy(shell: Shell, vm: VirtualMachine, vmi: MaybeVmi): Promise<Followed> {
  const wish = wishOf(vm, vmi);
  const rest = { vm, vmi, acted: false };
  switch (wish.do) {
    case 'nothing':
      return rest;
    case 'start': {
      const waitMs = wish.afterBackOff ? backOffLeft(shell, vm) : 0;
      return waitMs > 0 ? { ...rest, requeueAfterMs: waitMs } : start(shell, vm);
    }
    case 'stop':
      return vmi === undefined ? rest : stop(shell, vm, vmi, wish.thenStart);
    case 'un-halt':
      await unHalt(shell, vm);
      return { ...rest, lookAgain: true };
    case 'refuse':
      return { ...rest, error: new SyncError('FailedCreate', wish.message) };
  }
}

function backOffLeft({ retryAt }: Shell, vm: VirtualMachine): number {
  const failure = vm.status?.startFailure;
  const known = retryAt.get(keyOf(keyOfObject(vm)));
  const isPrecise = known !== undefined && known.failed === failure?.lastFailedVMIUID;
  return backOffLeftMs(isPrecise ? { ...failure, retryAfterTimestamp: known.at } : failure, new Date());
}

async function start(shell: Shell, vm: VirtualMachine): Promise<Followed> {
  try {
    const { vm: started, issued } = await startVmi(shell, vm);
    return { vm: started, vmi: undefined, startIssued: issued, acted: issued };
  } catch (error) {
    if (isConflict(error)) throw error;
    const failure = new SyncError('FailedCreate', `Failure while starting VMI: ${serverWords(error)}`, error);
    return { vm, vmi: undefined, error: failure, acted: true };
  }
}

async function stop(
  shell: Shell,
  vm: VirtualMachine,
  vmi: VirtualMachineInstance,
  thenStart: boolean,
): Promise<Followed> {
  try {
    const stopped = await stopVmi(shell, vm, vmi);
    // The VMI may just have been adopted; then the status was written before it, and the VM does not show Stopping yet.
    const stopIssued = vm.status?.created === true;
    return { vm: thenStart ? await queueStart(shell, stopped) : stopped, vmi, stopIssued, acted: true };
  } catch (error) {
    return { vm, vmi, error: failedDelete(error), acted: true };
  }
}

const QUEUE_ATTEMPTS = 5;

/**
 * Appends the start to all requests, including one that was just added. A conflict is retried here: the next reconcile
 * would find a VMI in deletion and have no reason to queue a start.
 */
async function queueStart(shell: Shell, vm: VirtualMachine): Promise<VirtualMachine> {
  let current = vm;
  for (let attempt = 1; ; attempt++) {
    const value = [...(current.status?.stateChangeRequests ?? []), { action: 'Start' }];
    const operations = [
      { op: 'test', path: '/metadata/resourceVersion', value: current.metadata.resourceVersion },
      { op: 'add', path: '/status/stateChangeRequests', value },
    ] as const;
    try {
      return await testedPatch(shell, virtualMachines, current, operations, 'status');
    } catch (error) {
      if (!isConflict(error) || attempt === QUEUE_ATTEMPTS) throw error;
      current = await shell.client.get(virtualMachines, keyOfObject(vm), { signal: shell.signal });
    }
  }
}

async function unHalt({ client, signal }: Shell, vm: VirtualMachine): Promise<void> {
  const { resourceVersion } = vm.metadata;
  const spec = vm.spec.runStrategy === undefined ? { running: true } : { runStrategy: 'Always' };
  const body = { metadata: { resourceVersion }, spec };
  await client.patch(virtualMachines, keyOfObject(vm), { type: 'merge', body }, { signal });
}

/** Sets RestartRequired for an edit that cannot be applied live, and removes it when the edit is reverted. */
async function judgeRestart(
  { instancetypes }: Shell,
  vm: VirtualMachine,
  vmi: MaybeVmi,
  started: VirtualMachine['spec'] | undefined,
): Promise<VirtualMachine> {
  if (vmi === undefined || started === undefined) return vm;
  const templateOf = async (one: VirtualMachine): Promise<VirtualMachine['spec']['template']['spec']> =>
    (await instancetypes.applyToVm(one)).spec.template.spec;
  try {
    const change = {
      started: await templateOf({ ...vm, spec: started }),
      current: await templateOf(vm),
      vmi,
      volumesMigrate: vm.spec['updateVolumesStrategy'] === 'Migration',
    };
    if (needsRestart(change)) return withRestartRequired(vm, RESTART_REQUIRED);
  } catch {
    // If the instance type cannot be applied, it is unknown whether a restart is needed: no condition is set.
    return vm;
  }
  const conditions = vm.status?.conditions ?? [];
  const left = withoutCondition(conditions, 'RestartRequired');
  return left === conditions ? vm : { ...vm, status: { ...vm.status, conditions: left } };
}

/** Applies all other changes of a VM that neither starts nor stops now. */
async function reach(shell: Shell, outcome: Outcome): Promise<Outcome> {
  const { vm, vmi } = outcome;
  try {
    const plugged = await plugInterfaces(shell, vm, vmi);
    await plugVolumes(shell, vm, vmi);
    const dumped = await dumpMemory(shell, vm, vmi, plugged);
    await followAnnotations(shell, vm, vmi);
    const template = withFirmwareUuid(dumped, vm.metadata.name ?? '');
    const updated = await updateLive(shell, vm, vmi);
    if (same(template, vm.spec.template.spec)) return { ...outcome, vm: updated };
    return { ...outcome, vm: await writeTemplate(shell, updated, template) };
  } catch (error) {
    return { ...outcome, error: asSyncError(error) };
  }
}

async function writeTemplate(
  { client, signal }: Shell,
  vm: VirtualMachine,
  template: VirtualMachine['spec']['template']['spec'],
): Promise<VirtualMachine> {
  const spec = { ...vm.spec, template: { ...vm.spec.template, spec: template } };
  try {
    const written = await client.update(virtualMachines, { ...vm, spec }, { signal });
    return { ...written, ...(vm.status === undefined ? {} : { status: vm.status }) };
  } catch (error) {
    const about = 'Error encountered when trying to update vm according to add volume and/or memory dump requests';
    throw syncErrorOf('FailedUpdateError', about, error);
  }
}
