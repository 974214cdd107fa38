/** The sandbox as its user starts it, killed and restarted on the same data if requested. */
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { throwAwayFolder, type Credentials, type ThrowAwayFolder } from '../../test/cluster/cluster.ts';
import { processGroup, type ProcessGroup, type Started } from '../../test/cluster/processes.ts';
import { inspectable, openInspector } from '../sandbox/collect.ts';
import type { ServerProcess } from '../sandbox/processes.ts';
import { readCredentials, untilFurnished } from '../sandbox/servers.ts';

const command = resolve(import.meta.dirname, '../../bin/ssvirt');

/** Small, so that the window is full soon and caches fall out of it now and then. */
const eventWindow = '1000';

interface Life {
  readonly group: ProcessGroup;
  readonly started: Started;
  readonly log: string;
  readonly credentials: Credentials;
  /** Used to measure memory without garbage. */
  readonly inspector: string;
}

export class SandboxProcess {
  readonly #folder: ThrowAwayFolder;
  readonly #data: string | undefined;
  #life: Life;
  #lives = 1;
  /** How much of the current log has been searched for defects. */
  #read = 0;

  private constructor(folder: ThrowAwayFolder, data: string | undefined, life: Life) {
    this.#folder = folder;
    this.#data = data;
    this.#life = life;
  }

  static async start(onDisk: boolean): Promise<SandboxProcess> {
    const folder = await throwAwayFolder('ssvirt-soak-');
    const data = onDisk ? join(folder.path, 'data') : undefined;
    try {
      return new SandboxProcess(folder, data, await begin(folder.path, data, 1));
    } catch (error) {
      await folder.remove();
      throw error;
    }
  }

  get credentials(): Credentials {
    return this.#life.credentials;
  }

  get process(): ServerProcess {
    return { name: 'sandbox', pid: this.#life.started.child.pid ?? 0 };
  }

  get inspector(): string {
    return this.#life.inspector;
  }

  get lives(): number {
    return this.#lives;
  }

  get ended(): boolean {
    const { exitCode, signalCode } = this.#life.started.child;
    return exitCode !== null || signalCode !== null;
  }

  get tail(): string {
    return this.#life.started.tail();
  }

  /** The size of the data on disk, in bytes. */
  get journal(): number {
    const file = this.#data === undefined ? '' : join(this.#data, 'sandbox', 'journal');
    return existsSync(file) ? statSync(file).size : 0;
  }

  async killAndRestart(): Promise<void> {
    const { started, group } = this.#life;
    started.child.kill('SIGKILL');
    await started.ended;
    await group.stop();
    this.#lives++;
    this.#read = 0;
    this.#life = await begin(this.#folder.path, this.#data, this.#lives);
  }

  /** What the server has logged since the last call: at this level it logs only its own defects. */
  newDefects(): readonly string[] {
    const text = existsSync(this.#life.log) ? readFileSync(this.#life.log, 'utf8') : '';
    const fresh = text.slice(this.#read);
    this.#read = text.length;
    return fresh.split(/\n(?=\d{4}-\d\d-\d\dT)/).filter((entry) => /^\S+ (warn|error|fatal) /.test(entry.trimStart()));
  }

  async stop(): Promise<void> {
    await this.#life.group.stop();
    await this.#folder.remove();
  }
}

async function begin(folder: string, data: string | undefined, life: number): Promise<Life> {
  const file = join(folder, 'kubeconfig');
  await rm(file, { force: true });
  const group = processGroup(folder);
  const name = `sandbox-${life}`;
  const kept = data === undefined ? [] : ['--data', data];
  const args = [
    'sandbox',
    '--bare',
    '--listen',
    '127.0.0.1:0',
    '--kubeconfig',
    file,
    '--event-window',
    eventWindow,
    ...kept,
  ];
  const started = group.start(name, command, args, { ...process.env, ...inspectable });
  try {
    await once(started.child, 'spawn');
    const credentials = await readCredentials(file, started);
    await untilFurnished(credentials);
    const inspector = await openInspector(started);
    return { group, started, log: join(folder, `${name}.log`), credentials, inspector };
  } catch (error) {
    await group.stop();
    throw new Error(`cannot start the sandbox: ${started.tail()}`, { cause: error });
  }
}
