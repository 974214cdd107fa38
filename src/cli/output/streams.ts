/** What was asked for goes to stdout and nothing else does: whoever pipes it gets what they can parse. */
import { plain } from './plain.ts';

export function say(text: string): void {
  process.stdout.write(text);
}

/** Everything but what was asked for. */
export function note(line: string): void {
  process.stderr.write(`${line.split('\n').map(plain).join('\n')}\n`);
}
