/** A kubeconfig that cannot be used: which field, and what to do about it. Never what stands in a field that may be secret. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
  /** `users[admin].user.exec`; empty where it is about the whole document. */
  readonly field: string;
  readonly reason: string;
  /** Where it was read from, if from a file. */
  readonly file: string | undefined;

  constructor(field: string, reason: string, file?: string) {
    const subject = file === undefined ? 'the kubeconfig' : `the kubeconfig ${file}`;
    super(`cannot use ${subject}: ${field === '' ? '' : `${field}: `}${reason}`);
    this.field = field;
    this.reason = reason;
    this.file = file;
  }
}

const LONGEST = 100;

/**
 * A value that is no secret, for a message: quoted, without control characters. In a broken document a token may have become a name, so of a long
 * one only the beginning is shown.
 */
export function shown(value: string): string {
  return JSON.stringify(value.length > LONGEST ? `${value.slice(0, 20)}…` : value);
}

/** A name as part of a field's path. */
export function label(name: string): string {
  return /^[\w.:@/+-]+$/.test(name) && name.length <= LONGEST ? name : shown(name);
}
