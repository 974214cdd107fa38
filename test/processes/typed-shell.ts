/** An interactive shell: each command runs in the state that those before it have left, and has its own exit code. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';

export interface Typed {
  readonly status: number;
  /** Both of its outputs, in order of arrival. */
  readonly output: string;
}

const mark = 'typed-shell-end-of-command';
const limitMs = 240_000;

export class TypedShell {
  readonly #shell: ChildProcessWithoutNullStreams;
  #output = '';

  constructor(cwd: string, env: NodeJS.ProcessEnv = process.env) {
    this.#shell = spawn('sh', { cwd, env, stdio: 'pipe' });
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
  }

  async type(command: string): Promise<Typed> {
    this.#output = '';
    this.#shell.stdin.write(`${command}\nprintf '\\n%s %s\\n' ${mark} "$?"\n`);
    const signal = AbortSignal.timeout(limitMs);
    const end = new RegExp(`\n${mark} (\\d+)\n`);
    for (;;) {
      const found = end.exec(this.#output);
      if (found !== null) return { status: Number(found[1]), output: this.#output.slice(0, found.index) };
      if (this.#shell.exitCode !== null) throw new Error(`the shell has ended at ${command}\n${this.#output}`);
      await once(this.#shell.stdout, 'data', { signal });
    }
  }

  async close(): Promise<void> {
    const ended = once(this.#shell, 'exit');
    this.#shell.stdin.end();
    await ended;
  }
}

/** The commands that `ssvirt dev` suggests, as a user would copy them. */
export function printedCommands(printed: string): readonly string[] {
  const [, tour = ''] = /^Try these (.*)^Stop with/ms.exec(printed) ?? [];
  const commands: string[] = [];
  for (const line of tour.split('\n'))
    if (/^ {2}\S/.test(line)) commands.push(line);
    else if (line.startsWith('   ')) commands[commands.length - 1] += `\n${line}`;
  return commands;
}
