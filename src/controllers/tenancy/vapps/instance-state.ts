/** How far a TemplateInstance has come. Both ends are final: OpenShift does not try a failed one again. */
import { templateInstanceFacts } from '../../../virt/facts/template-instance.ts';
import { observeTemplateInstance } from '../../../virt/status/template-instance.ts';
import type { TaskFailure } from '../../../db/claimed-tasks.ts';
import type { TemplateInstance } from './kinds.ts';

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

/** An instance that nobody works on is not waited for any longer than this. */
const patienceMs = 30_000;

/**
 * What an instance makes while it goes would be nobody's: OpenShift holds it only when it has made everything, and writes down what that is only then. It has
 * had the time for it since then.
 */
export function isAtWork(instance: TemplateInstance, since: Date): boolean {
  const { finalizers = [], deletionTimestamp } = instance.metadata;
  if (finalizers.length > 0 || deletionTimestamp !== undefined) return false;
  return instanceState(instance).state === 'running' && Date.now() - since.getTime() < patienceMs;
}

const rights =
  'It could not be created from its template: the service account of the api-server lacks a right in the cluster to make what the template asks for; deploy/rbac names those that it needs.';

/** The name of the service account is nothing for tenants. */
function lacksRights(words: string): boolean {
  return /unable to authorize user|is forbidden: User "/.test(words);
}
