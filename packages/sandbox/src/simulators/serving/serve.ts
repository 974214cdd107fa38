/** Serves the webhooks and aggregated APIs of the simulators, and registers them with an API server. */
import type { Client } from '@ssvirt/kube/client/client';
import type { Logger } from '@ssvirt/base/config/log';
import type { AggregatedApi, ServedWebhook } from './contracts.ts';
import { readTrust } from './front-proxy.ts';
import { serverNames } from './registered-objects.ts';
import { register, unregister } from './registration.ts';
import { startServer } from './server.ts';
import { TakenError } from './taken.ts';

export interface ServeOptions {
  readonly client: Client;
  readonly webhooks: readonly ServedWebhook[];
  readonly apis: readonly AggregatedApi[];
  /** The namespace of the Services; it must exist. */
  readonly namespace: string;
  readonly log: Logger;
  readonly signal?: AbortSignal;
}

export interface Served {
  readonly port: number;
  /** Stops answering without unregistering, like a server that died; `resume` reverses it. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Unregisters everything, unless the API server ends too, and closes. */
  close(options?: { readonly leaveRegistered?: boolean }): Promise<void>;
}

/** `serve` resolves when all APIs answer through the API server. */
export async function serve(options: ServeOptions): Promise<Served> {
  const { client, webhooks, apis, namespace, log, signal } = options;
  const names = serverNames(apis, namespace);
  const server = await startServer({ webhooks, apis, names, trust: await readTrust(client), log });
  const address = { port: server.port, authority: server.authority, namespace };
  const close: Served['close'] = async ({ leaveRegistered = false } = {}) => {
    try {
      if (!leaveRegistered) await unregister(client, { webhooks, apis, address });
    } finally {
      await server.close();
    }
  };
  try {
    await register(client, { webhooks, apis, address }, signal);
  } catch (error) {
    await close({ leaveRegistered: error instanceof TakenError });
    throw error;
  }
  return { port: server.port, pause: () => server.pause(), resume: () => server.resume(), close };
}
