/** Sends requests in the name of those who sent them in the recording. */
import type { Json } from '../../src/sandbox/json.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { httpClient, type HttpAnswer } from '../conformance/http.ts';

export interface Sent {
  readonly user: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly contentType?: string | undefined;
  readonly body?: Json | undefined;
  /** The node that a virt-handler speaks for. */
  readonly node?: string | undefined;
}

export interface Sender {
  send(request: Sent): Promise<HttpAnswer>;
  close(): void;
}

/** Who they are; a person with all rights needs no other name than that of the credentials. */
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
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      };
      return client.send({
        method,
        path: `${encodeURI(path)}${parameters === '' ? '' : `?${parameters}`}`,
        headers,
        body,
      });
    },
    close: () => client.close(),
  };
}

function identity(user: string, node: string | undefined): Record<string, string> {
  if (user === 'user' || user === 'admin') return {};
  const name = users[user];
  // Somebody without rights is in no group.
  if (name === undefined) return { 'impersonate-user': user };
  return {
    'impersonate-user': name,
    'impersonate-group': 'system:masters',
    ...(node === undefined ? {} : { 'impersonate-extra-authentication.kubernetes.io%2fnode-name': node }),
  };
}
