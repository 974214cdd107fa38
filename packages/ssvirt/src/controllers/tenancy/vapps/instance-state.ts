/** The progress of a TemplateInstance. Both results are final: OpenShift does not retry a failed one. */
import { templateInstanceFacts } from '../../../kubevirt/facts/template-instance.ts';
import { observeTemplateInstance } from '../../../kubevirt/status/template-instance.ts';
import type { TaskFailure } from '../../../db/work-queue/claimed-tasks.ts';
import type { TemplateInstance } from '../../../fleet/kinds.ts';

export type InstanceState =
  | { readonly state: 'running' | 'ready' }
  | { readonly state: 'failed'; readonly failure: TaskFailure };

export function instanceState(instance: TemplateInstance): InstanceState {
  const facts = templateInstanceFacts(instance);
  const { creation, fault = 'It could not be created from its template.' } = observeTemplateInstance(facts);
  if (creation !== 'failed') return { state: creation === 'done' ? 'ready' : 'running' };
  const words = facts.failure?.message ?? '';
  return { state: 'failed', failure: { minorErrorCode: 'CONFLICT', message: lacksRights(words) ? rights : fault } };
}

/** The longest wait for an instance that makes no progress. */
const patienceMs = 30_000;

/**
 * Whether the instance may still be creating objects. Objects that it creates while it is deleted would become orphans:
 * OpenShift sets its finalizer and records the objects only after it has created everything. The wait for that is
 * counted from `since`.
 */
export function isAtWork(instance: TemplateInstance, since: Date): boolean {
  const { finalizers = [], deletionTimestamp } = instance.metadata;
  if (finalizers.length > 0 || deletionTimestamp !== undefined) return false;
  return instanceState(instance).state === 'running' && Date.now() - since.getTime() < patienceMs;
}

const rights =
  'It could not be created from its template: the service account of the api-server lacks a right in the cluster to create the objects of the template; deploy/rbac lists the rights that it needs.';

/** The name of the service account must not be shown to tenants. */
function lacksRights(words: string): boolean {
  return /unable to authorize user|is forbidden: User "/.test(words);
}
