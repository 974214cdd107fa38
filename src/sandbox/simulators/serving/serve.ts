/** Webhooks and aggregated APIs of the simulators on an API server: served here, known there. */
import type { Client } from '../../../kube/client/client.ts';
import type { Logger } from '../../../config/log.ts';
import type { AggregatedApi, Webhook } from './contracts.ts';
import { readTrust } from './front-proxy.ts';
import { serverNames } from './registered-objects.ts';
import { register, unregister } from './registration.ts';
import { startServer } from './server.ts';
import { TakenError } from './taken.ts';

export interface ServeOptions {
  readonly client: Client;
  readonly webhooks: readonly Webhook[];
  readonly apis: readonly AggregatedApi[];
  /** In which the Services stand; it must be there. */
  readonly namespace: string;
  readonly log: Logger;
  readonly signal?: AbortSignal;
}

export interface Served {
  readonly port: number;
  /** Stops answering without taking anything back, as a server that died; `resume` brings it back. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Takes them back from the API server, unless that ends too, and closes. */
  close(options?: { readonly leaveRegistered?: boolean }): Promise<void>;
}

/** Resolves when all answer through the API server. */
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
