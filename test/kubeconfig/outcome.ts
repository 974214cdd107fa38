/** The result of reading a kubeconfig, in a form that can be compared. */
import { defined } from '@ssvirt/base/values/defined';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { KubeError } from '../../packages/kube/src/errors.ts';
import { KubeconfigError, loadKubeconfig } from '../../packages/kube/src/kubeconfig/load.ts';
import type { KubeconfigCase } from './table.ts';

export interface Usable {
  readonly server: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
  readonly proxyUrl?: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly namespace: string;
  readonly context: string;
  readonly contexts: readonly string[];
}

export type Outcome = Usable | 'refused';

function kubeconfigVariable({ list }: KubeconfigCase, folder: string): string {
  return list.map((name) => (name === '' ? '' : join(folder, name))).join(delimiter);
}

export async function ourOutcome(one: KubeconfigCase, folder: string): Promise<Outcome> {
  const env = { KUBECONFIG: kubeconfigVariable(one, folder) };
  try {
    const source = await loadKubeconfig({ env, ...defined({ context: one.context }) });
    const { server, tls, proxyUrl, headers } = await source.current();
    return normal({
      server,
      ...tls,
      ...defined({ proxyUrl }),
      headers,
      namespace: source.namespace,
      context: source.context ?? '',
      contexts: source.contexts.map(({ name }) => name),
    });
  } catch (error) {
    if (error instanceof KubeconfigError || (error instanceof KubeError && error.kind === 'Credentials'))
      return 'refused';
    throw error;
  }
}

/** It reads the variable of the process and nothing else. */
export async function clientNodeOutcome(one: KubeconfigCase, folder: string): Promise<Outcome> {
  const config = new KubeConfig();
  try {
    process.env['KUBECONFIG'] = kubeconfigVariable(one, folder);
    config.loadFromDefault();
  } catch {
    // Any error is a refusal.
    return 'refused';
  } finally {
    delete process.env['KUBECONFIG'];
  }
  if (one.context !== undefined) config.setCurrentContext(one.context);
  const cluster = config.getCurrentCluster();
  if (cluster === null) return 'refused';
  const options: HttpsOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch {
    // As above.
    return 'refused';
  }
  const { ca, cert, key, servername: serverName, rejectUnauthorized, headers = {}, auth } = options;
  return normal({
    server: cluster.server,
    ...texts({ ca, cert, key, serverName, proxyUrl: cluster.proxyUrl }),
    ...(rejectUnauthorized === false ? { insecureSkipVerify: true } : {}),
    headers: {
      ...headers,
      ...(auth === undefined ? {} : { authorization: `Basic ${Buffer.from(auth).toString('base64')}` }),
    },
    namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? 'default',
    context: config.getCurrentContext(),
    contexts: config.getContexts().map(({ name }) => name),
  });
}

interface HttpsOptions {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: string;
}

function texts(values: Readonly<Record<string, Buffer | string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value ? [[name, value.toString()]] : [])),
  );
}

/** As test/kubeconfig/record.ts recorded them. */
export function clientGoOutcomes(): ReadonlyMap<string, Outcome> {
  const text = readFileSync(new URL('client-go/testdata/outcomes.json', import.meta.url), 'utf8');
  const record = JSON.parse(text) as Record<string, Partial<Usable> & { readonly error?: string }>;
  return new Map(
    Object.entries(record).map(([name, { error, ...found }]) => [
      name,
      error === undefined
        ? normal({ server: '', namespace: '', context: '', contexts: [], headers: {}, ...found })
        : 'refused',
    ]),
  );
}

/** Normalizes two forms of the same thing. */
function normal(
  found: Omit<Usable, 'headers'> & { readonly headers: Readonly<Record<string, string | readonly string[]>> },
): Usable {
  const headers = Object.entries(found.headers).map(([name, value]) => [name.toLowerCase(), [value].flat()] as const);
  const { origin, pathname } = new URL(found.server);
  return {
    ...found,
    server: `${origin}${pathname}`.replace(/\/$/, ''),
    headers: Object.fromEntries(headers.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    contexts: found.contexts.toSorted(),
  };
}
