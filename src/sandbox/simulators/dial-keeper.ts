/**
 * The ConfigMap that holds the dials: whoever changes it turns them, at once. It is there from the start, so that it can be found and edited; a value
 * that breaks its rule is told by an event, and the dial stays where it was.
 */
import type { Client } from '../../kube/client/client.ts';
import { createController } from '../../kube/controller/controller.ts';
import { watches } from '../../kube/controller/sources.ts';
import { ApiError } from '../../kube/errors.ts';
import type { Runnable } from '../../kube/manager/runnable.ts';
import { KUBEVIRT_NAMESPACE, type CreatedWorld } from './create-world.ts';
import { describeProblem, dialTable, readDials, showDials } from './dial-values.ts';
import { defaultDials, type Dials } from './dials.ts';
import { configMaps, type ConfigMap } from './serving/front-proxy.ts';

export const DIALS = { namespace: KUBEVIRT_NAMESPACE, name: 'ssvirt-simulators' } as const;

/**
 * Turns the dials to what the ConfigMap says, and makes one where there is none. What was asked for at this start wins over what an earlier one has
 * left in it.
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
    if (error instanceof ApiError && error.kind === 'NotFound') return undefined;
    throw error;
  }
}

/** The dials that were asked for, as text. */
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
