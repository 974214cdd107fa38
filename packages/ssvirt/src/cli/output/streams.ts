/** Only the requested data goes to stdout, so that piped output can be parsed. */
import { plain } from './plain.ts';

export function say(text: string): void {
  process.stdout.write(text);
}

/** `note` prints everything else on stderr. */
export function note(line: string): void {
  process.stderr.write(`${line.split('\n').map(plain).join('\n')}\n`);
}
