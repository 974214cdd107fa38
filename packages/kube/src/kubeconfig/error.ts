/**
 * `KubeconfigError` says which field of a kubeconfig is unusable and how to fix it. It never quotes a field that may be
 * secret.
 */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
  /** For example `users[admin].user.exec`; empty for the entire document. */
  readonly field: string;
  readonly reason: string;
  /** The file it was read from, if any. */
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
 `shown` * Quotes a value that is not secret for a message, without control characters. In a broken document a token may have
 * become a name, so of a long value only the beginning is shown.
 */
export function shown(value: string): string {
  return JSON.stringify(value.length > LONGEST ? `${value.slice(0, 20)}…` : value);
}

/** `label` returns a name as part of a field path. */
export function label(name: string): string {
  return /^[\w.:@/+-]+$/.test(name) && name.length <= LONGEST ? name : shown(name);
}
