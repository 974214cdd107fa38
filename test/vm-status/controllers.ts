/** Controllers as child processes, each restarted when it ends, as a Deployment would do it. */
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
  /** Whether one that ends is restarted. */
  readonly again?: boolean;
  /** Keys of the section `controller`, in addition to those with short times. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long a silent watch is kept; 150 s by default, as in production. */
  readonly silenceMs?: number;
}

/** Short enough for a test, long enough for a busy host. */
const quick = { staleAfter: '1500ms', baseDelay: '200ms', maxDelay: '2s', maxRetries: '3' };
/** For the first actions of a process: on a starved host its start alone takes half of it. */
const patienceMs = 60_000;
const anyPort = { healthAddr: '127.0.0.1:0', metricsAddr: '127.0.0.1:0' };

/** A controller that may be restarted; calls go to its present process. */
export class Controller {
  readonly name: string;
  readonly #start: (life: number) => Started;
  readonly #again: boolean;
  /** How the previous lives ended: an exit code, or a signal. */
  readonly ends: (number | NodeJS.Signals | null)[] = [];
  #present: Started;
  #log = '';
  /** The output of the present life. */
  #life = { log: '' };
  #isStopping = false;

  constructor(name: string, start: (life: number) => Started, again: boolean) {
    this.name = name;
    this.#start = start;
    this.#again = again;
    this.#present = this.#live();
  }

  /** Its whole output. */
  get log(): string {
    return this.#log;
  }

  get pid(): number {
    return this.#present.child.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    this.#present.child.kill(name);
  }

  /** Kills it; another life follows if it restarts. */
  async kill(): Promise<void> {
    await kill(this.#present);
  }

  /** Kills it without a restart. */
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

  /** Resolves when the present process is up and waits for the Lease. */
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
    // Several may start at once.
    const name = `controller-${++this.#started}`;
    const kubeconfig = await writeKubeconfig(join(this.#folder.path, `${name}.kubeconfig`), supervisor);
    const controllerSection = { kubeconfig, ...quick, ...anyPort, ...settings };
    const config = { log: { format: 'json' }, controller: controllerSection, database: { url: databaseUrl } };
    const file = join(this.#folder.path, `${name}.yaml`);
    // The file contains the password of the database.
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
