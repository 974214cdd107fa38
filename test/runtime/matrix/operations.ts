/** The operations that a fault can strike, and how a controller is made to execute them. */
import type { FaultProxy, Match } from '../fault-proxy.ts';
import { isStream, isWrite } from '../seen-request.ts';

export const operations = ['list', 'watch-list', 'watch', 'write', 'lease renewal'] as const;
export type Operation = (typeof operations)[number];

/** The requests of an operation. */
export const requestsOf: Readonly<Record<Operation, Match>> = {
  list: ({ verb, resource }) => verb === 'list' && resource === 'widgets',
  'watch-list': ({ verb, resource }) => verb === 'watch-list' && resource === 'widgets',
  watch: ({ verb, resource }) => verb === 'watch' && resource === 'widgets',
  write: (request) => isWrite(request) && request.resource === 'widgets',
  'lease renewal': (request) => isWrite(request) && request.resource === 'leases',
};

/** Whether reflectors use watch-lists while this operation is tested. */
export function usesWatchList(operation: Operation): boolean {
  return operation === 'watch-list' || operation === 'write' || operation === 'lease renewal';
}

/** Makes a running controller repeat the operation if it would not do so by itself; writes and renewals come anyway. */
export function provoke(operation: Operation, proxy: FaultProxy): void {
  const streams: Match = (request) => isStream(request) && request.resource === 'widgets';
  switch (operation) {
    case 'list':
    case 'watch-list':
      proxy.strike({ kind: 'error-event', code: 410 }, streams);
      break;
    case 'watch':
      proxy.strike({ kind: 'reset' }, streams);
      break;
    case 'write':
    case 'lease renewal':
      break;
  }
}
