/** `ApiProcess` is one API server, run as in production. It can be stopped and restarted at the same address. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import type { Caller, Certificates } from '../../test/processes/api-server.ts';
import { poll } from '../sandbox/poll.ts';
import { cpuSeconds, peakBytes, residentBytes, type ServerProcess } from '../sandbox/processes.ts';

const repository = resolve(import.meta.dirname, '../..');
export const command = join(repository, 'bin/ssvirt');
/** Prefers the built files that we ship: stripping types at startup costs time and memory that no installation pays. */
export const isBuilt = existsSync(join(repository, 'dist/ssvirt/src/main.js'));
export const built = isBuilt ? { SSVIRT_BUILT: '1' } : {};

export interface Setup {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly certificates: Certificates;
  readonly databaseUrl: string;
  readonly port: number;
  /** The folder for a CPU profile. */
  readonly profile: string | undefined;
  readonly caller: Caller;
}

export class ApiProcess {
  readonly #setup: Setup;
  readonly #log: string;
  #child: ChildProcess;
  #exited: Promise<unknown>;

  private constructor(setup: Setup) {
    this.#setup = setup;
    this.#log = join(setup.folder, 'api-server.log');
    [this.#child, this.#exited] = this.#spawn();
  }

  /** The server may not be ready yet. */
  static start(setup: Setup): ApiProcess {
    const { folder, kubeconfig, certificates, databaseUrl, port } = setup;
    const api = {
      listen: `127.0.0.1:${port}`,
      metricsAddr: '127.0.0.1:0',
      kubeconfig,
      tls: { certFile: certificates.certFile, keyFile: certificates.keyFile },
    };
    const settings = { log: { format: 'json' }, database: { url: databaseUrl }, api };
    writeFileSync(join(folder, 'config.yaml'), stringify(settings), { mode: 0o600 });
    return new ApiProcess(setup);
  }

  /** Undefined while the process runs, and if a signal ended it. */
  get exitCode(): number | undefined {
    return this.#child.exitCode ?? undefined;
  }

  cpuSeconds(): number {
    return cpuSeconds(this.#processes);
  }

  residentBytes(): number {
    return residentBytes(this.#processes);
  }

  peakBytes(): number {
    return peakBytes(this.#processes);
  }

  /** Ready includes the cluster: its offers are listed. */
  async ready(): Promise<void> {
    await poll(`the API server is not ready; it says:\n${this.#tail()}`, () => this.#isReady());
  }

  async restart(): Promise<void> {
    await this.stop();
    [this.#child, this.#exited] = this.#spawn();
    await this.ready();
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child.exitCode === null) child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
    await this.#exited;
    clearTimeout(late);
  }

  get #processes(): readonly ServerProcess[] {
    return [{ name: 'api-server', pid: this.#child.pid ?? 0 }];
  }

  #spawn(): [ChildProcess, Promise<unknown>] {
    const { folder, profile } = this.#setup;
    const profiling = profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(profile)}` };
    const child = spawn(command, ['api-server', '--config', join(folder, 'config.yaml')], {
      env: { ...process.env, ...built, ...profiling },
      // The log goes straight to a file: a log collector takes CPU time that must not count here.
      stdio: ['ignore', 'ignore', openSync(this.#log, 'a')],
    });
    return [child, once(child, 'exit')];
  }

  async #isReady(): Promise<true | undefined> {
    if (this.#child.exitCode !== null) throw new Error(`the API server has ended:\n${this.#tail()}`);
    try {
      const { status, body } = await this.#setup.caller.ask('GET', '/readyz');
      const { clusters } = body['services'] as { readonly clusters: Readonly<Record<string, string>> };
      // No vm-controller runs here, so they are never `ready`.
      const states = Object.values(clusters);
      return status === 200 && states.length > 0 && !states.includes('unavailable') ? true : undefined;
    } catch {
      return undefined; // The server does not listen yet.
    }
  }

  #tail(): string {
    return readFileSync(this.#log, 'utf8').slice(-2000);
  }
}
