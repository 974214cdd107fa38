/**
 * A kube-apiserver that grants one account what files of deploy/rbac grant, each right at its first refusal, and
 * nothing else.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { namespaces } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { startSimulators, type PartName } from '../../packages/sandbox/src/simulators/start.ts';
import { createAuthority } from '../../packages/base/src/tls/authority.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { startRealCluster } from '../cluster/real.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { notRun } from '../not-run.ts';
import { until } from '../runtime/until.ts';
import { installManifests, type Manifest } from '../vm-status/manifests.ts';
import { withoutRight, type Right } from './right.ts';
import { Authorizer } from './witness/authorizer.ts';
import { Grants } from './witness/grants.ts';
import { Ledger } from './witness/ledger.ts';
import { Witness } from './witness/witness.ts';

/**
 * KubeVirt's and CDI's own, which are not part of this repository: with them an apply with an unknown field is refused.
 */
const crds = resolve(
  process.env['SSVIRT_TEST_UPSTREAM_CRDS'] ?? join(import.meta.dirname, '../../../shared/upstream-crds'),
);
const host = '127.0.0.1';
/** The namespace of the account. */
const home = 'ssvirt-system';

export interface WitnessedOptions {
  readonly name: string;
  /** Without `ssvirt-`. */
  readonly process: string;
  readonly granted: readonly Manifest[];
  readonly without?: Right | undefined;
  readonly parts?: readonly PartName[];
  /** Called when something is refused for good. */
  readonly refused?: () => void;
}

export interface WitnessedCluster {
  /** May do everything. */
  readonly client: Client;
  /** The token of an administrator. */
  readonly adminToken: string;
  /** The kubeconfig of the process. */
  readonly credentials: Credentials;
  readonly ledger: Ledger;
  readonly oblivion: Witness['oblivion'];
  stop(): Promise<void>;
}

export async function startWitnessedCluster(options: WitnessedOptions): Promise<WitnessedCluster> {
  const cluster = await startRealCluster({
    // As in OpenShift: blocking the deletion of an owner needs a right to it.
    serverFlags: ['--enable-admission-plugins=OwnerReferencesPermissionEnforcement'],
    controllers: ['persistentvolume-binder-controller'],
  });
  const client = createClient({ cluster: options.name, source: fixedSource(cluster), userAgent: 'rbac-admin' });
  const stopping: (() => Promise<void>)[] = [() => cluster.stop(), () => client.close()];
  const stop = async (): Promise<void> => {
    for (const act of stopping.toReversed()) await act();
  };
  try {
    return { ...(await furnish(options, cluster, client, stopping)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function furnish(
  { name, process: short, granted: all, without, parts = [], refused }: WitnessedOptions,
  cluster: Credentials,
  client: Client,
  stopping: (() => Promise<void>)[],
): Promise<Omit<WitnessedCluster, 'stop'>> {
  const granted = without === undefined ? all : withoutRight(all, without);
  const account = `ssvirt-${short}`;
  const where = new Set([home, ...granted.flatMap(({ metadata }) => metadata.namespace ?? [])]);
  for (const one of where) await client.create(namespaces, { metadata: { name: one } });
  // The roles exist and are bound, and grant nothing yet.
  await installManifests(
    client,
    granted.map((one) => (one.rules === undefined ? one : { ...one, rules: [] })),
  );
  const ledger = new Ledger(new Authorizer(granted, `${home}/${account}`), refused);
  const token = await tokenOf(client, account);
  const user = `system:serviceaccount:${home}:${account}`;
  const grants = new Grants({ client, roles: granted.filter(({ rules }) => rules !== undefined), user, ledger });
  const authority = await createAuthority('witness-ca');
  const certificate = await authority.issue({ commonName: 'witness', addresses: [host], server: true });
  const witness = await Witness.start({ cluster, certificate, account: { user, token }, ledger, grants });
  stopping.push(() => witness.stop());
  const seen = { url: witness.url, ca: authority.certificate };
  if (parts.length > 0) {
    const simulators = await simulate({ ...seen, token: cluster.token }, name, parts);
    stopping.push(() => simulators.stop({ leaveRegistered: true }));
    if (parts.includes('kubevirt')) await takeFromEverybody(client);
  }
  return { client, adminToken: cluster.token, credentials: { ...seen, token }, ledger, oblivion: witness.oblivion };
}

/** Requests that check what the account may do. */
function simulate(cluster: Credentials, name: string, parts: readonly PartName[]): ReturnType<typeof startSimulators> {
  // Its errors about objects that are deleted concurrently do not matter.
  const log = pino({ level: 'silent' });
  const definitions = existsSync(crds) ? { crds } : {};
  if (!existsSync(crds)) notRun('test/rbac with the CRDs of KubeVirt and CDI', `needs ${crds}`);
  return startSimulators({ source: fixedSource(cluster), name, parts, dials: { speed: 100 }, log, ...definitions });
}

/**
 * KubeVirt lets everyone read its instance types, and providers take that away from tenants: the account needs its own
 * right.
 */
async function takeFromEverybody(client: Client): Promise<void> {
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/instancetype.kubevirt.io:view';
  const contentType = 'application/merge-patch+json';
  await until(
    'it is there',
    async () => {
      await client.request({ method: 'PATCH', path, contentType, body: { subjects: [] } });
      return true;
    },
    { deadlineMs: 120_000 },
  );
}

async function tokenOf(client: Client, account: string): Promise<string> {
  const { body } = await client.request({
    method: 'POST',
    path: `/api/v1/namespaces/${home}/serviceaccounts/${account}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
  });
  return (body as { readonly status: { readonly token: string } }).status.token;
}
