/** The status of a KubevirtConfig out of what was found. */
import { Conditions, type Finding } from '../kube/reconcile/conditions.ts';
import type { KubevirtConfig, KubevirtConfigStatus } from './kubevirt-config.ts';
import type { Assessment, Observation } from './observation.ts';
import { conditionTypes, reasons } from './reasons.ts';

/** Other people's words are part of it. */
const longestMessage = 4000;

export function statusOf(
  config: KubevirtConfig,
  seen: Observation,
  { phase, status, message, findings }: Assessment,
  date: Date,
): KubevirtConfigStatus {
  const { generation } = config.metadata;
  const conditions = new Conditions(config.status?.conditions, { date, generation });
  // There only while it is true.
  conditions.drop(conditionTypes.duplicate);
  for (const one of findings) conditions.set(one.type, one.status, one.reason, one.message);
  const identity = config.status?.identity ?? seen.identity;
  const { kubernetesVersion, kubeVirt } = seen.survey ?? {};
  // What is not known now was true when it was last seen: it is not taken away.
  return {
    ...config.status,
    phase,
    status,
    message: message.slice(0, longestMessage),
    // Who was first at the cluster has put it down, maybe another process just now: it is not overwritten from here.
    ...(identity === undefined ? {} : { identity }),
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    ...(kubeVirt?.version === undefined ? {} : { kubevirtVersion: kubeVirt.version }),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    conditions: conditions.list(),
  };
}

/** The status with that one condition as it was found, or without it where nothing was: all else, of other writers too, stays. */
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

/** How many users a message names. */
const named = 5;

export function inUseFinding(type: string, users: readonly string[] | Error): Finding | undefined {
  if (users instanceof Error) {
    const message = `cannot find out who uses the cluster: ${users.message}. It stays until that is known`;
    return { type, status: 'Unknown', reason: reasons.usersUnknown, message };
  }
  if (users.length === 0) return undefined;
  const rest = users.length > named ? ` and ${users.length - named} more` : '';
  const message = `the cluster stays while it is used by ${users.slice(0, named).join(', ')}${rest}: delete them first`;
  return { type, status: 'True', reason: reasons.usersLeft, message };
}
