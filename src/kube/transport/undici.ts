/**
 * The pools of undici. Its front door loads mocks, caches and fetch too, which takes longer than all else that a client needs: the pool is taken from
 * where it stands, in the version that is pinned, and the rest is loaded by those who have a proxy.
 */
import { createRequire } from 'node:module';
import type { Dispatcher, Pool, ProxyAgent } from 'undici';

const load = createRequire(import.meta.url);
const parts = 'undici/lib';
const PoolClass = load(`${parts}/dispatcher/pool.js`) as typeof Pool;
const DispatcherClass = load(`${parts}/dispatcher/dispatcher.js`) as typeof Dispatcher;
// As the front door does it: request(), stream() and the others.
Object.assign(DispatcherClass.prototype, load(`${parts}/api/index.js`));

export function createPool(origin: string, options: Pool.Options): Dispatcher {
  return new PoolClass(origin, options);
}

export function createProxyAgent(options: ProxyAgent.Options): Dispatcher {
  const all = load('undici') as { readonly ProxyAgent: typeof ProxyAgent };
  return new all.ProxyAgent(options);
}
