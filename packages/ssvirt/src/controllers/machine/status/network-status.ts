/**
 * Reports in the status of a NetworkConfiguration where it exists, derived from the status of its Machines. The
 * Machines share it, so this controller neither creates nor deletes networks.
 */
import { defined } from '@ssvirt/base/values/defined';
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped, enqueueObject, type Target } from '@ssvirt/kube/controller/handlers';
import type { Predicate } from '@ssvirt/kube/controller/predicates';
import type { Request } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import { keyOf } from '@ssvirt/kube/object';
import { Conditions, findCondition } from '@ssvirt/kube/reconcile/conditions';
import { isDeleting } from '@ssvirt/kube/reconcile/finalizers';
import { patchStatus } from '@ssvirt/kube/reconcile/status-patch';
import { attachmentName } from '../../../kubevirt/machine/names.ts';
import { conditions as types } from '../../../kubevirt/machine/resource.ts';
import { networkConfigurations, type Machine, type NetworkConfigurationStatus } from '../machine-types.ts';
import type { MachineOperatorContext } from '../operator.ts';
import { byNetwork, networkNames } from '../supervisor.ts';

/** The limit of the CRD for this list. */
const mostPlaces = 1024;

export function networkStatusController(operator: MachineOperatorContext): Controller {
  const { supervisor } = operator;
  return createController({
    ...operator.instruments,
    name: 'network-configuration',
    concurrency: 1,
    timeoutMs: 60_000,
    onSyncTimeout: 'wait',
    sources: () => [
      watches(supervisor.networks, enqueueObject),
      watches(supervisor.machines, enqueueMapped(networksOf), concernsNetworks),
    ],
    reconcile: (request, context) =>
      operator.metrics.timed('network-configuration', () => reconcile(operator, request, context)),
  });
}

function networksOf(machine: Machine): readonly Target[] {
  const { namespace = '' } = machine.metadata;
  return networkNames(machine).map((name) => ({ namespace, name }));
}

/** Machines change all the time, but rarely in anything that concerns their networks. */
const concernsNetworks: Predicate<Machine> = (change) =>
  change.type !== 'updated' ||
  change.before.metadata.generation !== change.object.metadata.generation ||
  change.before.status?.kubevirtConfigRef !== change.object.status?.kubevirtConfigRef ||
  networkReady(change.before)?.status !== networkReady(change.object)?.status ||
  networkReady(change.before)?.message !== networkReady(change.object)?.message;

function networkReady({ status }: Machine): ReturnType<typeof findCondition> {
  return findCondition(status?.conditions, types.networkReady);
}

async function reconcile(
  operator: MachineOperatorContext,
  request: Request,
  { signal, term }: ClusterContext,
): Promise<void> {
  const { supervisor } = operator;
  const { namespace = '', name } = request;
  const network = supervisor.networks.get({ namespace, name });
  if (network === undefined || isDeleting(network)) return;
  const users = supervisor.machines.byIndex(byNetwork, keyOf({ namespace, name }));
  const { generation } = network.metadata;
  const conditions = new Conditions(network.status?.conditions, { date: new Date(), generation });
  const { phase, reason, message } = judge(users);
  conditions.set(types.ready, phase === 'Ready' ? 'True' : 'False', reason, message);
  const status: NetworkConfigurationStatus = {
    ...network.status,
    phase,
    networks: placesOf(users, namespace, attachmentName(name)),
    ...defined({ observedGeneration: generation }),
    conditions: conditions.list(),
  };
  await patchStatus(supervisor.client(term), networkConfigurations, network, status, { signal });
}

function judge(users: readonly Machine[]): {
  readonly phase: NonNullable<NetworkConfigurationStatus['phase']>;
  readonly reason: string;
  readonly message: string;
} {
  const failed = users.filter((machine) => networkReady(machine)?.status === 'False').map(keyOfMachine);
  if (failed.length > 0) {
    const some = `${failed.slice(0, 3).join(', ')}${failed.length > 3 ? ` and ${failed.length - 3} more` : ''}`;
    const message = `it could not be attached to ${some}: see the condition NetworkReady of the Machine`;
    return { phase: 'Failed', reason: 'NetworkFailed', message };
  }
  return users.some((machine) => networkReady(machine)?.status === 'True')
    ? { phase: 'Ready', reason: 'NetworkConfigured', message: 'it exists wherever a Machine uses it' }
    : { phase: 'Pending', reason: 'Unused', message: 'no Machine uses it yet' };
}

const keyOfMachine = ({ metadata }: Machine): string => `Machine "${keyOf(metadata)}"`;

function placesOf(
  users: readonly Machine[],
  namespace: string,
  attachment: string,
): NonNullable<NetworkConfigurationStatus['networks']> {
  const made = users.filter((machine) => networkReady(machine)?.status === 'True');
  const clusters = new Set(made.flatMap(({ status }) => status?.kubevirtConfigRef ?? []));
  return [...clusters]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .slice(0, mostPlaces)
    .map((kubevirtConfig) => ({ kubevirtConfig, namespace, attachment }));
}
