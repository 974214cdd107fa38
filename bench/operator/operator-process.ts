/** One operator, run as in production. */
import { existsSync, openSync, readFileSync } from 'node:fs';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { writeKubeconfig, type Credentials } from '../../test/cluster/cluster.ts';
import { freePorts } from '../../test/cluster/ports.ts';
import { cpuSeconds, peakBytes, residentBytes, type ServerProcess } from '../sandbox/processes.ts';
import { poll } from '../sandbox/poll.ts';

export interface OperatorStart {
  /** The name of the process, such as `machine-operator`. */
  readonly name: string;
  /** The folder for its log and its kubeconfig. */
  readonly folder: string;
  readonly cluster: Credentials;
  /** The ssvirt command to measure. */
  readonly command: string;
  /** The folder for a CPU profile. */
  readonly profile: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** An additional condition on its metrics, besides readiness, before the measurement starts. */
  readonly canBegin?: (metrics: string) => boolean;
}

export class OperatorProcess {
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #log: string;
  readonly #metrics: string;
  readonly #health: string;

  private constructor(name: string, child: ChildProcess, log: string, metrics: string, health: string) {
    this.#name = name;
    this.#child = child;
    this.#exited = once(child, 'exit');
    this.#log = log;
    this.#metrics = metrics;
    this.#health = health;
  }

  /** Resolves when the operator is ready. */
  static async start(start: OperatorStart): Promise<OperatorProcess> {
    const { name, folder, cluster, command, profile, env = {}, canBegin = () => true } = start;
    const [metricsPort, healthPort] = await freePorts(2);
    const [metrics, health] = [`127.0.0.1:${metricsPort}`, `127.0.0.1:${healthPort}`];
    const log = join(folder, 'operator.log');
    const profiling = profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` };
    const child = spawn(command, [name, '--log-format', 'json'], {
      env: {
        ...process.env,
        ...(isBuilt(command) ? { SSVIRT_BUILT: '1' } : {}),
        ...profiling,
        KUBECONFIG: await writeKubeconfig(join(folder, 'operator.kubeconfig'), cluster),
        NAMESPACE: 'default',
        // The images are simulated: no DNS has to know their hosts.
        SSVIRT_IMAGES_ALLOWED_HOSTS: '*',
        METRICS_BIND_ADDRESS: metrics,
        HEALTH_PROBE_BIND_ADDRESS: health,
        ...env,
      },
      // The log goes straight to a file: a log collector takes CPU time that must not count here.
      stdio: ['ignore', 'ignore', openSync(log, 'a')],
    });
    const operator = new OperatorProcess(name, child, log, metrics, health);
    await poll(`the ${name} is not ready`, () => operator.#isReady(canBegin));
    return operator;
  }

  cpuSeconds(): number {
    return cpuSeconds(this.processes);
  }

  residentBytes(): number {
    return residentBytes(this.processes);
  }

  peakBytes(): number {
    return peakBytes(this.processes);
  }

  async metrics(): Promise<string> {
    return (await fetch(`http://${this.#metrics}/metrics`)).text();
  }

  tail(): string {
    return readFileSync(this.#log, 'utf8').slice(-3000);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child.exitCode === null) child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
    await this.#exited;
    clearTimeout(late);
  }

  get processes(): readonly ServerProcess[] {
    return [{ name: this.#name, pid: this.#child.pid ?? 0 }];
  }

  async #isReady(canBegin: (metrics: string) => boolean): Promise<true | undefined> {
    if (this.#child.exitCode !== null) throw new Error(`the ${this.#name} has ended:\n${this.tail()}`);
    try {
      if ((await fetch(`http://${this.#health}/readyz`)).status !== 200) return undefined;
      return canBegin(await this.metrics()) ? true : undefined;
    } catch {
      return undefined; // The operator does not listen yet.
    }
  }
}

/** Prefers the built files that we ship: stripping types at startup costs time and memory that no installation pays. */
export const isBuilt = (command: string): boolean => existsSync(join(dirname(command), '../dist/ssvirt/src/main.js'));
