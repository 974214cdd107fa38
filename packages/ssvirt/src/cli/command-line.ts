/**
 * `--wait` may appear without a value before a name. It is rewritten to an empty value, so that the parser does not
 * take the next argument as its value.
 */
export function commandLine(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return args.map((arg, at) => (arg === '--wait' && (end < 0 || at < end) ? '--wait=' : arg));
}
