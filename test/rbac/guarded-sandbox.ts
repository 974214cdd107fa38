/** A cluster of the sandbox that grants one account what files of deploy/rbac grant, and nothing else. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { namespaces } from '../../src/fleet/kubevirt-config.ts';
import type { Client } from '../../src/kube/client/client.ts';
import { createClient } from '../../src/kube/client/create.ts';
import type { ConnectionSource } from '../../src/kube/connection.ts';
import { startCluster } from '../../src/sandbox/cluster.ts';
import { loadIdentity } from '../../src/sandbox/identity.ts';
import { startSimulators, type PartName } from '../../src/sandbox/simulators/start.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { installManifests, type Manifest } from '../vm-status/manifests.ts';
import { Authorizer } from './guard/authorizer.ts';
import { Guard } from './guard/guard.ts';
import { Ledger } from './guard/ledger.ts';
import type { Right } from './right.ts';

const host = '127.0.0.1';
/** Where the account is. */
const home = 'ssvirt-system';

export interface GuardedOptions {
  readonly name: string;
  /** Without `ssvirt-`. */
  readonly process: string;
  readonly granted: readonly Manifest[];
  readonly without?: Right | undefined;
  readonly parts?: readonly PartName[];
  /** Told when something is refused. */
  readonly refused?: () => void;
}

export interface GuardedSandbox {
  /** May do everything. */
  readonly client: Client;
  /** What the process is given. */
  readonly credentials: Credentials;
  readonly ledger: Ledger;
  readonly oblivion: Guard['oblivion'];
  stop(): Promise<void>;
}

export async function startGuardedSandbox(options: GuardedOptions): Promise<GuardedSandbox> {
  const { name, granted, parts = [] } = options;
  const account = `ssvirt-${options.process}`;
  const token = randomBytes(12).toString('hex');
  const identity = await loadIdentity({ host, token });
  const sandbox = await startCluster({ name, host, port: 0, identity, eventWindow: 10_000 });
  const cluster = { url: sandbox.url, ca: identity.authority.certificate, token };
  const client = createClient({ cluster: name, source: fixedSource(cluster), userAgent: 'rbac-admin' });
  const where = new Set([home, ...granted.flatMap(({ metadata }) => metadata.namespace ?? [])]);
  for (const one of where) await client.create(namespaces, { metadata: { name: one } });
  await installManifests(client, granted);
  const ledger = new Ledger(new Authorizer(granted, `${home}/${account}`, options.without), options.refused);
  const user = `system:serviceaccount:${home}:${account}`;
  const own = await tokenOf(client, account);
  const guard = await Guard.start({
    cluster,
    certificate: identity.serving,
    account: { user, token: own },
    ledger,
  });
  const simulators = parts.length === 0 ? undefined : await simulate({ ...cluster, url: guard.url }, name, parts);
  return {
    client,
    credentials: { ...cluster, url: guard.url, token: own },
    ledger,
    oblivion: guard.oblivion,
    async stop() {
      await simulators?.stop({ leaveRegistered: true });
      await client.close();
      await guard.stop();
      await sandbox.stop();
    },
  };
}

/** They ask what the account may, which the guard knows. */
function simulate(cluster: Credentials, name: string, parts: readonly PartName[]): ReturnType<typeof startSimulators> {
  const source: ConnectionSource = fixedSource(cluster);
  // What it says of objects that are gone under its hands nobody needs to know.
  const log = pino({ level: 'silent' });
  return startSimulators({ source, name, parts, dials: { speed: 100 }, log });
}

async function tokenOf(client: Client, account: string): Promise<string> {
  const { body } = await client.request({
    method: 'POST',
    path: `/api/v1/namespaces/${home}/serviceaccounts/${account}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
  });
  return (body as { readonly status: { readonly token: string } }).status.token;
}
