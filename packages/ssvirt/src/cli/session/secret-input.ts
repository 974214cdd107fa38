/**
 * Passwords and tokens come from a file, a pipe or the keyboard, but never from the command line, which every local
 * process can read.
 */
import { readFileSync } from 'node:fs';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

/** `-` is the standard input. The final line break is not part of the secret. */
export function secretFrom(file: string, what: string): string {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new CliFailure(
      `cannot read the ${what} from ${file === '-' ? 'standard input' : file}: ${why}.`,
      exitCodes.usage,
    );
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '')
    throw new CliFailure(`the ${what} in ${file === '-' ? 'standard input' : file} is empty.`, exitCodes.usage);
  return secret;
}

const enter = new Set(['\r', '\n']);
const erase = new Set(['\u007f', '\b']);
const interrupt = '\u0003';
const endOfInput = '\u0004';

/** `secretTyped` prompts on stderr, and does not echo the input. */
export async function secretTyped(question: string, orElse: string): Promise<string> {
  const { stdin } = process;
  if (!stdin.isTTY) throw new CliFailure(`there is no terminal to ask at: ${orElse}`, exitCodes.usage);
  process.stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  try {
    return await typed(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    process.stderr.write('\n');
  }
}

async function typed(stdin: NodeJS.ReadStream): Promise<string> {
  let secret = '';
  for await (const chunk of stdin.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    for (const key of chunk) {
      if (enter.has(key)) return secret;
      if (key === interrupt || (key === endOfInput && secret === ''))
        throw new CliFailure('the input was empty.', exitCodes.interrupted);
      if (erase.has(key)) secret = [...secret].slice(0, -1).join('');
      else secret += key;
    }
  }
  throw new CliFailure('the input ended before Enter.', exitCodes.usage);
}
