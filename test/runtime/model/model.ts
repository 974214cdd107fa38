/**
 * Random histories of writes, faults and restarts. At the end every cache equals the server, and the states of an
 * object that each handler saw are a subsequence of its history.
 */
import { pino, type Logger } from 'pino';
import { createInformers } from '../../../packages/kube/src/informer/informers.ts';
import type { ReflectorOptions } from '../../../packages/kube/src/reflector/options.ts';
import { Dice } from '../../conformance/dice.ts';
import type { Harness } from '../harness.ts';
import { quickReflector } from '../matrix/replica.ts';
import { widgets } from '../widget.ts';
import { Author } from './author.ts';
import { History } from './history.ts';
import { Mischief } from './mischief.ts';
import { informerView, ledgerView, selector } from './view.ts';

export interface ModelOptions {
  readonly seed: number;
  readonly writes: number;
  /** The probability that a fault follows a write. */
  readonly mischief: number;
  readonly kills: number;
}

export interface ModelOutcome {
  readonly lives: number;
  readonly events: number;
  readonly played: ReadonlyMap<string, number>;
}

export async function runModel(harness: Harness, options: ModelOptions): Promise<ModelOutcome> {
  const dice = new Dice(options.seed);
  const namespace = await harness.namespace('model');
  const proxy = await harness.newProxy();
  const credential = harness.credential(proxy);
  const client = harness.client({ source: credential });
  const history = new History();
  const author = new Author(harness.direct, namespace, dice, history);
  const path = `/apis/test.ssvirt.io/v1/namespaces/${namespace}/widgets`;
  const mischief = new Mischief({
    harness,
    proxy,
    credential,
    dice,
    path,
    kills: options.kills,
    write: () => author.write(),
  });
  const log: Logger = pino({ level: process.env['SSVIRT_TEST_LOG'] ?? 'silent' });

  // Some have such a long silence limit that no list repairs what they missed; `mischief.end` cuts silent streams.
  const reflectors: Partial<ReflectorOptions>[] = [
    { watchList: true, silenceMs: 60_000 },
    { watchList: false, silenceMs: 60_000 },
    { lists: 'consistent', silenceMs: 400 },
  ];
  const sets = reflectors.map((reflector) =>
    createInformers({ client, log, reflector: { ...quickReflector, ...reflector } }),
  );
  const namespaces = [namespace];
  const views = sets.flatMap((informers, i) => [
    informerView(`all ${i}`, informers.informer(widgets, { namespaces }), dice),
    informerView(`metadata ${i}`, informers.informer(widgets, { namespaces, metadataOnly: true }), dice),
    informerView(`selected ${i}`, informers.informer(widgets, { namespaces, labelSelector: selector }), dice, true),
    ledgerView(`ledger ${i}`, informers, namespace, dice),
  ]);

  try {
    for (let write = 0; write < options.writes; write++) {
      await author.write();
      if (dice.chance(options.mischief)) await mischief.play();
      if (write === Math.floor(options.writes / 2)) for (const one of views) one.watchLate();
      // Pauses now and then.
      if (dice.chance(0.1)) await new Promise((wake) => setTimeout(wake, dice.below(150)));
    }
    await mischief.end();
    for (const one of views) await one.settle(harness, namespace);
    for (const one of views) one.verify(history);
    const events = views.reduce((sum, one) => sum + one.events, 0);
    return { lives: history.lives.size, events, played: mischief.played };
  } finally {
    for (const informers of sets) await informers.stop();
    await client.close();
    await proxy.stop();
  }
}
