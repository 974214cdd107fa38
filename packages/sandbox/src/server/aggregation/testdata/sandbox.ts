/** A real sandbox cluster for tests, with an administrator's client and objects that point to an extension server. */
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { Duplex } from 'node:stream';
import type { ConnectionLimits } from '@ssvirt/base/net/connection-limits';
import { startCluster, type Cluster } from '../../cluster.ts';
import { loadIdentity, type Identity } from '../../identity.ts';
import type { Json, JsonObject } from '../../../values/json.ts';
import { startExtensionServer, type ExtensionServer } from './extension-server.ts';

export interface Reply {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Sandbox {
  readonly cluster: Cluster;
  readonly identity: Identity;
  /** What the cluster reported as its own defects. */
  readonly defects: string[];
  call(method: string, path: string, body?: JsonObject, headers?: Record<string, string | string[]>): Promise<Reply>;
  get(path: string): Promise<JsonObject>;
  /** Resolves when the answer begins. */
  open(path: string, headers?: Record<string, string>): Promise<IncomingMessage>;
  /**
   * The connection after its upgrade, or the answer that rejected the upgrade; `early` is sent together with the
   * request.
   */
  upgrade(path: string, early?: string): Promise<{ answer: IncomingMessage; socket?: Duplex; head: string }>;
  stop(): Promise<void>;
}

export const GROUP = 'ext.example.com';
export const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';

export async function startSandbox(
  kept: { data?: string } = {},
  limits: Partial<ConnectionLimits> = {},
): Promise<Sandbox> {
  const identity = await loadIdentity({ host: '127.0.0.1', ...kept });
  const defects: string[] = [];
  const onDefect = (error: unknown, where: string): void => void defects.push(`${where}: ${String(error)}`);
  const cluster = await startCluster({
    name: 'test',
    host: '127.0.0.1',
    port: 0,
    identity,
    eventWindow: 1000,
    onDefect,
    limits,
    ...kept,
  });
  const agent = new Agent({ keepAlive: true, ca: identity.authority.certificate });
  const base = { host: '127.0.0.1', port: new URL(cluster.url).port, agent };
  const authorization = `Bearer ${identity.token}`;
  const sandbox: Sandbox = {
    cluster,
    identity,
    defects,
    call: async (method, path, body, headers = {}) => {
      const type =
        body === undefined
          ? {}
          : { 'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = request({ ...base, method, path, headers: { authorization, ...type, ...headers } });
        sent
          .on('response', resolve)
          .on('error', reject)
          .end(body === undefined ? undefined : JSON.stringify(body));
      });
      return { code: answer.statusCode ?? 0, headers: answer.headers, body: await textOf(answer) };
    },
    get: async (path) => JSON.parse((await sandbox.call('GET', path)).body) as JsonObject,
    open: (path, headers = {}) =>
      new Promise((resolve, reject) =>
        request({ ...base, path, headers: { authorization, ...headers } })
          .on('response', resolve)
          .on('error', reject)
          .end(),
      ),
    upgrade: (path, early = '') =>
      new Promise((resolve, reject) => {
        const sent = request({
          ...base,
          path,
          headers: {
            authorization,
            Connection: 'Upgrade',
            Upgrade: 'websocket',
            'Sec-WebSocket-Protocol': 'plain.kubevirt.io',
          },
        });
        sent.on('upgrade', (answer, socket, head) => resolve({ answer, socket, head: head.toString() }));
        sent.on('response', (answer) => void textOf(answer).then((head) => resolve({ answer, head }), reject));
        sent.on('error', reject);
        sent.on('socket', (socket) => {
          if (early !== '') sent.on('finish', () => socket.write(early));
        });
        sent.end();
      }),
    stop: async () => {
      agent.destroy();
      await cluster.stop();
    },
  };
  return sandbox;
}

export async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export function extensionFor(
  sandbox: Sandbox,
  options: { port?: number; names?: string[] } = {},
): Promise<ExtensionServer> {
  const { authority } = sandbox.identity;
  const names = options.names ?? ['ext.default.svc'];
  return startExtensionServer({
    authority,
    clientAuthority: authority.certificate,
    names,
    ...(options.port === undefined ? {} : { port: options.port }),
  });
}

export function externalName(name: string, host = 'localhost'): JsonObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { type: 'ExternalName', externalName: host } };
}

export function apiService(sandbox: Sandbox, port: number, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `v1.${GROUP}` },
    spec: {
      group: GROUP,
      version: 'v1',
      groupPriorityMinimum: 1500,
      versionPriority: 15,
      service: { namespace: 'default', name: 'ext', port },
      caBundle: Buffer.from(sandbox.identity.authority.certificate).toString('base64'),
      ...spec,
    },
  };
}

export async function available(sandbox: Sandbox, name = `v1.${GROUP}`): Promise<JsonObject | undefined> {
  const { status } = (await sandbox.get(`${API_SERVICES}/${name}`)) as { status?: { conditions?: JsonObject[] } };
  return status?.conditions?.find(({ type }) => type === 'Available');
}

/** `eventually` waits for a value that passes; fails after a deadline with a message that names it. */
export async function eventually<T extends Json | object | undefined>(
  what: string,
  look: () => T | Promise<T>,
  passes: (value: T) => boolean,
): Promise<T> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const value = await look();
    if (passes(value)) return value;
    if (Date.now() > deadline) throw new Error(`${what} did not come; last seen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const RESOURCES: JsonObject = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${GROUP}/v1`,
  resources: [
    { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get', 'list'] },
    { name: 'things/console', singularName: '', namespaced: true, kind: '', verbs: ['get'] },
  ],
};
