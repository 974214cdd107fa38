/** Builds the status of a KubevirtConfig from the observation. */
import { defined } from '@ssvirt/base/values/defined';
import { Conditions, type Finding } from '@ssvirt/kube/reconcile/conditions';
import type { KubevirtConfig, KubevirtConfigStatus } from './kubevirt-config.ts';
import type { MemberAssessment, Observation } from '../health/observation.ts';
import { conditionTypes, reasons } from './reasons.ts';

/** The message includes text from other systems, which may be long. */
const longestMessage = 4000;

export function statusOf(
  config: KubevirtConfig,
  seen: Observation,
  { phase, status, message, findings }: MemberAssessment,
  date: Date,
): KubevirtConfigStatus {
  const { generation } = config.metadata;
  const conditions = new Conditions(config.status?.conditions, { date, generation });
  // This condition exists only while it is true.
  conditions.drop(conditionTypes.duplicate);
  for (const one of findings) conditions.set(one.type, one.status, one.reason, one.message);
  const identity = config.status?.identity ?? seen.identity;
  const { kubernetesVersion, kubeVirt } = seen.probe ?? {};
  // A value that is unknown now keeps its last observed value.
  return {
    ...config.status,
    phase,
    status,
    message: message.slice(0, longestMessage),
    // The first process that reached the cluster has recorded this, maybe just now. It is not overwritten here.
    ...defined({ identity, kubernetesVersion, kubevirtVersion: kubeVirt?.version, observedGeneration: generation }),
    conditions: conditions.list(),
  };
}

/**
 * Sets one condition, or removes it if `found` is undefined. Everything else in the status is kept, including what
 * other writers set.
 */
export function withCondition(
  config: KubevirtConfig,
  status: KubevirtConfigStatus,
  type: string,
  found: Finding | undefined,
  date: Date,
): KubevirtConfigStatus {
  const conditions = new Conditions(status.conditions, { date, generation: config.metadata.generation });
  if (found === undefined) conditions.drop(type);
  else conditions.set(type, found.status, found.reason, found.message);
  return conditions.changed ? { ...status, conditions: conditions.list() } : status;
}

/** The maximum number of users that a message names. */
const named = 5;

export function inUseFinding(type: string, users: readonly string[] | Error): Finding | undefined {
  if (users instanceof Error) {
    const message = `cannot determine what uses the cluster: ${users.message}. It is kept until that is known`;
    return { type, status: 'Unknown', reason: reasons.usersUnknown, message };
  }
  if (users.length === 0) return undefined;
  const rest = users.length > named ? ` and ${users.length - named} more` : '';
  const message = `the cluster stays while it is used by ${users.slice(0, named).join(', ')}${rest}: delete them first`;
  return { type, status: 'True', reason: reasons.usersLeft, message };
}
