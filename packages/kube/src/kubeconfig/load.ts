/**
 * `loadKubeconfig` finds the kubeconfig: the given file, else those of KUBECONFIG, else ~/.kube/config, else the pod's
 * service account.
 */
import { defined } from '@ssvirt/base/values/defined';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Kubeconfig, readKubeconfig } from './document.ts';
import { KubeconfigError } from './error.ts';
import type { ExecOptions } from './exec/exec-credentials.ts';
import { inCluster, isInCluster } from './in-cluster.ts';
import { isEmpty, mergeKubeconfigs } from './merge.ts';
import { type KubeconfigTexts, reloadable } from './reload.ts';
import { type KubeconfigSource, kubeconfigSource } from './source.ts';
import { parseText } from './text.ts';

export { inCluster, type InClusterOptions, isInCluster } from './in-cluster.ts';
export { type ContextSummary, type KubeconfigSource } from './source.ts';
export { strictKubeconfig, type StrictOptions } from './strict.ts';
export { KubeconfigError } from './error.ts';

const READ_DEADLINE_MS = 10_000;

export interface LoadOptions extends ExecOptions {
  /** Use only this file. */
  readonly path?: string;
  /** The context to use instead of the current one. */
  readonly context?: string;
  /** Where the service account of a pod is mounted. */
  readonly serviceAccountFolder?: string;
}

export async function loadKubeconfig(options: LoadOptions = {}): Promise<KubeconfigSource> {
  const { path, context, serviceAccountFolder, ...rest } = options;
  const files = path === undefined ? defaultFiles(options.env ?? process.env) : [path];
  const read = (): Promise<readonly KubeconfigFile[]> => readFiles(files, path !== undefined);
  const found = await read();
  const kubeconfig = merged(found);
  if (!isEmpty(kubeconfig)) {
    const source = kubeconfigSource(kubeconfig, context, rest);
    const again = async (): Promise<KubeconfigTexts> => {
      const now = await read();
      return { texts: textsOf(now), source: () => kubeconfigSource(merged(now), source.context, rest) };
    };
    return reloadable(source, textsOf(found), again, options.log);
  }
  if (path !== undefined) throw new KubeconfigError('', 'it is empty', path);
  const pod = { ...rest, ...defined({ folder: serviceAccountFolder }) };
  if (context === undefined && isInCluster(pod)) return inCluster(pod);
  throw new KubeconfigError(
    '',
    `there is none in ${files.join(', ')}, and this process is not in a pod: set KUBECONFIG`,
  );
}

interface KubeconfigFile {
  readonly file: string;
  readonly text: string;
}

function merged(files: readonly KubeconfigFile[]): Kubeconfig {
  return mergeKubeconfigs(files.map(({ file, text }) => readKubeconfig(parseText(text, { file }), file)));
}

function textsOf(files: readonly KubeconfigFile[]): readonly string[] {
  return files.map(({ text }) => text);
}

function defaultFiles(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (listed.length > 0) return [...new Set(listed)];
  return [join(env['HOME'] || homedir(), '.kube', 'config')];
}

async function readFiles(files: readonly string[], mustExist: boolean): Promise<readonly KubeconfigFile[]> {
  const found = await Promise.all(files.map((file) => readOne(file, mustExist)));
  return found.filter((one) => one !== undefined);
}

async function readOne(file: string, mustExist: boolean): Promise<KubeconfigFile | undefined> {
  try {
    const signal = AbortSignal.timeout(READ_DEADLINE_MS);
    return { file, text: await readFile(file, { encoding: 'utf8', signal }) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    // A list may name files that do not exist yet; a file given explicitly must exist.
    if (code === 'ENOENT' && !mustExist) return undefined;
    throw new KubeconfigError('', `it cannot be read (${code})`, file);
  }
}
