/**
 * PostgreSQL does not notice when the process that started it dies. So a small shell runs between the two: it starts
 * the server and reads a pipe that we keep open. When the pipe closes, however we ended, it stops the server and
 * removes throw-away data.
 */
export const guardName = 'ssvirt-postgres-guard';

/**
 * `sh -c script guardName OWNER ACTION HOME postgres …`, with the pipe as descriptor 3; OWNER is the pid of this
 * process, ACTION is `keep` or `remove`.
 */
export const guardScript = `
action=$2 home=$3
shift 3
"$@" 3<&- &
server=$!
(
  read -r _ <&3
  # From here on it is not called off when the server has ended.
  trap '' TERM
  kill -INT $server
  left=30
  while kill -0 $server && [ $left -gt 0 ]; do sleep 1; left=$((left - 1)); done
  kill -KILL $server
  [ "$action" = keep ] || rm -rf "$home"
) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait $server
code=$?
kill $watcher 2>/dev/null
exit $code
`;

/** `isGuardOf` returns whether a command line is that of a guard with this owner. */
export function isGuardOf(command: string, owner: number): boolean {
  return command.includes(` ${guardName} ${owner} `);
}
