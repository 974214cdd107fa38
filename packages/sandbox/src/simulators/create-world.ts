/**
 * Creates a world from a connection: caches that all components share, and a client and an event recorder for each
 * component under its own name.
 */
import { Registry } from 'prom-client';
import { createInformers } from '@ssvirt/kube/informer/informers';
import { withOwnWrites } from '@ssvirt/kube/informer/own-writes';
import type { Client } from '@ssvirt/kube/client/client';
import { createClient } from '@ssvirt/kube/client/create';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { ConnectionSource } from '@ssvirt/kube/connection';
import { createRecorder, type EventRecorder } from '@ssvirt/kube/events/recorder';
import { createMetrics, type Metrics } from '@ssvirt/kube/metrics/metrics';
import type { Logger } from '@ssvirt/base/config/log';
import { createDialBoard, type DialBoard } from './dial-board.ts';
import type { Dials } from './dials.ts';
import { identityHeaders, impersonating } from './impersonate.ts';
import type { Component, World } from './world.ts';

export const KUBEVIRT_NAMESPACE = 'kubevirt';

/** The name under which the simulators act for themselves. */
export const OWN_NAME = 'ssvirt-simulators';

/** Thousands of VMs that start at once emit many events. */
const EVENTS_THAT_MAY_WAIT = 50_000;
const FLUSH_MS = 2000;

export interface WorldOptions {
  /** The cluster's name in logs and metrics. */
  readonly name: string;
  /** Its user must be allowed to impersonate. */
  readonly source: ConnectionSource;
  readonly dials?: Partial<Dials>;
  readonly log: Logger;
  readonly metrics?: Metrics;
}

export interface CreatedWorld extends World {
  /** The connection's own user, which fills the caches and installs objects. */
  readonly administrator: Client;
  /** The cluster as that user sees it; its events carry the simulators' own name. */
  readonly self: Cluster;
  readonly board: DialBoard;
  /** Stops all components, empties the caches, sends the remaining events and closes the connections. */
  close(): Promise<void>;
}

/** All controllers of virt-controller emit events under the name of the first of them. */
const eventSources: Partial<Record<Component, string>> = { 'virt-controller': 'virtualmachine-controller' };

interface Persona {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly recorder: EventRecorder;
}

export function createWorld(options: WorldOptions): CreatedWorld {
  const { name, source, log } = options;
  const metrics = options.metrics ?? createMetrics(new Registry());
  const leaving = new AbortController();
  // The installed definition may be older or newer than the simulator: a field that it drops is no error.
  const connect = (from: ConnectionSource, userAgent: string): Client =>
    createClient({
      cluster: name,
      source: from,
      userAgent,
      fieldManager: userAgent,
      fieldValidation: 'Ignore',
      metrics,
      log,
    });
  const administrator = connect(source, OWN_NAME);
  const informers = createInformers({ client: administrator, metrics, log: log.child({ cluster: name }) });
  const personas = new Map<string, Persona>();
  const persona = (client: Client, component: string, node?: string): Persona => {
    const recorder = createRecorder({
      client,
      component,
      ...(node === undefined ? {} : { host: node }),
      metrics,
      log,
      queueLength: EVENTS_THAT_MAY_WAIT,
    });
    const cluster = { name, client: withOwnWrites(client, informers), informers, recorder, signal: leaving.signal };
    return { cluster, client, recorder };
  };
  const create = (component: Component, node: string | undefined, events: string | undefined): Persona => {
    const client = connect(impersonating(source, identityHeaders(component, node)), component);
    return persona(client, events ?? eventSources[component] ?? component, node);
  };
  const self = persona(administrator, OWN_NAME);
  const board = createDialBoard(options.dials);
  return {
    as(component, { node, events } = {}) {
      const key = `${component}/${node ?? ''}/${events ?? ''}`;
      const known = personas.get(key) ?? create(component, node, events);
      personas.set(key, known);
      return known.cluster;
    },
    kubevirtNamespace: KUBEVIRT_NAMESPACE,
    dials: board.dials,
    onDialsChanged: (listener) => board.onChange(listener),
    scaled: (milliseconds) => milliseconds / board.dials.speed,
    log,
    metrics,
    signal: leaving.signal,
    administrator,
    self: self.cluster,
    board,
    async close() {
      leaving.abort();
      const all = [self, ...personas.values()];
      try {
        await informers.stop();
        await Promise.all(all.map(({ recorder }) => recorder.stop(FLUSH_MS)));
      } finally {
        await Promise.all(all.map(({ client }) => client.close()));
      }
    },
  };
}
