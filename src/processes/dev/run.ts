/** A running `ssvirt dev`. */
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import type { Config } from '../../config/keys.ts';
import { ConfigError } from '../../config/setting.ts';
import { hostOf, urlOf } from '../addresses.ts';
import { ApiCaller } from './api-caller.ts';
import { makeCertificate } from './certificate.ts';
import { ChildError, type Child } from './child.ts';
import { prepareCluster } from './cluster.ts';
import { emptyFolder, openFolder, passwordOf, type Folder, type Password } from './folder.ts';
import { untilFree } from './left-over.ts';
import { settle } from './ports.ts';
import { processesOf, type Processes } from './processes.ts';
import { seed } from './seeds.ts';
import { environment, welcome } from './welcome.ts';

export interface DevOptions {
  readonly config: Config['dev'];
  /** Begin with an empty folder. */
  readonly fresh: boolean;
  /** Show what the processes log, not their warnings alone. */
  readonly verbose: boolean;
}

const administrator = 'administrator@System';

/** Runs until a signal ends it. */
export async function runDev({ config, fresh, verbose }: DevOptions): Promise<void> {
  const began = performance.now();
  const signals = onSignals();
  if (existsSync(config.data)) await untilFree(realpathSync(config.data), say);
  if (fresh) emptyFolder(config.data);
  const folder = openFolder(config.data);
  const { api, sandbox, database, controllerHealth } = await addresses(config);
  const url = urlOf({ host: reachable(hostOf(api)), port: api.port });
  await makeCertificate(folder, reachable(hostOf(api)));
  writeFileSync(folder.env, environment(url, folder));
  const password = passwordOf(folder, administrator);
  const caller = new ApiCaller(url, folder.ca);
  const processes = processesOf(
    {
      folder,
      api,
      sandbox,
      database,
      controllerHealth,
      speed: config.speed,
      logLevel: verbose ? 'info' : 'warn',
      adminPasswordFile: password.file,
      apiIsUp: () => caller.isReady(),
    },
    say,
  );
  signals.onSecond(() => {
    const { apiServer, controller, sandbox: cluster, database: postgres } = processes;
    for (const child of [apiServer, controller, cluster, postgres]) child.kill();
    process.exit(1);
  });
  try {
    await Promise.race([bringUp(processes, folder, caller, password), signals.first]);
    if (!signals.came()) {
      process.stdout.write(welcome({ url, folder, administrator, password, milliseconds: performance.now() - began }));
      await signals.first;
    }
    say('stopping');
  } catch (error) {
    if (!(error instanceof ChildError)) throw error;
    throw new ConfigError([error.message]);
  } finally {
    await stop(processes);
    await caller.close();
  }
}

async function bringUp(
  { sandbox, database, apiServer, controller }: Processes,
  folder: Folder,
  caller: ApiCaller,
  password: Password,
): Promise<void> {
  await Promise.all([sandbox.start().then(() => prepareCluster(folder.kubeconfig)), database.start()]);
  await Promise.all([apiServer.start(), controller.start()]);
  if (!(await caller.logIn(administrator, password.text)))
    return say(`${administrator} has another password than in ${password.file}: what is there is left as it is`);
  await seed(caller, folder);
  await caller.logOut();
}

/** Who uses the others first; PostgreSQL last. */
async function stop({ sandbox, database, apiServer, controller }: Processes): Promise<void> {
  const ended: string[] = [];
  const end = async (child: Child): Promise<void> => {
    if (await child.stop()) ended.push(child.name);
  };
  await Promise.all([end(apiServer), end(controller)]);
  await end(sandbox);
  await end(database);
  if (ended.length > 0) say(`stopped: ${ended.join(', ')}`);
}

async function addresses(
  config: Config['dev'],
): Promise<Record<'api' | 'sandbox' | 'database' | 'controllerHealth', Config['dev']['listen']>> {
  const [api, sandbox, database, controllerHealth] = await settle([
    { key: 'dev.listen', flag: '--listen', at: config.listen },
    { key: 'dev.sandboxListen', flag: '--sandbox-listen', at: config.sandboxListen },
    { key: 'dev.databaseListen', flag: '--database-listen', at: config.databaseListen },
    { key: 'the health of the vm-controller', flag: '', at: { host: '127.0.0.1', port: 0 } },
  ]);
  return { api: api!, sandbox: sandbox!, database: database!, controllerHealth: controllerHealth! };
}

/** What listens everywhere is reached on this machine. */
function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

function say(line: string): void {
  process.stdout.write(`ssvirt dev: ${line}\n`);
}

/** `make` passes on what the terminal has sent to us as well: that is one signal. */
const sameSignalMs = 1000;

interface Signals {
  readonly first: Promise<void>;
  readonly came: () => boolean;
  readonly onSecond: (act: () => void) => void;
}

function onSignals(): Signals {
  const first = Promise.withResolvers<void>();
  let firstAt: number | undefined;
  let second = (): void => process.exit(1);
  const heard = (): void => {
    first.resolve();
    firstAt ??= performance.now();
    if (performance.now() - firstAt > sameSignalMs) second();
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, heard);
  return { first: first.promise, came: () => firstAt !== undefined, onSecond: (act) => (second = act) };
}
