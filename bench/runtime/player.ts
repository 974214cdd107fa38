/** `Player` is a measured process: it reads commands line by line and answers with lines of JSON. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface PlayerEvent {
  readonly event: string;
  readonly ms?: number | readonly number[] | null;
  readonly text?: string;
}

const patience = 300_000;

export class Player {
  readonly name: string;
  readonly #child: ChildProcess;
  #events: PlayerEvent[] = [];
  #wake: () => void = () => undefined;
  #errors = '';
  readonly began = performance.now();

  constructor(name: string, command: string, args: readonly string[]) {
    this.name = name;
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-4000);
    });
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      this.#events.push(JSON.parse(line) as PlayerEvent);
      this.#wake();
    });
    this.#child.once('exit', () => this.#wake());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  send(command: string): void {
    this.#child.stdin?.write(`${command}\n`);
  }

  /** Returns and removes the received events of this kind. */
  take(name: string): readonly PlayerEvent[] {
    const taken = this.#events.filter(({ event }) => event === name);
    this.#events = this.#events.filter(({ event }) => event !== name);
    return taken;
  }

  /** Resolves to the next event of this name. */
  async until(name: string): Promise<PlayerEvent> {
    const deadline = performance.now() + patience;
    for (;;) {
      const index = this.#events.findIndex(({ event }) => event === name);
      if (index >= 0) return this.#events.splice(index, 1)[0] as PlayerEvent;
      const ended = this.#child.exitCode !== null || this.#child.signalCode !== null;
      if (ended || performance.now() > deadline)
        throw new Error(`${this.name} ${ended ? 'ended' : 'took too long'} before "${name}":\n${this.#errors}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        this.#wake = (): void => (clearTimeout(timer), resolve());
      });
    }
  }

  async ask(command: string, answer: string): Promise<PlayerEvent> {
    this.send(command);
    return this.until(answer);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(timer);
  }
}
