/** Contenders as child processes, and their events. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { throwAwayFolder, writeKubeconfig, type Credentials } from '../cluster/cluster.ts';
import { processGroup, type Started } from '../cluster/processes.ts';
import { until } from '../runtime/until.ts';
import { patience, type Said, type Settings } from './settings.ts';

const program = fileURLToPath(new URL('contender.ts', import.meta.url));

export class Contender {
  readonly identity: string;
  readonly said: Said[] = [];
  readonly #started: Started;
  #log = '';

  readonly #unblocking: string;

  constructor({ identity, unblocking }: Settings, started: Started) {
    this.identity = identity;
    this.#unblocking = unblocking;
    this.#started = started;
    started.child.stderr?.on('data', (chunk: Buffer) => (this.#log += chunk.toString()));
    let rest = '';
    started.child.stdout?.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.said.push(JSON.parse(line) as Said);
    });
  }

  get ended(): boolean {
    return this.#started.child.exitCode !== null || this.#started.child.signalCode !== null;
  }

  /** When this first appeared in its log. */
  logged(message: string): number | undefined {
    const line = this.#log.split('\n').find((text) => text.includes(`"msg":"${message}`));
    return line === undefined ? undefined : (JSON.parse(line) as { readonly time: number }).time;
  }

  /** Stops the whole process in the middle of its work, until SIGCONT. */
  freeze(): void {
    this.signal('SIGHUP');
  }

  /** Blocks its event loop, in the middle of its work, until unblock(). */
  block(): void {
    this.signal('SIGUSR2');
  }

  async unblock(): Promise<void> {
    await writeFile(this.#unblocking, '');
  }

  /** The exit code, or the signal that ended it. */
  async end(): Promise<number | NodeJS.Signals | null> {
    await until(`${this.identity} has ended`, () => this.ended, patience);
    await this.#started.ended;
    return this.#started.child.exitCode ?? this.#started.child.signalCode;
  }

  signal(name: NodeJS.Signals): void {
    if (this.#started.child.kill(name)) return;
    throw new Error(`cannot send ${name} to ${this.identity}: it has ended\n${this.#started.tail()}`);
  }

  /** Resolves at the next event of this kind. */
  async next(did: Said['did']): Promise<void> {
    const count = (): number => this.said.filter((one) => one.did === did).length;
    const before = count();
    await this.until(`${did} again`, () => count() > before);
  }

  async until(what: string, probe: () => boolean): Promise<void> {
    const orEnded = (): boolean => {
      if (probe()) return true;
      if (this.ended) throw new Error(`it has ended\n${this.#started.tail()}`);
      return false;
    };
    await until(`${this.identity} ${what}`, orEnded, patience);
  }
}

export interface Contenders {
  start(identity: string, settings: Partial<Settings> & { readonly through: Credentials }): Promise<Contender>;
  stop(): Promise<void>;
}

export async function contenders(namespace: string): Promise<Contenders> {
  const folder = await throwAwayFolder('ssvirt-leadership-');
  const group = processGroup(folder.path);
  const all: Contender[] = [];
  return {
    async start(identity, { through, ...more }) {
      const kubeconfig = await writeKubeconfig(join(folder.path, `${identity}.kubeconfig`), through);
      const unblocking = join(folder.path, `${identity}.unblocked`);
      const usual = { fences: 'term,version', unblocking, stubborn: false } as const;
      const settings: Settings = { kubeconfig, namespace, identity, ...usual, ...more };
      const env = { ...process.env, CONTENDER: JSON.stringify(settings) };
      const contender = new Contender(settings, group.start(identity, process.execPath, [program], env));
      all.push(contender);
      return contender;
    },
    async stop() {
      // A process that is stopped by SIGSTOP receives no other signal.
      for (const contender of all) if (!contender.ended) contender.signal('SIGKILL');
      await group.stop();
      await folder.remove();
    },
  };
}
