/**
 * A kubeconfig with a context for each cluster, as the commands of the pages expect it; the first one is the current
 * context.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Credentials } from '../cluster/cluster.ts';
import { findTool } from '../not-run.ts';

export async function writeContexts(file: string, clusters: Readonly<Record<string, Credentials>>): Promise<string> {
  const named = Object.entries(clusters);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: named.map(([name, { url, ca }]) => ({
      name,
      cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
    })),
    users: named.map(([name, { token }]) => ({ name, user: { token } })),
    contexts: named.map(([name]) => ({ name, context: { cluster: name, user: name } })),
    'current-context': named[0]?.[0],
  };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

/** The environment of commands and processes, without the settings that this host has for another ssvirt. */
export function ownEnvironment(home: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const tools = ['kubectl', 'helm'].flatMap((name) => findTool(name) ?? []);
  const path = [...tools.map((tool) => resolve(tool, '..')), PATH].join(':');
  // The clusters are simulated, so images are not downloaded, and no DNS has to know their hosts.
  return { PATH: path, HOME: home, NODE_COMPILE_CACHE, SSVIRT_IMAGES_ALLOWED_HOSTS: '*', ...more };
}
