/**
 * Groups below k8s.io and kubernetes.io belong to the Kubernetes community: a definition there must state its approval.
 */
import { goQuote } from '../schema/go/go-text.ts';

export const approvalAnnotation = 'api-approved.kubernetes.io';

export type ApprovalState = 'Approved' | 'Bypassed' | 'Missing' | 'Invalid';

export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

export function approvalOf(annotations: { [key: string]: string } | undefined): {
  state: ApprovalState;
  reason: string;
} {
  const text = annotations?.[approvalAnnotation] ?? '';
  const must = `protected groups must have approval annotation ${goQuote(approvalAnnotation)}`;
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (text === '') return { state: 'Missing', reason: `${must}, ${see}` };
  if (text.startsWith('unapproved')) return { state: 'Bypassed', reason: `not approved: ${goQuote(text)}` };
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]+/.test(text)) return { state: 'Approved', reason: `approved in ${text}` };
  return { state: 'Invalid', reason: `${must} with either a URL or a reason starting with "unapproved", ${see}` };
}
