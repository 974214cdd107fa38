/** Connects under another identity: each component writes as itself, because KubeVirt's webhooks check who writes. */
import type { Connection, ConnectionSource } from '@ssvirt/kube/connection';
import { components, type Component } from './world.ts';

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):/;

/**
 * The groups make every component an administrator: the rights of KubeVirt's own roles are not simulated, and the
 * simulators must also work in a cluster without these roles.
 */
export function identityHeaders(component: Component, node?: string): Connection['headers'] {
  const user = components[component];
  const namespace = SERVICE_ACCOUNT.exec(user)?.[1];
  const own = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return {
    'Impersonate-User': user,
    'Impersonate-Group': ['system:masters', ...own, 'system:authenticated'],
    ...(node === undefined ? {} : { 'Impersonate-Extra-authentication.kubernetes.io%2Fnode-name': [node] }),
  };
}

/** An unchanged connection is the same object each time, so that its sockets are reused. */
export function impersonating(source: ConnectionSource, identity: Connection['headers']): ConnectionSource {
  const wrapped = new WeakMap<Connection, Connection>();
  const origins = new WeakMap<Connection, Connection>();
  return {
    async current(signal) {
      const origin = await source.current(signal);
      const known = wrapped.get(origin);
      if (known !== undefined) return known;
      const connection = { ...origin, headers: { ...withoutIdentity(origin.headers), ...identity } };
      wrapped.set(origin, connection);
      origins.set(connection, origin);
      return connection;
    },
    refused: (connection, signal) => source.refused(origins.get(connection) ?? connection, signal),
  };
}

/** The identity that a kubeconfig asks to impersonate is replaced, not combined. */
function withoutIdentity(headers: Connection['headers']): Connection['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^impersonate-/i.test(name)));
}
