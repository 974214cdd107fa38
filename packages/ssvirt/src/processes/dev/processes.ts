/** The processes, and how each learns where the others are. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatAddress, type Address } from '@ssvirt/base/config/address';
import { Child, type ChildProcessOptions } from './child.ts';
import type { Folder } from './folder.ts';

/** `AddressName` is an address where a process listens. */
export type AddressName =
  | 'api'
  | 'sandbox'
  | 'database'
  | 'aap'
  | 'apiMetrics'
  | 'controllerHealth'
  | 'controllerMetrics'
  | 'operatorHealth'
  | 'operatorMetrics'
  | 'ordersHealth'
  | 'ordersMetrics';

export interface Addresses extends Readonly<Record<AddressName, Address>> {
  readonly folder: Folder;
  /** The names of the simulated clusters, the supervisor first. */
  readonly clusters: readonly string[];
  readonly speed: number;
  /** Whether AAP is simulated. */
  readonly hasAap: boolean;
  /** The log level of the processes. */
  readonly logLevel: string;
  readonly adminPasswordFile: string;
  readonly apiIsUp: () => Promise<boolean>;
}

export interface Processes {
  readonly sandbox: Child;
  readonly database: Child;
  readonly apiServer: Child;
  readonly controller: Child;
  readonly operator: Child;
  /** The cloudkit-operator. */
  readonly orders: Child;
  readonly aap: Child | undefined;
}

/**
 * Groups of processes that are stopped together, one group after the other: a process stops before those that it uses.
 */
export function stopGroups({
  apiServer,
  controller,
  operator,
  orders,
  aap,
  sandbox,
  database,
}: Processes): readonly (readonly Child[])[] {
  return [[apiServer, controller, operator, orders], aap === undefined ? [] : [aap], [sandbox], [database]];
}

const command = resolve(import.meta.dirname, '../../../../../bin/ssvirt');
const longestName = 'cloudkit-operator'.length;

export function processesOf(places: Addresses, say: (line: string) => void): Processes {
  const { folder } = places;
  // Compiled code is reused at the next start.
  const own: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: folder.compiled, ...process.env };
  // Imports are simulated, and no image is fetched. Set this to see what an installation refuses.
  const importers: NodeJS.ProcessEnv = { SSVIRT_IMAGES_ALLOWED_HOSTS: '*', ...own };
  const child = (
    name: string,
    {
      args,
      isUp,
      env = () => own,
    }: Pick<ChildProcessOptions, 'args' | 'isUp'> & Partial<Pick<ChildProcessOptions, 'env'>>,
  ): Child =>
    new Child({
      name,
      command,
      args,
      env,
      folder: folder.path,
      isUp,
      onLine: (line) => process.stderr.write(`${name.padEnd(longestName)} | ${line}\n`),
      say,
    });
  // In the environment, because other users of the computer could see flags. The file exists once the database is up.
  const env = (): NodeJS.ProcessEnv => ({
    ...importers,
    SSVIRT_DATABASE_URL: readFileSync(folder.databaseUrl, 'utf8').trim(),
  });
  return {
    sandbox: child('sandbox', { args: sandboxArgs(places), isUp: (output) => output.includes('The sandbox is up') }),
    database: child('database', {
      args: ['database', 'serve', '--data', folder.database, '--listen', formatAddress(places.database)],
      isUp: (output) => output.includes('PostgreSQL is up'),
    }),
    apiServer: child('api-server', { args: apiArgs(places), isUp: places.apiIsUp, env }),
    controller: child('vm-controller', {
      args: controllerArgs(places),
      isUp: () => isReady(places.controllerHealth),
      env,
    }),
    operator: child('machine-operator', {
      args: operatorArgs(places),
      isUp: () => isReady(places.operatorHealth),
      // A Machine that names no cluster runs beside its declaration. Set this to an empty value to see one wait.
      env: () => ({ SSVIRT_OPERATOR_DEFAULT_KUBEVIRT_CONFIG: 'local', ...importers }),
    }),
    orders: child('cloudkit-operator', {
      args: ordersArgs(places),
      isUp: () => isReady(places.ordersHealth),
      env: () => importers,
    }),
    aap: places.hasAap
      ? child('aap', { args: aapArgs(places), isUp: (output) => output.includes('The simulated AAP is up') })
      : undefined,
  };
}

function sandboxArgs({ folder, sandbox, clusters, speed, logLevel }: Addresses): readonly string[] {
  return subcommand('sandbox', {
    listen: formatAddress(sandbox),
    clusters: String(clusters.length),
    names: clusters.join(','),
    // Samples are for display, and one cluster is enough for that.
    'other-parts': 'kubevirt,nodes,storage,cdi,templates',
    kubeconfig: folder.kubeconfig,
    data: folder.sandbox,
    speed: String(speed),
    'log-level': logLevel,
  });
}

function apiArgs({ folder, api, apiMetrics, adminPasswordFile, logLevel }: Addresses): readonly string[] {
  return subcommand('api-server', {
    listen: formatAddress(api),
    kubeconfig: folder.kubeconfig,
    'tls-cert-file': folder.certificate,
    'tls-key-file': folder.key,
    'initial-admin-password-file': adminPasswordFile,
    'site-name': 'ssvirt dev',
    'metrics-addr': formatAddress(apiMetrics),
    'log-level': logLevel,
  });
}

function controllerArgs({ folder, controllerHealth, controllerMetrics, logLevel }: Addresses): readonly string[] {
  return subcommand('vm-controller', {
    kubeconfig: folder.kubeconfig,
    'health-addr': formatAddress(controllerHealth),
    'metrics-addr': formatAddress(controllerMetrics),
    'log-level': logLevel,
  });
}

function operatorArgs({ folder, operatorHealth, operatorMetrics, logLevel }: Addresses): readonly string[] {
  return subcommand('machine-operator', {
    kubeconfig: folder.kubeconfig,
    // This operator's environment variables have plain names, which may have another meaning on this computer.
    namespace: 'ssvirt-system',
    'kubevirt-configs-namespace': 'kubevirt-configs',
    'health-addr': formatAddress(operatorHealth),
    'metrics-addr': formatAddress(operatorMetrics),
    'log-level': logLevel,
  });
}

function ordersArgs(places: Addresses): readonly string[] {
  const { folder, ordersHealth, ordersMetrics, logLevel, hasAap } = places;
  return subcommand('cloudkit-operator', {
    kubeconfig: folder.kubeconfig,
    namespace: 'ssvirt-system',
    // The operator handles orders without a mode; AAP handles those that name it.
    'rollout-percentage': '100',
    ...(hasAap ? aapFlags(places) : {}),
    'health-addr': formatAddress(ordersHealth),
    'metrics-addr': formatAddress(ordersMetrics),
    'log-level': logLevel,
  });
}

function aapFlags({ folder, aap }: Addresses): Readonly<Record<string, string>> {
  const url = `http://${formatAddress(aap)}`;
  return {
    'aap-create-url': `${url}/create-vm`,
    'aap-delete-url': `${url}/delete-vm`,
    'aap-token-file': folder.aapToken,
    // A job that was lost with its process is requested again while the person is still watching.
    'aap-repeat-after': '1m',
    'aap-quiet-period': '1m',
  };
}

function aapArgs({ folder, aap, clusters: [supervisor = ''], speed, logLevel }: Addresses): readonly string[] {
  return [
    'sandbox',
    ...subcommand('aap', {
      kubeconfig: folder.kubeconfig,
      context: supervisor,
      listen: formatAddress(aap),
      'token-file': folder.aapToken,
      speed: String(speed),
      'log-level': logLevel,
    }),
  ];
}

function subcommand(name: string, flags: Readonly<Record<string, string>>): readonly string[] {
  return [name, ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])];
}

async function isReady(at: Address): Promise<boolean> {
  try {
    const { status } = await fetch(`http://${formatAddress(at)}/readyz?exclude=warm-up`, {
      signal: AbortSignal.timeout(5000),
    });
    return status === 200;
  } catch {
    // It does not listen yet.
    return false;
  }
}
