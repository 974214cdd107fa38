/**
 * Mutating and validating admission webhooks. Mutating ones are called in sequence and see the changes of those before
 * them; validating ones are called concurrently.
 */
import type { Registry } from '../../../server/api/registry.ts';
import type { Resource } from '../../../server/api/resource.ts';
import { errors, StatusError } from '../../../server/api/status.ts';
import { evaluateMatchConditions } from '../../../objects/cel/conditions.ts';
import { cloneJson, jsonEqual, type JsonObject, type KubeObject } from '../../../values/json.ts';
import type { Store } from '../../../store/store.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { internalError, refuse } from '../refusal.ts';
import { WebhookConfigurations, type Webhook } from './webhook-configurations.ts';
import { CallFailure } from './call-failure.ts';
import { readAnswer } from './webhook-answer.ts';
import { isExempt, matchWebhook } from './webhook-match.ts';
import { patchObject } from './webhook-patch.ts';
import { createReview, denial, readVerdict, requestFacts, type Verdict, type Versioned } from './webhook-review.ts';

export interface WebhookDeps {
  readonly store: Store;
  readonly registry: Registry;
}

interface Invocation {
  readonly webhook: Webhook;
  readonly versioned: Versioned;
}

/** `before` are the plug-ins that run again when a webhook changed the object. */
export function mutatingWebhooks(deps: WebhookDeps, before: readonly AdmissionPlugin[]): AdmissionPlugin {
  const configurations = new WebhookConfigurations(deps.store, 'mutating');
  return {
    name: 'MutatingAdmissionWebhook',
    mutate(request) {
      if (isExempt(request)) return undefined;
      const webhooks = configurations.all();
      // In the usual case, no promise is created.
      if (!webhooks.some((webhook) => matchWebhook(webhook, request, deps.registry, deps.store) !== undefined))
        return undefined;
      return new Mutation(deps, request).run(webhooks, before);
    },
  };
}

/** The run of one request through the mutating webhooks. */
class Mutation {
  readonly #deps: WebhookDeps;
  readonly #request: AdmissionRequest;
  /** Webhooks that were called and must be called again if a later one changes the object. */
  #called = new Set<string>();
  readonly #again = new Set<string>();
  #changed = false;

  constructor(deps: WebhookDeps, request: AdmissionRequest) {
    this.#deps = deps;
    this.#request = request;
  }

  async run(webhooks: readonly Webhook[], before: readonly AdmissionPlugin[]): Promise<void> {
    for (const webhook of webhooks) await this.#call(webhook);
    if (!this.#changed) return;
    const output = cloneJson(this.#request.object ?? {});
    for (const plugin of before) {
      const pending = plugin.mutate?.(this.#request);
      if (pending !== undefined) await pending;
    }
    if (!jsonEqual(output, this.#request.object)) this.#repeatCalled();
    for (const webhook of webhooks) if (this.#again.has(webhook.id)) await this.#call(webhook);
  }

  #repeatCalled(): void {
    for (const id of this.#called) this.#again.add(id);
    this.#called = new Set();
  }

  async #call(webhook: Webhook): Promise<void> {
    const invocation = invocationOf(webhook, this.#request, this.#deps);
    if (invocation === undefined) return;
    const changed = await ask(invocation, this.#request, true, (verdict) => this.#apply(verdict, invocation));
    if (changed === true) {
      this.#changed = true;
      this.#repeatCalled();
    }
    if (webhook.reinvoke) this.#called.add(webhook.id);
  }

  #apply(verdict: Verdict, { webhook, versioned }: Invocation): boolean {
    const { resource, object } = versioned;
    const patched = patchObject(webhook, verdict, object);
    if (patched === undefined || object === undefined) return false;
    const decoded = decodePatched(patched, resource);
    const changed = !jsonEqual(decoded, object);
    this.#request.object = convert(decoded, resource, this.#request.resource);
    return changed;
  }
}

export function validatingWebhooks(deps: WebhookDeps): AdmissionPlugin {
  const configurations = new WebhookConfigurations(deps.store, 'validating');
  return {
    name: 'ValidatingAdmissionWebhook',
    validate(request) {
      if (isExempt(request)) return undefined;
      const invocations = configurations.all().flatMap((webhook) => invocationOf(webhook, request, deps) ?? []);
      return invocations.length === 0 ? undefined : validateAll(invocations, request);
    },
  };
}

/** Waits for all webhooks and throws the first rejection. */
async function validateAll(invocations: readonly Invocation[], request: AdmissionRequest): Promise<void> {
  const refusals: unknown[] = [];
  await Promise.all(
    invocations.map((invocation) =>
      ask(invocation, request, false, () => undefined).catch((error: unknown) => refusals.push(error)),
    ),
  );
  if (refusals.length > 0) throw refusals[0];
}

function invocationOf(
  webhook: Webhook,
  request: AdmissionRequest,
  { registry, store }: WebhookDeps,
): Invocation | undefined {
  const resource = matchWebhook(webhook, request, registry, store);
  if (resource === undefined) return undefined;
  const versioned: Versioned = {
    resource,
    object: request.object && convert(request.object, request.resource, resource),
    oldObject: request.oldObject && convert(request.oldObject, request.resource, resource),
  };
  return meetsConditions(webhook, request, versioned) ? { webhook, versioned } : undefined;
}

function meetsConditions(webhook: Webhook, request: AdmissionRequest, versioned: Versioned): boolean {
  if (webhook.conditions.length === 0) return true;
  const facts = requestFacts(request, versioned.resource);
  const result = evaluateMatchConditions(
    webhook.conditions,
    { object: versioned.object, oldObject: versioned.oldObject, request: facts },
    webhook.ignoreFailure ? 'Ignore' : 'Fail',
  );
  if ('error' in result) throw refuse(request, result.error);
  return result.matches;
}

/** Passes an approval to `use`. Resolves to undefined when the call failed and the failure policy is Ignore. */
async function ask<T>(
  { webhook, versioned }: Invocation,
  request: AdmissionRequest,
  mutating: boolean,
  use: (verdict: Verdict) => T,
): Promise<T | undefined> {
  if (request.dryRun && !webhook.allowsDryRun) {
    throw errors.badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
  }
  try {
    const review = createReview(webhook.reviewVersions, request, versioned);
    const answer = await webhook.endpoint.call(`${JSON.stringify(review.body)}\n`, webhook.timeoutSeconds);
    const verdict = readVerdict(review, mutating, readAnswer(answer, review.version));
    for (const text of verdict.warnings) request.warn(text);
    if (!verdict.allowed) throw denial(webhook.name, verdict.result);
    return use(verdict);
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    if (webhook.ignoreFailure) return undefined;
    throw internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${error.message}`);
  }
}

function convert(object: KubeObject, from: Resource, to: Resource): KubeObject {
  if (from.apiVersion === to.apiVersion) return object;
  return to.fromStorage(from.toStorage(cloneJson(object as JsonObject) as KubeObject));
}

/** A result that is not an object of the kind is the webhook's fault, not the client's. */
function decodePatched(patched: JsonObject, resource: Resource): KubeObject {
  try {
    return resource.strategy.decode(patched, false).object;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw internalError(error.message.replace(/^.* cannot be handled as an? \w+: /, ''));
  }
}
