/** A running `ssvirt dev`. */
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import type { Config } from '@ssvirt/base/config/keys';
import { isOnPath } from '@ssvirt/base/config/on-path';
import { ConfigError } from '@ssvirt/base/config/setting';
import { formatAddress, hostOf, urlOf } from '@ssvirt/base/config/address';
import { ApiCaller } from './api-caller.ts';
import { makeCertificate } from './certificate.ts';
import { ChildError } from './child.ts';
import { prepareClusters } from './cluster.ts';
import { clusterNames } from './clusters.ts';
import { makeDemo } from './demo/make.ts';
import { emptyFolder, readOrCreateSecret, openFolder, passwordOf, type Folder, type Password } from './folder.ts';
import { untilFree } from './left-over.ts';
import { settle, type WantedAddress } from './ports.ts';
import { processesOf, stopGroups, type AddressName, type Processes } from './processes.ts';
import { seed } from './seeds.ts';
import { environment, welcome } from './welcome.ts';

export interface DevOptions {
  readonly config: Config['dev'];
  /** Start with an empty folder. */
  readonly fresh: boolean;
  /** Show all log lines of the processes, not only warnings. */
  readonly verbose: boolean;
}

const administrator = 'administrator@System';

/** `runDev` runs until a signal ends it. */
export async function runDev({ config, fresh, verbose }: DevOptions): Promise<void> {
  const began = performance.now();
  const signals = onSignals();
  if (existsSync(config.data)) await untilFree(realpathSync(config.data), say);
  if (fresh) emptyFolder(config.data);
  const folder = openFolder(config.data);
  const clusters = clusterNames(folder, config.clusters);
  if (clusters.length > config.clusters) say(`${clusters.length} clusters, as in this folder; --fresh starts over`);
  const places = await addresses(config, clusters.length);
  const { api } = places;
  const url = urlOf({ host: reachable(hostOf(api)), port: api.port });
  await makeCertificate(folder, reachable(hostOf(api)));
  writeFileSync(folder.env, environment(url, folder));
  const password = passwordOf(folder, administrator);
  if (config.aap) readOrCreateSecret(folder.aapToken);
  const caller = new ApiCaller(url, folder.ca);
  const processes = processesOf(
    {
      ...places,
      folder,
      clusters,
      speed: config.speed,
      hasAap: config.aap,
      logLevel: verbose ? 'info' : 'warn',
      adminPasswordFile: password.file,
      apiIsUp: () => caller.isReady(),
    },
    say,
  );
  signals.onSecond(() => {
    for (const child of stopGroups(processes).flat()) child.kill();
    process.exit(1);
  });
  const leaving = new AbortController();
  let demo: Promise<void> | undefined;
  try {
    await Promise.race([bringUp(processes, { folder, clusters, caller, password }), signals.first]);
    if (!signals.came()) {
      const milliseconds = performance.now() - began;
      const demoState = !config.demo ? 'none' : existsSync(folder.demoMade) ? 'made' : 'coming';
      const known = { url, folder, clusters, administrator, password, hasAap: config.aap, metrics: metricsOf(places) };
      const hasKubectl = isOnPath('kubectl');
      process.stdout.write(welcome({ ...known, demo: demoState, milliseconds, hasKubectl }));
      // Not awaited: everything that is up can be used already.
      if (demoState === 'coming') demo = makeDemo({ ...known, say, signal: leaving.signal });
      await signals.first;
    }
    say('stopping');
  } catch (error) {
    if (!(error instanceof ChildError)) throw error;
    throw new ConfigError([error.message]);
  } finally {
    leaving.abort();
    await demo;
    await stop(processes);
    await caller.close();
  }
}

interface Ground {
  readonly folder: Folder;
  readonly clusters: readonly string[];
  readonly caller: ApiCaller;
  readonly password: Password;
}

async function bringUp(
  { sandbox, database, apiServer, controller, operator, orders, aap }: Processes,
  { folder, clusters, caller, password }: Ground,
): Promise<void> {
  await Promise.all([sandbox.start().then(() => prepareClusters(folder.kubeconfig, clusters)), database.start()]);
  // The seeds need only the API.
  await Promise.all([
    apiServer.start().then(() => fill(caller, folder, password)),
    controller.start(),
    operator.start(),
    orders.start(),
    aap?.start(),
  ]);
}

async function fill(caller: ApiCaller, folder: Folder, password: Password): Promise<void> {
  if (!(await caller.logIn(administrator, password.text)))
    return say(`the password of ${administrator} is not the one in ${password.file}: it stays unchanged`);
  await seed(caller, folder);
  await caller.logOut();
}

async function stop(processes: Processes): Promise<void> {
  const ended: string[] = [];
  for (const group of stopGroups(processes))
    await Promise.all(
      group.map(async (child) => {
        if (await child.stop()) ended.push(child.name);
      }),
    );
  if (ended.length > 0) say(`stopped: ${ended.join(', ')}`);
}

/**
 * Addresses that are not shown to the user are chosen here too; otherwise such a process could take the port of
 * another.
 */
async function addresses(
  config: Config['dev'],
  clusters: number,
): Promise<Record<AddressName, Config['dev']['listen']>> {
  const free = (what: string): WantedAddress => ({ key: what, flag: '', at: { host: '127.0.0.1', port: 0 } });
  const wanted: Readonly<Record<AddressName, WantedAddress>> = {
    api: { key: 'dev.listen', flag: '--listen', at: config.listen },
    sandbox: { key: 'dev.sandboxListen', flag: '--sandbox-listen', at: config.sandboxListen, count: clusters },
    database: { key: 'dev.databaseListen', flag: '--database-listen', at: config.databaseListen },
    aap: free('the webhooks of the simulated AAP'),
    apiMetrics: free('the metrics of the api-server'),
    controllerHealth: free('the health of the vm-controller'),
    controllerMetrics: free('the metrics of the vm-controller'),
    operatorHealth: free('the health of the machine-operator'),
    operatorMetrics: free('the metrics of the machine-operator'),
    ordersHealth: free('the health of the cloudkit-operator'),
    ordersMetrics: free('the metrics of the cloudkit-operator'),
  };
  const settled = await settle(Object.values(wanted));
  // `settle` keeps the order.
  return Object.fromEntries(Object.keys(wanted).map((place, at) => [place, settled[at]!])) as Record<
    AddressName,
    Config['dev']['listen']
  >;
}

/** Where the metrics of each process are; on loopback they need no token. */
function metricsOf(places: Record<AddressName, Config['dev']['listen']>): Readonly<Record<string, string>> {
  const at = (place: AddressName): string => `http://${formatAddress(places[place])}/metrics`;
  return {
    'api-server': at('apiMetrics'),
    'vm-controller': at('controllerMetrics'),
    'machine-operator': at('operatorMetrics'),
    'cloudkit-operator': at('ordersMetrics'),
  };
}

/** A server that listens on all addresses is reachable on the loopback address. */
function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

function say(line: string): void {
  process.stdout.write(`ssvirt dev: ${line}\n`);
}

/** `make` forwards a signal that the terminal also sent to us: the two count as one. */
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
