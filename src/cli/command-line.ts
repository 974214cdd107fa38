/** `--wait` may stand alone before a name: to the parser it is given with an empty value then, so that it takes nothing that comes behind it. */
export function commandLine(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return args.map((arg, at) => (arg === '--wait' && (end < 0 || at < end) ? '--wait=' : arg));
}
