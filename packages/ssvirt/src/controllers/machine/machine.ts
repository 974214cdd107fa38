/**
 * The controller of Machines, engaged with every member. A Machine is reconciled by the workers of its cluster, so that
 * a hanging cluster delays only its own Machines. The Machine itself is read and written in the supervisor.
 */
import { BoundedMap } from '@ssvirt/kube/bounded-map';
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import type { Request, Result } from '@ssvirt/kube/controller/request';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import { ConditionAge } from '@ssvirt/kube/condition-age';
import type { Removal } from '@ssvirt/kube/reconcile/delete-in-order';
import { reconcileObject, type Round } from '@ssvirt/kube/reconcile/shape';
import { resolveSpec, type ResolvedMachine } from '../../kubevirt/machine/resolve.ts';
import { finalizer } from '../../kubevirt/machine/resource.ts';
import { adoptVirtualMachine, finishAdoption, settingsOf, type Adoptions } from './placement/adoption.ts';
import { dropCloudInitSecret, ensureCloudInit, type Copies } from './children/cloud-init.ts';
import { lookAgainMs } from '../operator/cluster-refusal.ts';
import { StepHalted, problem } from './step-halted.ts';
import { controllerName, machines, type Machine, type MachineStatus } from './machine-types.ts';
import { ensureNamespace } from './children/namespace.ts';
import { ensureNetworks } from './children/networks.ts';
import type { ObservedTroubles } from './placement/observe.ts';
import type { MachineOperatorContext } from './operator.ts';
import { isPaused } from './pause.ts';
import { ensurePower, ensurePowerAlone } from './children/power.ts';
import { remove } from './removal.ts';
import { tellStatus, type MachineOutcome } from './status/report.ts';
import { ensureRestart } from './children/restart.ts';
import { bindNamespace } from './children/secret-rights.ts';
import { sourcesOf } from './sources.ts';
import { setDeleting } from './status/deleting.ts';
import { setPlacementDiffers } from './status/placement-differs.ts';
import { withTime } from './status/status.ts';
import { ensureDisks } from './children/storage.ts';
import { ensureVirtualMachine } from './children/virtual-machine.ts';
import { workOn, type MachineWork } from './work.ts';

/** What is remembered between reconciles. A new leader can do without all of it. */
export interface MachineMemory {
  readonly copies: Copies;
  readonly troubles: ObservedTroubles;
  readonly adoptions: Adoptions;
}

/** The maps are bounded, because a Machine that is deleted under another leader is never removed from them. */
const remembered = 20_000;

export function machineController(operator: MachineOperatorContext): Controller {
  const memory: MachineMemory = {
    copies: new BoundedMap(remembered),
    troubles: new ConditionAge(remembered),
    adoptions: new BoundedMap(remembered),
  };
  return createController({
    ...operator.instruments,
    name: controllerName,
    concurrency: operator.concurrency,
    // Shorter than the default, to give up a hanging cluster sooner.
    timeoutMs: 120_000,
    onSyncTimeout: 'wait',
    sources: (cluster) => sourcesOf(operator, cluster),
    reconcile: (request, context) =>
      operator.metrics.timed(controllerName, () => reconcile(operator, memory, request, context)),
  });
}

async function reconcile(
  operator: MachineOperatorContext,
  memory: MachineMemory,
  request: Request,
  context: ClusterContext,
): Promise<Result | void> {
  const { supervisor } = operator;
  const { namespace = '', name, cluster } = request;
  let again: number | undefined;
  const result = await reconcileObject<Machine>(
    {
      client: supervisor.client(context.term),
      type: machines,
      get() {
        const found = supervisor.machines.get({ namespace, name });
        return found?.status?.kubevirtConfigRef === cluster ? found : undefined;
      },
      paused: isPaused,
      finalizer,
      steps: [
        {
          name: 'declare',
          async run(round) {
            const silence = operator.silence(cluster);
            round.report(untold(round.object));
            if (silence !== undefined) {
              setPlacementDiffers(round.conditions, round.object);
              return { reason: 'ClusterUnavailable', message: silence, requeueAfterMs: lookAgainMs };
            }
            again = await declare(workOn(operator, round.object, context), memory, round);
            return undefined;
          },
        },
      ],
      async remove({ object }) {
        const removal = await remove(workOn(operator, object, context)).catch(heldUp);
        if (removal.done) forget(memory, object);
        return removal;
      },
      deleting: setDeleting,
      finish: withTime,
    },
    context,
  );
  return again === undefined ? result : { requeueAfterMs: again };
}

/** Reports a refusal of the cluster as the reason for the wait; an immediate retry cannot help. */
function heldUp(error: unknown): Removal {
  if (!(error instanceof StepHalted)) throw error;
  const { reason, message } = error.why;
  return { done: false, waitingFor: 'the cluster', left: [], reason, message };
}

function forget({ copies, troubles, adoptions }: MachineMemory, { metadata: { uid = '' } }: Machine): void {
  copies.delete(uid);
  adoptions.delete(uid);
  troubles.note(uid, undefined);
}

/**
 * The previous observed generation, which stays until every step is done. A guest that has shut down is started once
 * for each new generation, even if the first attempt failed or the cluster was not reachable.
 */
function untold({ status }: Machine): Pick<MachineStatus, 'phase' | 'observedGeneration'> {
  const { phase = 'Pending', observedGeneration = 0 } = status ?? {};
  return { phase, observedGeneration };
}

/** Resolves to the time after which to reconcile again even if no watch reports a change. */
async function declare(work: MachineWork, memory: MachineMemory, round: Round<Machine>): Promise<number | undefined> {
  const { object: machine, report } = round;
  const outcome = await take(work, memory);
  if (outcome.halt === undefined) report({ observedGeneration: machine.metadata.generation ?? 0 });
  return tellStatus(work, memory.troubles, round, outcome);
}

async function take(work: MachineWork, { copies, adoptions }: MachineMemory): Promise<MachineOutcome> {
  let outcome: MachineOutcome = {};
  try {
    outcome = { resolved: resolvedOf(work) };
    await ensureNamespace(work);
    await bindNamespace(work);
    await adoptVirtualMachine(work);
    await finishAdoption(work, adoptions);
    // Includes what was adopted just now.
    const resolved = resolvedOf(work);
    outcome = { resolved };
    const networks = await ensureNetworks(work, resolved);
    outcome = { resolved, networks };
    const attached = await ensureDisks(work, resolved);
    outcome = { resolved, networks, attached };
    const cloudInit = await ensureCloudInit(work, resolved, copies);
    const vm = await ensureVirtualMachine(work, resolved, { networks, cloudInit });
    if (cloudInit.secret === undefined) await dropCloudInitSecret(work, resolved);
    await ensurePower(work, resolved, vm);
    await ensureRestart(work, resolved, vm);
    return outcome;
  } catch (error) {
    if (!(error instanceof StepHalted)) throw error;
    await ensurePowerAlone(work).catch(unlessHalted);
    return { ...outcome, halt: error };
  }
}

function resolvedOf(work: MachineWork): ResolvedMachine {
  const resolution = resolveSpec(work.machine.spec, settingsOf(work));
  if ('problem' in resolution) throw problem('spec', resolution.problem);
  return resolution.resolved;
}

/** The first problem is already reported. A failure to change the power state is not reported in addition. */
function unlessHalted(error: unknown): void {
  if (!(error instanceof StepHalted)) throw error;
}
