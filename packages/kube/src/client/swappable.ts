/**
 * `SwappableSource` is a connection source that can be replaced while clients use it, for example when the Secret with
 * the kubeconfig is rotated.
 */
import type { Connection, ConnectionSource } from '../connection.ts';

export interface SwappableSource extends ConnectionSource {
  replace(source: ConnectionSource): void;
}

export function swappable(initial: ConnectionSource): SwappableSource {
  let source = initial;
  const givenBy = new WeakMap<Connection, ConnectionSource>();
  return {
    async current(signal) {
      const giver = source;
      const connection = await giver.current(signal);
      givenBy.set(connection, giver);
      return connection;
    },
    refused(connection, signal) {
      // The refused connection came from a replaced source: the current one has not been tried.
      if (givenBy.get(connection) !== source) return Promise.resolve(true);
      return source.refused(connection, signal);
    },
    replace(next) {
      source = next;
    },
  };
}
