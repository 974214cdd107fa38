/** Why an order is not provisioned, or not yet; each message says what to do. */
import { annotations, type Mode, type OrderProblem, type WebhookRecord } from './resource.ts';
import { shown } from './shown.ts';

const annotation = annotations.managedBy;

export function unknownManagedBy(value: string): OrderProblem {
  return {
    reason: 'UnknownManagedBy',
    message: `The annotation ${annotation} is ${shown(value)}: set it to "controller" or "aap", or remove it. Nothing is done until then.`,
  };
}

export function floatingIp(templateID: string): OrderProblem {
  return {
    reason: 'FloatingIPTemplate',
    message: `The template ${shown(templateID)} has a floating IP, which only AAP can provide: set the annotation ${annotation} to "aap", or remove it.`,
  };
}

export function unsupported(templateID: string): OrderProblem {
  return {
    reason: 'UnsupportedTemplate',
    message: `The template ${shown(templateID)} is neither built in nor an OrderTemplate of this cluster: correct spec.templateID, or leave the order to AAP by the annotation ${annotation}: aap.`,
  };
}

export function unknownToAap(templateID: string, asked: Mode): OrderProblem {
  const why =
    asked === 'aap'
      ? `and this order has been left to AAP so far: set the annotation ${annotation} to "controller"`
      : 'and controller mode is switched off here: ask an administrator to switch it on';
  return {
    reason: 'UnsupportedTemplate',
    message: `The template ${shown(templateID)} is an OrderTemplate, which AAP does not know, ${why}.`,
  };
}

export function waitingForAap(webhook: WebhookRecord | undefined): string {
  const version = webhook?.acceptedConfigVersion ?? webhook?.configVersion ?? '';
  return `A job of AAP for config version ${shown(version)} may be running: the controller takes over when AAP has reported it, or has been quiet for long enough.`;
}
