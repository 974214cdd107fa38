/** Small clusters in this process, for tests with several of them: each has its own identity, faults and port. */
import { randomBytes } from 'node:crypto';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { ConnectionSource } from '../../packages/kube/src/connection.ts';
import { startCluster, type Cluster as Sandbox } from '../../packages/sandbox/src/server/cluster.ts';
import { loadIdentity } from '../../packages/sandbox/src/server/identity.ts';
import type { Faults } from '../../packages/sandbox/src/server/faults/faults.ts';
import type { Credentials } from '../cluster/cluster.ts';

const host = '127.0.0.1';

export interface MemberCluster extends Credentials {
  readonly name: string;
  readonly client: Client;
  readonly faults: Faults;
  /** Stops it and starts another, empty cluster at the same address, with the same certificates and tokens. */
  swap(): Promise<void>;
  stop(): Promise<void>;
}

export function fixedSource({ url, ca, token }: Credentials): ConnectionSource {
  const connection = { server: url, tls: { ca }, headers: { authorization: `Bearer ${token}` } };
  return { current: () => Promise.resolve(connection), refused: () => Promise.resolve(false) };
}

export async function startMemberCluster(name: string): Promise<MemberCluster> {
  const token = randomBytes(12).toString('hex');
  const identity = await loadIdentity({ host, token });
  const start = (port: number): Promise<Sandbox> => startCluster({ name, host, port, identity, eventWindow: 10_000 });
  let sandbox = await start(0);
  const { url } = sandbox;
  const credentials = { url, ca: identity.authority.certificate, token };
  const client = createClient({ cluster: name, source: fixedSource(credentials), userAgent: 'fleet-test' });
  return {
    name,
    ...credentials,
    client,
    get faults() {
      return sandbox.faults;
    },
    async swap() {
      await sandbox.stop();
      sandbox = await start(Number(new URL(url).port));
    },
    async stop() {
      await client.close();
      await sandbox.stop();
    },
  };
}
