/** Where a kubeconfig comes from: the file that was named, else those of KUBECONFIG, else ~/.kube/config, else the pod that we run in. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Kubeconfig, readKubeconfig } from './document.ts';
import { KubeconfigError } from './error.ts';
import type { ExecOptions } from './exec-credentials.ts';
import { inCluster, isInCluster } from './in-cluster.ts';
import { isEmpty, mergeKubeconfigs } from './merge.ts';
import { type KubeconfigSource, kubeconfigSource } from './source.ts';
import { parseText } from './text.ts';

export { inCluster, type InClusterOptions, isInCluster } from './in-cluster.ts';
export { type ContextSummary, type KubeconfigSource } from './source.ts';
export { strictKubeconfig, type StrictOptions } from './strict.ts';
export { KubeconfigError } from './error.ts';

const READ_DEADLINE_MS = 10_000;

export interface LoadOptions extends ExecOptions {
  /** This file and no other. */
  readonly path?: string;
  /** The context to use instead of the current one. */
  readonly context?: string;
  /** Where the service account of a pod is mounted. */
  readonly serviceAccountFolder?: string;
}

export async function loadKubeconfig(options: LoadOptions = {}): Promise<KubeconfigSource> {
  const { path, context, serviceAccountFolder, ...rest } = options;
  const files = path === undefined ? defaultFiles(options.env ?? process.env) : [path];
  const kubeconfig = mergeKubeconfigs(await readFiles(files, path !== undefined));
  if (!isEmpty(kubeconfig)) return kubeconfigSource(kubeconfig, context, rest);
  if (path !== undefined) throw new KubeconfigError('', 'it is empty', path);
  const pod = { ...rest, ...(serviceAccountFolder === undefined ? {} : { folder: serviceAccountFolder }) };
  if (context === undefined && isInCluster(pod)) return inCluster(pod);
  throw new KubeconfigError('', `there is none in ${files.join(', ')}, and this is no pod: name one by KUBECONFIG`);
}

function defaultFiles(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (listed.length > 0) return [...new Set(listed)];
  return [join(env['HOME'] || homedir(), '.kube', 'config')];
}

async function readFiles(files: readonly string[], mustExist: boolean): Promise<readonly Kubeconfig[]> {
  const found = await Promise.all(files.map((file) => readOne(file, mustExist)));
  return found.filter((kubeconfig) => kubeconfig !== undefined);
}

async function readOne(file: string, mustExist: boolean): Promise<Kubeconfig | undefined> {
  let text: string;
  try {
    text = await readFile(file, { encoding: 'utf8', signal: AbortSignal.timeout(READ_DEADLINE_MS) });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    // A list may name files that are not there yet; the one that was asked for must be.
    if (code === 'ENOENT' && !mustExist) return undefined;
    throw new KubeconfigError('', `it cannot be read (${code})`, file);
  }
  return readKubeconfig(parseText(text, file), file);
}
