/**
 * Whether the objects of a template have been created. Both outcomes are final: OpenShift does not retry a failed one.
 */
import type { TemplateInstanceFacts } from '../facts/template-instance.ts';
import { because, fault } from './faults.ts';
import { refusal } from './refusal.ts';

export interface TemplateInstanceObservation {
  readonly creation: 'running' | 'done' | 'failed';
  readonly fault?: string;
}

export function observeTemplateInstance({ ready, failure }: TemplateInstanceFacts): TemplateInstanceObservation {
  if (failure !== undefined) {
    const reason = refusal(failure);
    const unknown = `It could not be created from its template${because(failure.message)}.`;
    return {
      creation: 'failed',
      fault: reason.reason === 'REFUSED' ? fault('REFUSED', unknown).sentence : reason.sentence,
    };
  }
  return { creation: ready === true ? 'done' : 'running' };
}
