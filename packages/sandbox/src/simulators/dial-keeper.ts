/**
 * The ConfigMap of the dials: a change to it takes effect at once. It exists from the start, so that users can find and
 * edit it. An invalid value is reported by an event, and the dial keeps its value.
 */
import type { Client } from '@ssvirt/kube/client/client';
import { createController } from '@ssvirt/kube/controller/controller';
import { watches } from '@ssvirt/kube/controller/sources';
import { KubeError } from '@ssvirt/kube/errors';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import { KUBEVIRT_NAMESPACE, type CreatedWorld } from './create-world.ts';
import { describeProblem, dialTable, readDials, showDials } from './dial-values.ts';
import { defaultDials, type Dials } from './dials.ts';
import { configMaps, type ConfigMap } from './serving/front-proxy.ts';

export const DIALS = { namespace: KUBEVIRT_NAMESPACE, name: 'ssvirt-simulators' } as const;

/**
 * Sets the dials from the ConfigMap, and creates it if it is missing. Values that this start requested override those
 * in the ConfigMap.
 */
export async function placeDials(world: CreatedWorld, asked: Partial<Dials> = {}): Promise<void> {
  const { administrator: client, board } = world;
  const found = await findDials(client);
  if (found === undefined) {
    const metadata = { ...DIALS, labels: { 'app.kubernetes.io/managed-by': 'ssvirt-simulators' } };
    await client.create(configMaps, { metadata, data: showDials(board.dials) });
    return;
  }
  const changed = changedBy(asked);
  if (Object.keys(changed).length > 0)
    await client.patch(configMaps, DIALS, { type: 'merge', body: { data: changed } });
  board.turn(readDials({ ...found.data, ...changed }, board.initial, board.dials).dials);
}

export async function findDials(client: Client): Promise<ConfigMap | undefined> {
  try {
    return await client.get(configMaps, DIALS);
  } catch (error) {
    if (error instanceof KubeError && error.kind === 'NotFound') return undefined;
    throw error;
  }
}

/** The requested dials, as text. */
function changedBy(asked: Partial<Dials>): Record<string, string> {
  const wanted = showDials({ ...defaultDials, ...asked });
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => dialTable[name]?.isIn(asked)));
}

export function dialKeeper(world: CreatedWorld): Runnable {
  const { board, self, log, metrics } = world;
  const informer = self.informers.informer(configMaps, { namespaces: [DIALS.namespace] });
  let told = new Set<string>();
  const controller = createController({
    name: 'dials',
    log,
    metrics,
    needsLeadership: false,
    sources: () => [watches(informer, ({ object }) => (object.metadata.name === DIALS.name ? [DIALS] : []))],
    reconcile() {
      const object = informer.get(DIALS);
      const { dials, problems } = readDials(object?.data ?? {}, board.initial, board.dials);
      board.turn(dials);
      const texts = new Set(problems.map(describeProblem));
      for (const text of texts)
        if (object !== undefined && !told.has(text)) self.recorder.event(object, 'Warning', 'BadDial', text);
      told = texts;
      return Promise.resolve();
    },
  });
  controller.engage(self);
  return controller;
}
