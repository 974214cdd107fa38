/** Helm, called as a user would, and its output. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import { policies } from '../../deploy/chart/manifests.ts';
import { findTool } from '../not-run.ts';

export const chart = resolve(import.meta.dirname, '../../deploy/chart/ssvirt');
export const release = { name: 'ssvirt', namespace: 'ssvirt-system' } as const;

export type Values = Readonly<Record<string, unknown>>;

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Calls Helm. Its own folders are temporary, so the configuration of this host does not matter. */
export async function helm(args: readonly string[], values: Values = {}, kubeconfig = '/dev/null'): Promise<Said> {
  const folder = await mkdtemp(join(tmpdir(), 'ssvirt-helm-'));
  try {
    const file = join(folder, 'values.yaml');
    // JSON, since Helm reads YAML 1.1, in which an unquoted yes is a boolean.
    await writeFile(file, JSON.stringify(withPublicUrl(values)));
    const env = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: kubeconfig };
    const withValues = ['template', 'lint', 'install', 'upgrade'].includes(args[0] ?? '') ? ['--values', file] : [];
    return await said(findTool('helm') ?? 'helm', [...args, ...withValues], env);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The chart installs no API server without the URL of its API. */
function withPublicUrl(values: Values): Values {
  return { ...values, apiServer: { publicUrl: 'https://cloud.example.org', ...(values['apiServer'] as object) } };
}

function said(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Said> {
  return new Promise((done) =>
    execFile(command, args, { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    ),
  );
}

export interface Rendered extends KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** The output of `helm template` for the chart with these values. */
export async function render(values: Values): Promise<readonly Rendered[]> {
  const { code, stdout, stderr } = await helm(
    ['template', release.name, chart, '--namespace', release.namespace, '--api-versions', policies],
    values,
  );
  if (code !== 0) throw new Error(stderr);
  return objectsIn(stdout);
}

export function objectsIn(text: string): readonly Rendered[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);
}

/** `Deployment ssvirt-api-server`: names an object in complaints. */
export function titleOf({ kind, metadata }: Rendered): string {
  return `${kind} ${metadata.name ?? ''}`;
}

/** The data of a ConfigMap or a Secret, by kind and name. */
export function dataOf(
  objects: readonly Rendered[],
  kind: 'ConfigMap' | 'Secret',
  name: string,
): Readonly<Record<string, string>> {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found['data'] as Readonly<Record<string, string>>;
}
