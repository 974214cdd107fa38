/**
 * The harness of the runtime's tests: a server (the sandbox, or a real kube-apiserver), a fault proxy in front of it,
 * and the kind Widget. stop() ends everything that it returned.
 */
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient, type ClientOptions } from '../../packages/kube/src/client/create.ts';
import type { ConnectionSource } from '../../packages/kube/src/connection.ts';
import type { RestartableCluster } from '../cluster/cluster.ts';
import { startRealCluster } from '../cluster/real.ts';
import { startRestartableSandbox } from '../cluster/sandbox.ts';
import { httpClient, type HttpClient } from '../conformance/http.ts';
import { Credential } from './credential.ts';
import { FaultProxy } from './fault-proxy.ts';
import { until } from './until.ts';
import { widgetDefinition } from './widget.ts';

export type HarnessKind = 'sandbox' | 'real';

export interface Harness {
  readonly kind: HarnessKind;
  /** The server behind the proxy. */
  readonly cluster: RestartableCluster;
  /** The proxy of credential(). Cases that refuse or cut all connections use one of their own: newProxy(). */
  readonly proxy: FaultProxy;
  newProxy(): Promise<FaultProxy>;
  /** A ConnectionSource for createClient, with a token of its own. */
  credential(proxy?: FaultProxy): Credential;
  /** A client through the proxy, with a credential of its own if no `source` is given. It is closed at the end. */
  client(options?: Partial<ClientOptions> & { readonly proxy?: FaultProxy }): Client;
  /** A client that bypasses the proxy, for writers and checks: no fault affects it. */
  readonly direct: Client;
  /** Plain HTTP to the server, bypassing the proxy. */
  readonly http: HttpClient;
  /** Creates a namespace with a unique name. */
  namespace(prefix?: string): Promise<string>;
  /** Drops the history, so that watches from old versions get 410. Only the sandbox can do this. */
  compact(): Promise<void>;
  stop(): Promise<void>;
}

export interface HarnessOptions {
  /** More flags for the sandbox. */
  readonly sandboxArgs?: readonly string[];
}

export async function startHarness(kind: HarnessKind, options: HarnessOptions = {}): Promise<Harness> {
  const cluster =
    kind === 'sandbox'
      ? await startRestartableSandbox({ args: ['--log-level', 'warn', ...(options.sandboxArgs ?? [])] })
      : await startRealCluster();
  const http = httpClient(cluster);
  const proxies: FaultProxy[] = [];
  const newProxy = async (): Promise<FaultProxy> => {
    const proxy = await FaultProxy.start(cluster);
    proxies.push(proxy);
    return proxy;
  };
  const clients: Client[] = [];
  const client = (options: Partial<ClientOptions>): Client => {
    const made = createClient({ cluster: 'harness', userAgent: 'runtime-test', source: direct, ...options });
    clients.push(made);
    return made;
  };
  const direct = directSource(cluster);
  const stop = async (): Promise<void> => {
    for (const one of clients) await one.close();
    for (const one of proxies) await one.stop();
    http.close();
    await cluster.stop();
  };
  try {
    const proxy = await newProxy();
    await installWidgets(http);
    let namespaces = 0;
    return {
      kind,
      cluster,
      proxy,
      newProxy,
      http,
      direct: client({ userAgent: 'runtime-test-direct' }),
      credential: (through = proxy) => new Credential(through),
      client: ({ proxy: through = proxy, ...more } = {}) => client({ source: new Credential(through), ...more }),
      namespace: (prefix = 'harness') => createNamespace(http, `${prefix}-${++namespaces}`),
      compact: () => compact(kind, cluster, http),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function directSource({ url, ca, token }: RestartableCluster): ConnectionSource {
  const connection = { server: url, tls: { ca }, headers: { authorization: `Bearer ${token}` } };
  return { current: () => Promise.resolve(connection), refused: () => Promise.resolve(false) };
}

async function installWidgets(http: HttpClient): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { status, body } = await http.send({ method: 'POST', path, body: widgetDefinition });
  if (status !== 201) throw new Error(`cannot install the kind Widget: ${status} ${JSON.stringify(body)}`);
  await until('widgets are served', async () => {
    const answer = await http.send({ method: 'GET', path: '/apis/test.ssvirt.io/v1/widgets' });
    return answer.status === 200;
  });
}

async function createNamespace(http: HttpClient, name: string): Promise<string> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  const answer = await http.send({ method: 'POST', path: '/api/v1/namespaces', body });
  if (answer.status !== 201) throw new Error(`cannot create the namespace "${name}": ${answer.status}`);
  return name;
}

async function compact(kind: HarnessKind, cluster: RestartableCluster, http: HttpClient): Promise<void> {
  if (kind === 'real') return cluster.compact();
  const { status } = await http.send({ method: 'POST', path: '/sandbox/compact' });
  if (status !== 200) throw new Error(`cannot compact the sandbox: ${status}`);
}
