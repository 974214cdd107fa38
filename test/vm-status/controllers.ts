/** Controllers as child processes, each started again when it ends, as a Deployment would do it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { throwAwayFolder, writeKubeconfig, type Credentials } from '../cluster/cluster.ts';
import { kill, processGroup, type ProcessGroup, type Started } from '../cluster/processes.ts';
import { until } from '../runtime/until.ts';

const program = fileURLToPath(new URL('controller.ts', import.meta.url));

export interface ControllersOptions {
  readonly supervisor: Credentials;
  readonly databaseUrl: string;
  /** Whether one that ends is started again. */
  readonly again?: boolean;
  /** Keys of the section `controller`, besides those that make it quick. */
  readonly settings?: Readonly<Record<string, string>>;
  /** After how long a silent watch is given up; the usual 150 s unless said. */
  readonly silenceMs?: number;
}

/** Short enough for a test, long enough for a busy machine. */
const quick = { staleAfter: '1500ms', baseDelay: '200ms', maxDelay: '2s', maxRetries: '3' };
/** For what a process does first: on a starved machine its start alone takes half of it. */
const patienceMs = 60_000;
const anyPort = { healthAddr: '127.0.0.1:0', metricsAddr: '127.0.0.1:0' };

/** One that may be started again: what is asked of it goes to its present process. */
export class Controller {
  readonly name: string;
  readonly #start: (life: number) => Started;
  readonly #again: boolean;
  /** How the lives before ended: an exit code, or a signal. */
  readonly ends: (number | NodeJS.Signals | null)[] = [];
  #present: Started;
  #log = '';
  /** What the present life has written. */
  #life = { log: '' };
  #isStopping = false;

  constructor(name: string, start: (life: number) => Started, again: boolean) {
    this.name = name;
    this.#start = start;
    this.#again = again;
    this.#present = this.#live();
  }

  /** All that it has written. */
  get log(): string {
    return this.#log;
  }

  get pid(): number {
    return this.#present.child.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    this.#present.child.kill(name);
  }

  /** Ends it without a warning; another life follows where it is to. */
  async kill(): Promise<void> {
    await kill(this.#present);
  }

  /** For good. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await kill(this.#present);
  }

  async logs(message: string, deadlineMs = patienceMs): Promise<void> {
    const isThere = (): boolean => this.#log.includes(message);
    await until(`${this.name} says "${message}"`, isThere, { deadlineMs }).catch((error: unknown) => {
      throw new Error(`${this.name} has not said it:\n${this.#log.slice(-4000)}`, { cause: error });
    });
  }

  async ended(count = 1): Promise<number | NodeJS.Signals | null> {
    await until(`${this.name} has ended`, () => this.ends.length >= count, { deadlineMs: patienceMs });
    return this.ends[count - 1] ?? null;
  }

  /** Until the present process is up and asks for the Lease: before that it follows nobody. */
  async standsBy(): Promise<void> {
    const waits = (): boolean => this.#life.log.includes('waiting for the lease');
    await until(`${this.name} waits for the Lease`, waits, { deadlineMs: patienceMs });
  }

  #live(): Started {
    const started = this.#start(this.ends.length + 1);
    const life = { log: '' };
    this.#life = life;
    const keep = (chunk: Buffer): void => {
      this.#log = (this.#log + chunk.toString()).slice(-400_000);
      life.log = (life.log + chunk.toString()).slice(-400_000);
    };
    started.child.stderr?.on('data', keep);
    started.child.stdout?.on('data', keep);
    started.child.once('exit', (code, signal) => {
      this.ends.push(code ?? signal);
      if (this.#again && !this.#isStopping) this.#present = this.#live();
    });
    return started;
  }
}

export class Controllers {
  readonly #folder: Awaited<ReturnType<typeof throwAwayFolder>>;
  readonly #group: ProcessGroup;
  readonly #options: ControllersOptions;
  readonly all: Controller[] = [];
  #started = 0;

  private constructor(folder: Awaited<ReturnType<typeof throwAwayFolder>>, options: ControllersOptions) {
    this.#folder = folder;
    this.#group = processGroup(folder.path);
    this.#options = options;
  }

  static async open(options: ControllersOptions): Promise<Controllers> {
    return new Controllers(await throwAwayFolder('ssvirt-vm-status-'), options);
  }

  async start(): Promise<Controller> {
    const { supervisor, databaseUrl, again = false, settings, silenceMs } = this.#options;
    // Two may be started at once.
    const name = `controller-${++this.#started}`;
    const kubeconfig = await writeKubeconfig(join(this.#folder.path, `${name}.kubeconfig`), supervisor);
    const controllerSection = { kubeconfig, ...quick, ...anyPort, ...settings };
    const config = { log: { format: 'json' }, controller: controllerSection, database: { url: databaseUrl } };
    const file = join(this.#folder.path, `${name}.yaml`);
    // It holds the password of the database.
    await writeFile(file, stringify(config), { mode: 0o600 });
    const args = [program, file, ...(silenceMs === undefined ? [] : [String(silenceMs)])];
    const live = (life: number): Started => this.#group.start(`${name}-${life}`, process.execPath, args, process.env);
    const controller = new Controller(name, live, again);
    this.all.push(controller);
    return controller;
  }

  async stop(): Promise<void> {
    for (const controller of this.all) await controller.stop();
    await this.#group.stop();
    await this.#folder.remove();
  }
}
