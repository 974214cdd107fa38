/** The stored webhook configurations as one list ordered by name, read again only when one of them changes. */
import type { MatchCondition } from '../../../objects/cel/conditions.ts';
import type { JsonObject } from '../../../values/json.ts';
import { listAt, numberAt, objectAt, textAt, textsAt } from '../../../objects/kinds/values/fields.ts';
import { isEmptySelector } from '../../../objects/kinds/values/selector.ts';
import type { Entry } from '../../../store/entry.ts';
import type { Store } from '../../../store/store.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';
import { peek } from '../stored.ts';

export interface Rule {
  readonly operations: readonly string[];
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  readonly resources: readonly { readonly resource: string; readonly subresource: string }[];
  readonly scope: string;
}

export interface Webhook {
  /** Unique among all webhooks, even if two have the same name. */
  readonly id: string;
  readonly name: string;
  readonly rules: readonly Rule[];
  readonly equivalent: boolean;
  /** Undefined when everything matches. */
  readonly namespaceSelector: JsonObject | undefined;
  readonly objectSelector: JsonObject | undefined;
  readonly conditions: readonly MatchCondition[];
  readonly ignoreFailure: boolean;
  readonly allowsDryRun: boolean;
  readonly reinvoke: boolean;
  readonly reviewVersions: readonly string[];
  readonly timeoutSeconds: number;
  readonly endpoint: WebhookEndpoint;
}

export type WebhookKind = 'mutating' | 'validating';

export class WebhookConfigurations {
  readonly #store: Store;
  readonly #table: string;
  readonly #parsed = new WeakMap<Entry, readonly Webhook[]>();
  #all: readonly Webhook[] | undefined;

  constructor(store: Store, kind: WebhookKind) {
    this.#store = store;
    this.#table = `admissionregistration.k8s.io/${kind}webhookconfigurations`;
    store.listenTo(this.#table, () => (this.#all = undefined));
  }

  all(): readonly Webhook[] {
    // The table is already sorted by name.
    this.#all ??= [...this.#store.table(this.#table).range('')].flatMap((entry) => this.#parse(entry));
    return this.#all;
  }

  #parse(entry: Entry): readonly Webhook[] {
    let webhooks = this.#parsed.get(entry);
    if (webhooks === undefined) {
      const seen = new Map<string, number>();
      webhooks = listAt(peek(entry), 'webhooks').map((raw) => {
        const name = textAt(raw, 'name');
        const count = seen.get(name) ?? 0;
        seen.set(name, count + 1);
        return readWebhook(this.#store, raw, `${entry.name}/${name}/${count}`);
      });
      this.#parsed.set(entry, webhooks);
    }
    return webhooks;
  }
}

function readWebhook(store: Store, raw: JsonObject, id: string): Webhook {
  return {
    id,
    name: textAt(raw, 'name'),
    rules: listAt(raw, 'rules').map(readRule),
    equivalent: textAt(raw, 'matchPolicy') !== 'Exact',
    namespaceSelector: selectorAt(raw, 'namespaceSelector'),
    objectSelector: selectorAt(raw, 'objectSelector'),
    conditions: listAt(raw, 'matchConditions').map((condition) => ({
      name: textAt(condition, 'name'),
      expression: textAt(condition, 'expression'),
    })),
    ignoreFailure: textAt(raw, 'failurePolicy') === 'Ignore',
    allowsDryRun: ['None', 'NoneOnDryRun'].includes(textAt(raw, 'sideEffects')),
    reinvoke: textAt(raw, 'reinvocationPolicy') === 'IfNeeded',
    reviewVersions: textsAt(raw, 'admissionReviewVersions'),
    timeoutSeconds: numberAt(raw, 'timeoutSeconds') || 10,
    endpoint: new WebhookEndpoint(store, objectAt(raw, 'clientConfig') ?? {}),
  };
}

function selectorAt(raw: JsonObject, key: string): JsonObject | undefined {
  const selector = objectAt(raw, key);
  return isEmptySelector(selector) ? undefined : selector;
}

function readRule(raw: JsonObject): Rule {
  return {
    operations: textsAt(raw, 'operations'),
    groups: textsAt(raw, 'apiGroups'),
    versions: textsAt(raw, 'apiVersions'),
    resources: textsAt(raw, 'resources').map((text) => {
      const slash = text.indexOf('/');
      return slash < 0
        ? { resource: text, subresource: '' }
        : { resource: text.slice(0, slash), subresource: text.slice(slash + 1) };
    }),
    scope: textAt(raw, 'scope') || '*',
  };
}
