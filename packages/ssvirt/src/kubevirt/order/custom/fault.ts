/** One fault of an order template, as a sentence. */
import type { OrderProblem } from '../resource.ts';

export type TemplateFaultReason = 'ForbiddenKind' | 'InvalidTemplate';

export interface TemplateFault {
  readonly reason: TemplateFaultReason;
  /** The place, the fault there, and what to do. */
  readonly message: string;
}

export function invalid(where: string, message: string): TemplateFault {
  return { reason: 'InvalidTemplate', message: `${where} ${message}.` };
}

const MOST_TOLD = 10;

export function faultSummary(faults: readonly TemplateFault[]): string {
  const messages = faults.slice(0, MOST_TOLD).map(({ message }) => message);
  const more = faults.length - messages.length;
  return [...messages, ...(more > 0 ? [`There is more that is wrong: ${more} places.`] : [])].join(' ');
}

/** `faultyTemplate` returns the problem that an order reports. */
export function faultyTemplate(templateID: string, faults: readonly TemplateFault[]): OrderProblem {
  const message = `The template "${templateID}" cannot be used, and nothing is created from it: ${faultSummary(faults)} The author of the template must correct it.`;
  return { reason: 'InvalidTemplate', message };
}
