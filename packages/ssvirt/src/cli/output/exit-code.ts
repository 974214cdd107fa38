/**
 * The exit codes of the user commands. docs/tenant/cli.md documents them, and scripts rely on them, so their meaning is
 * fixed.
 */
export const exitCodes = {
  done: 0,
  /** The request was refused, or a check found a problem. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** There is no session, or it has expired and could not be renewed. */
  notLoggedIn: 3,
  /** No object has that name, or several do. */
  notFound: 4,
  /** The server cannot be reached, is not trusted, or cannot answer at the moment. */
  unavailable: 5,
  /** The awaited task ended without success, or the VM or vApp has failed. */
  taskFailed: 6,
  /** --wait timed out; the task continues. */
  timeout: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** `exitCodeTexts` is the meaning of each, for the help and the reference page. */
export const exitCodeTexts: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.done, 'done'],
  [exitCodes.failed, 'the server rejected the request, or a check failed'],
  [exitCodes.usage, 'the command line is not valid'],
  [exitCodes.notLoggedIn, 'not logged in, or the session has expired: run `ssvirt login`'],
  [exitCodes.notFound, 'the name does not exist, or is ambiguous'],
  [
    exitCodes.unavailable,
    'the server cannot be reached, its certificate is not trusted, or it is temporarily unavailable',
  ],
  [exitCodes.taskFailed, 'the task failed or was canceled, or what was waited for has failed'],
  [exitCodes.timeout, 'the timeout of `--wait` passed; the task continues'],
  [exitCodes.interrupted, 'ended by Ctrl-C'],
];

export function exitCodeLines(): string {
  return exitCodeTexts.map(([code, text]) => `  ${String(code).padEnd(4)} ${text.replaceAll('`', '"')}`).join('\n');
}
