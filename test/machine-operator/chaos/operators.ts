/** Machine operators as child processes, each restarted when it ends, as a Deployment would do it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { throwAwayFolder, writeKubeconfig, type Credentials, type ThrowAwayFolder } from '../../cluster/cluster.ts';
import { processGroup, type ProcessGroup, type Started } from '../../cluster/processes.ts';
import { Controller } from '../../vm-status/controllers.ts';
import { configsNamespace } from '../../fleet/harness.ts';

const program = fileURLToPath(new URL('operator.ts', import.meta.url));

export interface OperatorsOptions {
  readonly supervisor: Credentials;
  /** Keys of the section `operator`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether one that ends is restarted. */
  readonly again?: boolean;
}

const anyPort = { healthAddr: '127.0.0.1:0', metricsAddr: '127.0.0.1:0' };

export class Operators {
  readonly #folder: ThrowAwayFolder;
  readonly #group: ProcessGroup;
  readonly #options: OperatorsOptions;
  readonly all: Controller[] = [];
  #started = 0;

  private constructor(folder: ThrowAwayFolder, options: OperatorsOptions) {
    this.#folder = folder;
    this.#group = processGroup(folder.path);
    this.#options = options;
  }

  static async open(options: OperatorsOptions): Promise<Operators> {
    return new Operators(await throwAwayFolder('ssvirt-machine-chaos-'), options);
  }

  async start(): Promise<Controller> {
    const { supervisor, settings, again = false } = this.#options;
    // Two may be started at once.
    const name = `operator-${++this.#started}`;
    const kubeconfig = await writeKubeconfig(join(this.#folder.path, `${name}.kubeconfig`), supervisor);
    const file = join(this.#folder.path, `${name}.yaml`);
    const operator = {
      kubeconfig,
      namespace: configsNamespace,
      kubevirtConfigsNamespace: configsNamespace,
      ...anyPort,
      ...settings,
    };
    const level = process.env['SSVIRT_TEST_LOG'] ?? 'info';
    await writeFile(file, stringify({ log: { format: 'json', level }, operator }));
    const live = (life: number): Started =>
      this.#group.start(`${name}-${life}`, process.execPath, [program, file], process.env);
    const started = new Controller(name, live, again);
    this.all.push(started);
    return started;
  }

  async stop(): Promise<void> {
    for (const one of this.all) await one.stop();
    await this.#group.stop();
    await this.#folder.remove();
  }
}
