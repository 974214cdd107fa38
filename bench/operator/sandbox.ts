/** A sandbox in a process of its own, and a client for each of its clusters. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { throwAwayFolder, type Credentials } from '../../test/cluster/cluster.ts';
import { processGroup, type Started } from '../../test/cluster/processes.ts';
import { fixedSource } from '../../test/fleet/sandboxes.ts';
import { poll } from '../sandbox/poll.ts';
import type { ServerProcess } from '../sandbox/processes.ts';
import { untilFurnished } from '../sandbox/servers.ts';

export const repository = resolve(import.meta.dirname, '../..');

export interface Server extends Credentials {
  readonly name: string;
  readonly client: Client;
}

export interface SandboxProcess {
  readonly folder: string;
  readonly servers: readonly Server[];
  readonly processes: readonly ServerProcess[];
  stop(): Promise<void>;
}

/** Resolves when every cluster is usable. */
export async function startSandbox(args: readonly string[], userAgent: string): Promise<SandboxProcess> {
  const folder = await throwAwayFolder(`ssvirt-${userAgent}-`);
  const group = processGroup(folder.path);
  const servers: Server[] = [];
  const stop = async (): Promise<void> => {
    for (const { client } of servers) await client.close();
    await group.stop();
    await folder.remove();
  };
  try {
    const file = join(folder.path, 'kubeconfig');
    const all = ['sandbox', '--listen', '127.0.0.1:0', '--kubeconfig', file, ...args];
    const sandbox = group.start('sandbox', join(repository, 'bin/ssvirt'), all);
    servers.push(...(await connect(file, sandbox, userAgent)));
    for (const server of servers) await untilFurnished(server);
    const processes = [{ name: 'sandbox', pid: sandbox.child.pid ?? 0 }];
    return { folder: folder.path, servers, processes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Kubeconfig {
  readonly clusters: readonly { readonly name: string; readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly name: string; readonly user: { readonly token?: string } }[];
}

async function connect(file: string, sandbox: Started, userAgent: string): Promise<readonly Server[]> {
  const text = await poll('the sandbox has written no kubeconfig', async () => {
    if (sandbox.child.exitCode !== null) throw new Error(`the sandbox ended: ${sandbox.tail()}`);
    return (await readFile(file, 'utf8').catch(() => '')) || undefined;
  });
  const { clusters, users } = parse(text) as Kubeconfig;
  return clusters.map(({ name, cluster }) => {
    const token = users.find((user) => user.name === `${name}-token`)?.user.token ?? '';
    const ca = Buffer.from(cluster['certificate-authority-data'] ?? '', 'base64').toString();
    const credentials = { url: cluster['server'] ?? '', ca, token };
    const client = createClient({ cluster: name, source: fixedSource(credentials), userAgent });
    return { ...credentials, name, client };
  });
}
