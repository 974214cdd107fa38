/** The answers of KubeVirt's webhooks: 422 with causes for a faulty object, 400 for all other errors. */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import type { AdmissionAnswer } from '../../serving/contracts.ts';
import type { Cause } from './cause.ts';

export const allowed: AdmissionAnswer = { allowed: true };

export function allowedWith(warnings: readonly string[], patch?: readonly JsonPatchOperation[]): AdmissionAnswer {
  return {
    allowed: true,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(patch !== undefined && patch.length > 0 ? { patch } : {}),
  };
}

export function refused(causes: readonly Cause[]): AdmissionAnswer {
  return {
    allowed: false,
    code: 422,
    reason: 'Invalid',
    message: causes.map(({ message }) => message).join(', '),
    causes,
  };
}

/** Allowed if there are no causes. */
export const judged = (causes: readonly Cause[]): AdmissionAnswer => (causes.length > 0 ? refused(causes) : allowed);

/** The real webhook answers an error with the text and a code, without a reason. */
export const failed = (message: string, code = 400): AdmissionAnswer => ({ allowed: false, code, message });
