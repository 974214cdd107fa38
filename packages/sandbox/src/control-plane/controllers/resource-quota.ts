/**
 * Keeps the status of ResourceQuotas: copies the limits from the spec, and recounts the usage when something was
 * removed.
 */
import type { Resource } from '../../server/api/resource.ts';
import {
  accumulate,
  amountsAt,
  amountsJson,
  NONE,
  only,
  sameAmounts,
  type Amounts,
} from '../admission/quota/amounts.ts';
import { scopesOf } from '../admission/quota/quota-check.ts';
import {
  evaluatorOf,
  isAlive,
  isTerminating,
  needsRecount,
  type QuotaEvaluator,
} from '../admission/quota/quota-evaluators.ts';
import { QUOTAS, writeQuotaStatus } from '../admission/quota/quota-status.ts';
import { peek } from '../admission/stored.ts';
import { jsonEqual, type KubeObject } from '../../values/json.ts';
import { objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { quantityOfInt, type Quantity } from '../../objects/schema/quantity.ts';
import { parseEntry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { StoreEvent, StoreTable } from '../../store/table.ts';
import type { LocalClient } from './client.ts';
import { WorkQueue } from './work-queue.ts';

const COUNTABLE = ['create', 'list', 'watch', 'delete'];

export class ResourceQuotaController {
  readonly #store: Store;
  readonly #client: LocalClient;
  readonly #queue: WorkQueue;
  readonly #stop: () => void;

  constructor(store: Store, client: LocalClient, onError: (error: unknown, key: string) => void) {
    this.#store = store;
    this.#client = client;
    this.#queue = new WorkQueue((key) => Promise.resolve(this.#reconcile(key)), onError);
    for (const entry of store.table(QUOTAS).range('')) this.#queue.add(entry.key);
    this.#stop = store.listen((table, event) => this.#onEvent(table, event));
  }

  stop(): void {
    this.#stop();
    this.#queue.stop();
  }

  #onEvent(table: StoreTable, event: StoreEvent): void {
    const { entry } = event;
    if (table.name === QUOTAS && event.type !== 'DELETED') {
      const quota = peek(entry);
      if (!jsonEqual(objectAt(quota, 'spec')?.['hard'], objectAt(quota, 'status')?.['hard']))
        this.#queue.add(entry.key);
    }
    if (event.type === 'ADDED' || entry.namespace === '' || this.#store.table(QUOTAS).size === 0) return;
    const slash = table.name.indexOf('/');
    const evaluator = evaluatorOf(table.name.slice(0, slash), table.name.slice(slash + 1));
    if (evaluator === undefined || !freesSomething(table.name, event)) return;
    for (const quota of this.#store.table(QUOTAS).range(`${entry.namespace}/`)) {
      if (hardNames(peek(quota)).some((name) => evaluator.measures(name))) this.#queue.add(quota.key);
    }
  }

  /** Counts and writes without yielding to the event loop, so that nothing is created or deleted in between. */
  #reconcile(key: string): void {
    const entry = this.#store.table(QUOTAS).get(key);
    if (entry === undefined) return;
    const quota = parseEntry(entry);
    const status = objectAt(quota, 'status');
    const hard = amountsAt(objectAt(quota, 'spec'), 'hard');
    const used = only(this.#usage(quota, entry.namespace, hard), (name) => hard.has(name));
    const known = status?.['hard'] !== undefined && status['used'] !== undefined;
    if (known && sameAmounts(hard, amountsAt(status, 'hard')) && sameAmounts(used, amountsAt(status, 'used'))) return;
    const resource = this.#client.builtin('', 'v1', 'resourcequotas');
    writeQuotaStatus(
      this.#store,
      resource,
      entry,
      { hard: amountsJson(hard), used: amountsJson(used) },
      'kube-controller-manager',
    );
  }

  #usage(quota: KubeObject, namespace: string, hard: Amounts): Map<string, Quantity> {
    // Resources without an evaluator keep their previous value.
    const used = new Map<string, Quantity>(amountsAt(objectAt(quota, 'status'), 'used'));
    const counted = new Map<string, Quantity>();
    for (const resource of this.#countable()) {
      const evaluator = evaluatorOf(resource.group, resource.plural);
      const names = evaluator === undefined ? [] : [...hard.keys()].filter((name) => evaluator.measures(name));
      if (evaluator === undefined || names.length === 0) continue;
      accumulate(counted, new Map(names.map((name) => [name, NONE])));
      accumulate(
        counted,
        only(this.#usageOf(resource, evaluator, quota, namespace), (name) => names.includes(name)),
      );
    }
    for (const [name, amount] of counted) used.set(name, amount);
    return used;
  }

  #usageOf(resource: Resource, evaluator: QuotaEvaluator, quota: KubeObject, namespace: string): Amounts {
    const scopes = scopesOf(quota);
    const entries = this.#store.table(resource.table).range(`${namespace}/`);
    if (evaluator.countsOnly !== undefined) {
      const count = scopes.length > 0 ? 0 : [...entries].length;
      return new Map(evaluator.countsOnly.map((name) => [name, quantityOfInt(BigInt(count))]));
    }
    const sum = new Map<string, Quantity>();
    for (const entry of entries) {
      const object = parseEntry(entry);
      if (scopes.every((scope) => evaluator.matchesScope(scope, object))) accumulate(sum, evaluator.usage(object));
    }
    return sum;
  }

  /** Every stored kind once, regardless of how many versions it has. */
  #countable(): Resource[] {
    const byTable = new Map<string, Resource>();
    for (const resource of this.#client.registry.all()) {
      if (resource.namespaced && COUNTABLE.every((verb) => resource.verbs.includes(verb)))
        byTable.set(resource.table, resource);
    }
    return [...byTable.values()];
  }
}

const hardNames = (quota: KubeObject): string[] => [...amountsAt(objectAt(quota, 'spec'), 'hard').keys()];

/** Whether an event may lower the usage: increases were charged with the write. */
function freesSomething(table: string, { type, entry, previous }: StoreEvent): boolean {
  if (type === 'DELETED') return true;
  if (previous === undefined || !(table in UPDATES)) return false;
  return UPDATES[table as keyof typeof UPDATES](peek(entry), parseEntry(previous));
}

const UPDATES = {
  '/pods': (pod: KubeObject, old: KubeObject): boolean =>
    isTerminating(pod) !== isTerminating(old) || (isAlive(old) && !isAlive(pod)),
  '/services': (service: KubeObject, old: KubeObject): boolean => externalType(service) !== externalType(old),
  '/persistentvolumeclaims': needsRecount,
};

function externalType(service: KubeObject): string {
  const type = textAt(objectAt(service, 'spec'), 'type');
  return type === 'NodePort' || type === 'LoadBalancer' ? type : '';
}
