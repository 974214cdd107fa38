/** Sends requests in the names of the recorded senders. */
import { defined } from '@ssvirt/base/values/defined';
import { randomBytes } from 'node:crypto';
import { request as httpsRequest } from 'node:https';
import type { Json } from '../../packages/sandbox/src/values/json.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { httpClient, type HttpAnswer } from '../conformance/http.ts';

export interface Sent {
  readonly user: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly contentType?: string | undefined;
  readonly body?: Json | undefined;
  /** The node that a virt-handler writes for. */
  readonly node?: string | undefined;
}

export interface Sender {
  send(request: Sent): Promise<HttpAnswer>;
  /** Requests a websocket: 101 and an empty body if it is accepted. The socket is closed at once. */
  upgrade(request: Sent): Promise<HttpAnswer>;
  close(): void;
}

/** The senders; a user with all rights needs only the name of the credentials. */
const users: Readonly<Record<string, string>> = {
  scheduler: 'system:kube-scheduler',
  kubelet: 'system:node:node01',
  cdi: 'system:serviceaccount:cdi:cdi-sa',
  csi: 'system:serviceaccount:kube-system:csi-provisioner',
  'virt-handler': 'system:serviceaccount:kubevirt:kubevirt-handler',
};

export function sender(cluster: Credentials): Sender {
  const client = httpClient(cluster);
  return {
    send({ user, method, path, query, contentType, body, node }) {
      const parameters = new URLSearchParams(query).toString();
      const headers = {
        ...identity(user, node),
        ...defined({ 'content-type': contentType }),
      };
      return client.send({
        method,
        path: `${encodeURI(path)}${parameters === '' ? '' : `?${parameters}`}`,
        headers,
        body,
      });
    },
    upgrade: (request) => upgrade(cluster, request),
    close: () => client.close(),
  };
}

const upgradeDeadline = 60_000;

function upgrade(cluster: Credentials, { user, method, path, node }: Sent): Promise<HttpAnswer> {
  const { hostname, port } = new URL(cluster.url);
  return new Promise((resolve, reject) => {
    const request = httpsRequest({
      ca: cluster.ca,
      agent: false,
      hostname,
      port,
      method,
      path: encodeURI(path),
      headers: {
        ...identity(user, node),
        authorization: `Bearer ${cluster.token}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        'sec-websocket-protocol': 'plain.kubevirt.io',
      },
    });
    request.setTimeout(upgradeDeadline, () => request.destroy(new Error(`${method} ${path} was not answered`)));
    request.on('error', reject);
    request.on('upgrade', ({ statusCode = 0, headers }, socket) => {
      socket.destroy();
      resolve({ status: statusCode, headers, body: undefined });
    });
    request.on('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: parsed(text) }),
      );
    });
    request.end();
  });
}

function parsed(text: string): Json | undefined {
  if (text === '') return undefined;
  return text.startsWith('{') ? (JSON.parse(text) as Json) : text;
}

function identity(user: string, node: string | undefined): Record<string, string> {
  if (user === 'user' || user === 'admin') return {};
  const name = users[user];
  // A user without rights is in no group.
  if (name === undefined) return { 'impersonate-user': user };
  return {
    'impersonate-user': name,
    'impersonate-group': 'system:masters',
    ...defined({ 'impersonate-extra-authentication.kubernetes.io%2fnode-name': node }),
  };
}
