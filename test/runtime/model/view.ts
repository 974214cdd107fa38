/** A view follows the Widgets of a namespace, and has handlers. */
import assert from 'node:assert/strict';
import type { Informer, Projected } from '../../../packages/kube/src/informer/informer.ts';
import type { Informers } from '../../../packages/kube/src/informer/informers.ts';
import type { LedgerEntry } from '../../../packages/kube/src/ledger/ledger.ts';
import { keyOf } from '../../../packages/kube/src/object.ts';
import { Dice } from '../../conformance/dice.ts';
import type { Harness } from '../harness.ts';
import { until } from '../until.ts';
import { widgets } from '../widget.ts';
import type { History } from './history.ts';
import { Witness } from './witness.ts';

export const selector = 'tier=in';

export interface View {
  /** Adds a handler in the middle of the run. */
  watchLate(): void;
  /** Waits until the view and all its handlers have the server's state. */
  settle(harness: Harness, namespace: string): Promise<void>;
  /** Throws unless every handler saw a subsequence of the history. */
  verify(history: History): void;
  readonly events: number;
}

/** An informer with several handlers: a fast one, a slow one, one that fails, and later a late one. */
export function informerView(name: string, informer: Informer<Projected>, dice: Dice, selects = false): View {
  const own = new Dice(dice.below(1_000_000));
  const witnesses: Witness[] = [];
  const join = (kind: string, behave: () => void | Promise<void>): void => {
    const witness = new Witness({ name: `${kind} of ${name}`, selects, behave });
    witnesses.push(witness);
    informer.addHandler(witness);
  };
  join('the quick one', () => undefined);
  join('the slow one', () => new Promise((wake) => setTimeout(wake, own.below(20))));
  join('the bad one', () => {
    if (own.chance(0.3)) throw new Error('a handler that fails');
  });
  return view(
    name,
    () => informer.list(),
    witnesses,
    selects,
    () => join('the late one', () => undefined),
  );
}

/** A ledger whose handler sometimes fails and is then called again. */
export function ledgerView(name: string, informers: Informers, namespace: string, dice: Dice): View {
  const own = new Dice(dice.below(1_000_000));
  const witness = new Witness({ name });
  const fail = (): void => {
    if (own.chance(0.05)) throw new Error('a handler that fails');
  };
  const ledger = informers.ledger(widgets, {
    namespaces: [namespace],
    fields: ({ spec }) => spec?.size,
    handler: {
      name,
      changed(object, previous) {
        fail();
        if (previous === undefined) return witness.added(object);
        return witness.updated(entryObject(previous), object, { resync: false });
      },
      gone(entry) {
        fail();
        return witness.deleted(entryObject(entry));
      },
    },
  });
  return view(
    name,
    () => [...ledger.entries()].map(entryObject),
    [witness],
    false,
    () => undefined,
  );
}

function entryObject({ key, uid, resourceVersion }: LedgerEntry<unknown>): Projected {
  return { metadata: { ...key, uid, resourceVersion } };
}

function view(
  name: string,
  cached: () => readonly Projected[],
  witnesses: readonly Witness[],
  selects: boolean,
  watchLate: () => void,
): View {
  return {
    watchLate,
    async settle(harness, namespace) {
      let difference: unknown;
      const look = async (): Promise<boolean> => {
        const query = { namespace, ...(selects ? { labelSelector: selector } : {}) };
        const there = versions((await harness.direct.list(widgets, query)).items);
        const here = versions(cached());
        const told = witnesses.filter(({ present }) => present.join() !== there.join());
        difference = { there, here, told: told.map((one) => [one.name, one.present]) };
        return here.join() === there.join() && told.length === 0;
      };
      try {
        await until(`${name} has what the server has`, look, { deadlineMs: 20_000 });
      } catch (error) {
        throw new Error(`${name} differs from the server: ${JSON.stringify(difference)}`, { cause: error });
      }
    },
    verify(history) {
      for (const witness of witnesses) witness.verify(history);
      assert.ok(
        witnesses.every(({ events }) => events > 0),
        `${name} was told nothing`,
      );
    },
    get events() {
      return witnesses.reduce((sum, { events }) => sum + events, 0);
    },
  };
}

function versions(objects: readonly Projected[]): string[] {
  return objects.map(({ metadata }) => `${keyOf(metadata)} ${metadata.uid} ${metadata.resourceVersion}`).sort();
}
