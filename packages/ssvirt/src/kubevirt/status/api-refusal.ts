/** Classifies an API server's refusal of a write by its code and its message. */

export type RefusalSubject =
  /** The object itself: only another spec, or another policy in the cluster, is accepted. */
  | 'spec'
  | 'quota'
  /** Our identity has no permission. */
  | 'rights'
  /** The object cannot be changed for the time being. */
  | 'busy'
  | 'other';

/** `ApiAnswer` holds the fields of a `Status`, and the HTTP code. */
export interface ApiAnswer {
  readonly code?: number | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly causes?: readonly { readonly reason?: string }[];
}

/** `refusalSubject` classifies 400, 403 and 422; every other code is `other`. */
export function refusalSubject({ code, reason, message = '', causes = [] }: ApiAnswer): RefusalSubject {
  if (code !== 400 && code !== 403 && code !== 422) return 'other';
  if (/(exceeded|failed|unknown for) quota\b/.test(message)) return 'quota';
  if (causes.some((cause) => cause.reason === 'NamespaceTerminating')) return 'busy';
  // A snapshot or a restore locks a VM for some seconds.
  if (/ until (snapshot|restore) "[^"]*" completes/.test(message)) return 'busy';
  if (isDenial(message)) return 'spec';
  if (code === 403) return / is forbidden: User "/.test(message) ? 'rights' : 'other';
  // A proxy in front of the API server answers without a reason: its 400 is not about the object.
  return reason === undefined ? 'other' : 'spec';
}

/**
 * Webhooks and policies choose the code themselves; a webhook that chooses none gives 403. LimitRanges give 403, too.
 */
const denials: readonly RegExp[] = [
  /admission webhook "[^"]+" denied the request/,
  /ValidatingAdmissionPolicy '[^']+' .*denied request/,
  / is forbidden: .*(maximum|minimum) \S+ usage per /,
];

function isDenial(message: string): boolean {
  return denials.some((denial) => denial.test(message));
}
