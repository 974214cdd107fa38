/**
 * Computes the status of an order: phase and facts for programs, and conditions that describe the situation to a tenant
 * in sentences.
 */
import { known } from '../../facts/reading.ts';
import type { Finding } from '../../machine/status.ts';
import { findingsOf } from './findings.ts';
import { machineState } from '../machine-state.ts';
import type { OrderObservation } from '../observation.ts';
import { phaseOf } from './phase.ts';
import type { OrderFacts } from '../resource.ts';

export type { ChildState, OrderObservation } from '../observation.ts';

/** Without tenantReference, which others write. All other absent fields must be removed from the status. */
export type ReportedFacts = Omit<OrderFacts, 'tenantReference'>;

export interface OrderReport {
  readonly facts: ReportedFacts;
  /** All our conditions; those of ours that are not listed must be removed. */
  readonly findings: readonly Finding[];
}

export function orderStatus(seen: OrderObservation): OrderReport {
  const machine = machineState(seen);
  const phase = phaseOf(seen, machine);
  return { facts: factsOf(seen, phase), findings: findingsOf(seen, machine, phase) };
}

function factsOf(seen: OrderObservation, phase: NonNullable<OrderFacts['phase']>): ReportedFacts {
  const { name, tenantNamespace, vm, observation } = seen;
  const addresses = observation?.ipAddresses ?? [];
  return known<ReportedFacts>({
    phase,
    desiredConfigVersion: seen.desired,
    reconciledConfigVersion: seen.reconciled,
    reconciledSpecVersion: seen.reconciledSpecVersion,
    virtualMachineReference:
      vm === undefined ? undefined : { namespace: tenantNamespace, kubeVirtVirtualMachineName: seen.vmName ?? name },
    provisionedBy: seen.provisionedBy,
    fallbackConfigVersion: seen.fallbackConfigVersion,
    ipAddresses: addresses.length === 0 ? undefined : addresses,
    loadBalancerAddress: seen.loadBalancerAddress,
    webhook: seen.webhook,
  });
}
