/**
 * The pools of undici. Its main module also loads mocks, caches and fetch, which takes longer than everything else that
 * a client needs. So the pool is loaded from its own file, in the pinned version; the rest is loaded only with a proxy.
 */
import { createRequire } from 'node:module';
import type { Dispatcher, Pool, ProxyAgent } from 'undici';

const load = createRequire(import.meta.url);
const parts = 'undici/lib';
const PoolClass = load(`${parts}/dispatcher/pool.js`) as typeof Pool;
const DispatcherClass = load(`${parts}/dispatcher/dispatcher.js`) as typeof Dispatcher;
// As in the main module: adds request(), stream() and the others.
Object.assign(DispatcherClass.prototype, load(`${parts}/api/index.js`));

export function createPool(origin: string, options: Pool.Options): Dispatcher {
  return new PoolClass(origin, options);
}

export function createProxyAgent(options: ProxyAgent.Options): Dispatcher {
  const all = load('undici') as { readonly ProxyAgent: typeof ProxyAgent };
  return new all.ProxyAgent(options);
}
