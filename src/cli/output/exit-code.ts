/** How the user's commands end. They are documented in docs/tenant/cli.md; scripts go by them, so their meaning stays. */
export const exitCodes = {
  done: 0,
  /** Refused, or what was checked is not as it should be. */
  failed: 1,
  /** The command line itself. */
  usage: 2,
  /** There is no session, or it has ended and could not be renewed. */
  notLoggedIn: 3,
  /** Nothing of that name, or several. */
  notFound: 4,
  /** The server cannot be reached, is not believed, or cannot answer just now. */
  unavailable: 5,
  /** The task that was waited for ended otherwise than with success. */
  taskFailed: 6,
  /** The time of --wait is up; the task goes on. */
  timeout: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What each means, for the help and the reference page. */
export const exitCodeTexts: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.done, 'done'],
  [exitCodes.failed, 'refused by the server, or what was checked is not as it should be'],
  [exitCodes.usage, 'the command line is wrong'],
  [exitCodes.notLoggedIn, 'not logged in, or the session has ended: `ssvirt login`'],
  [exitCodes.notFound, 'nothing has that name, or several have it'],
  [exitCodes.unavailable, 'the server cannot be reached, its certificate is not believed, or it cannot answer now'],
  [exitCodes.taskFailed, 'the task that was waited for failed, or was canceled'],
  [exitCodes.timeout, 'the time of `--wait` is up; the task goes on'],
  [exitCodes.interrupted, 'ended by Ctrl-C'],
];

export function exitCodeLines(): string {
  return exitCodeTexts.map(([code, text]) => `  ${String(code).padEnd(4)} ${text.replaceAll('`', '"')}`).join('\n');
}
