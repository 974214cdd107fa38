/** Evictions: a pod is deleted if its PodDisruptionBudget allows it. */
import { Admission } from '../../control-plane/admission/admission.ts';
import { storedIn } from '../../control-plane/admission/stored.ts';
import { decodeBody } from '../api/request/body.ts';
import type { Context } from '../api/context.ts';
import { Deleter } from '../api/write/delete.ts';
import { deleteOptions, type DeleteOptions } from '../api/request/options.ts';
import { canonical, readEntry } from '../api/present.ts';
import { sendJson, success } from '../api/render.ts';
import type { ResourcePath } from '../api/request/request-info.ts';
import type { Resource } from '../api/resource.ts';
import { errors, fieldError, StatusError } from '../api/status.ts';
import { admissionRequest, timestamp, type Writer, type WriteRequest } from '../api/write/write.ts';
import type { LocalClient } from '../../control-plane/controllers/client.ts';
import { isReady } from '../../control-plane/controllers/disruption-status.ts';
import { jsonEqual, type Json, type JsonObject, type KubeObject } from '../../values/json.ts';
import { ensureObject, listAt, numberAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { stillProcessed, takeDisruption } from './disruption-budget.ts';
import { matchesLabelSelector } from './label-selector.ts';
import { receive } from './received.ts';
import { evictionKind, oldEvictionKind } from './request-kinds.ts';

export interface EvictionDeps {
  readonly writer: Writer;
  readonly admission: Admission;
  /** Writes as the API server itself. */
  readonly client: LocalClient;
}

const RETRIES = 20;
/** The deletion was already admitted as part of the eviction. */
const ADMITTED = new Admission([]);

export async function evict(
  deps: EvictionDeps,
  context: Context,
  resource: Resource,
  path: ResourcePath,
): Promise<void> {
  const kindOf = (body: Buffer): Resource => (isOld(context, body) ? oldEvictionKind : evictionKind);
  const { object, request } = await receive(context, resource, path, kindOf);
  const admission = admissionRequest(request, 'CREATE', object, undefined);
  await deps.admission.mutate(admission);
  const eviction = admission.object as KubeObject;
  if (eviction.metadata.name !== path.name)
    throw errors.badRequest('name in URL does not match name in Eviction object');
  const deletion = deletionOf(eviction, request.dryRun, path.name);
  await deps.admission.validate(admission);
  await new Eviction(deps, request, deletion).run();
  await sendJson(context, 201, success(undefined, 201));
}

function isOld(context: Context, body: Buffer): boolean {
  if (!body.includes('policy/v1beta1')) return false;
  try {
    return (
      textAt(decodeBody(context.request, body, evictionKind.schema).raw, 'apiVersion') === oldEvictionKind.apiVersion
    );
  } catch {
    // The decoding that follows reports the error.
    return false;
  }
}

/** A dry run can be requested in the query or in the options of the deletion, but the two must not differ. */
function deletionOf(eviction: KubeObject, dryRun: boolean, name: string): DeleteOptions {
  const given = objectAt(eviction, 'deleteOptions') ?? {};
  if (given['ignoreStoreReadErrorWithClusterBreakingPotential'] === true) {
    throw errors.invalid('policy', 'Eviction', name, [
      fieldError.invalid(
        'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential',
        true,
        'can not be set for pod eviction, try after removing the option',
      ),
    ]);
  }
  const own: Json[] = Array.isArray(given['dryRun']) ? given['dryRun'] : [];
  if (dryRun && own.length > 0 && !jsonEqual(own, ['All'])) {
    throw new StatusError(500, '', `Non-matching dry-run options in request and content: [All] and [${own.join(' ')}]`);
  }
  return deleteOptions({ ...given, ...(dryRun ? { dryRun: ['All'] } : {}) }, new URLSearchParams());
}

class Eviction {
  readonly #deps: EvictionDeps;
  readonly #request: WriteRequest;
  readonly #deletion: DeleteOptions;
  readonly #deleter: Deleter;

  constructor(deps: EvictionDeps, request: WriteRequest, deletion: DeleteOptions) {
    this.#deps = deps;
    this.#request = { ...request, subresource: '', dryRun: deletion.dryRun };
    this.#deletion = deletion;
    this.#deleter = new Deleter(deps.writer, () => ADMITTED);
  }

  async run(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const pod = this.#pod();
      if (!mayGoAnyway(pod)) return this.#askBudget(pod);
      try {
        return await this.#delete(isEnding(pod) ? undefined : pod.metadata.resourceVersion);
      } catch (error) {
        const again = isConflict(error) && this.#deletion.resourceVersion === undefined && attempt < RETRIES;
        if (!again || this.#deletion.uid !== undefined) throw error;
      }
    }
  }

  async #askBudget(pod: KubeObject): Promise<void> {
    const budget = this.#budgetOf(pod);
    if (budget === undefined) return this.#delete(undefined);
    if (!isReady(pod) && isNotNeeded(budget)) return this.#deleteUnready(pod, budget.metadata.name ?? '');
    await this.#takeDisruption(budget, pod.metadata.name ?? '');
    await this.#delete(undefined);
  }

  #budgetOf(pod: KubeObject): KubeObject | undefined {
    const labels = pod.metadata.labels ?? {};
    const budgets = storedIn(this.#deps.writer.store, 'policy/poddisruptionbudgets', this.#request.namespace).filter(
      (budget) => matchesLabelSelector(objectAt(objectAt(budget, 'spec'), 'selector'), labels),
    );
    if (budgets.length > 1) {
      throw new StatusError(
        500,
        '',
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      );
    }
    return budgets[0];
  }

  async #takeDisruption(budget: KubeObject, pod: string): Promise<void> {
    if (this.#request.dryRun) {
      takeDisruption(structuredClone(budget), pod);
      return;
    }
    const { client } = this.#deps;
    const resource = client.builtin('policy', 'v1', 'poddisruptionbudgets');
    const take = (live: KubeObject): boolean => {
      takeDisruption(live, pod);
      return true;
    };
    await client.update(resource, this.#request.namespace, budget.metadata.name ?? '', take, 'status');
  }

  /** If the pod has become ready meanwhile, the client must retry. */
  async #deleteUnready(pod: KubeObject, budget: string): Promise<void> {
    try {
      await this.#delete(pod.metadata.resourceVersion);
    } catch (error) {
      throw isConflict(error) && this.#deletion.resourceVersion === undefined ? stillProcessed(budget) : error;
    }
  }

  /**
   * With a resourceVersion, only that revision of the pod is deleted. The client's own precondition takes precedence.
   */
  async #delete(resourceVersion: string | undefined): Promise<void> {
    const at = this.#deletion.resourceVersion ?? resourceVersion;
    const marked = this.#request.dryRun ? at : this.#mark(at);
    await this.#deleter.delete({
      ...this.#request,
      deletion: { ...this.#deletion, resourceVersion: at === undefined ? undefined : marked },
    });
  }

  /** Sets a condition with the reason of the deletion. It is not a client's write, so the condition has no owner. */
  #mark(resourceVersion: string | undefined): string | undefined {
    const { store } = this.#deps.writer;
    const { resource, namespace, name } = this.#request;
    const entry = this.#deps.writer.find(resource, namespace, name);
    if (entry === undefined) throw errors.notFound(resource, name);
    const pod = readEntry(resource, entry);
    checkPreconditions(pod, { ...this.#deletion, resourceVersion });
    if (!addCondition(pod)) return pod.metadata.resourceVersion;
    return String(store.put(resource.table, canonical(pod, false), entry.revision)?.revision ?? '');
  }

  #pod(): KubeObject {
    const { resource, namespace, name } = this.#request;
    const entry = this.#deps.writer.find(resource, namespace, name);
    if (entry === undefined) throw errors.notFound(resource, name);
    return readEntry(resource, entry);
  }
}

function checkPreconditions({ metadata }: KubeObject, deletion: DeleteOptions): void {
  const conflict = (why: string): StatusError =>
    errors.conflict({ group: '', resource: 'Pod' }, metadata.name ?? '', why);
  const { uid, resourceVersion } = deletion;
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`,
    );
  }
}

function addCondition(pod: KubeObject): boolean {
  const status = ensureObject(pod, 'status');
  const conditions = listAt(status, 'conditions');
  const old = conditions.find(({ type }) => type === 'DisruptionTarget');
  const next: JsonObject = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: old?.['status'] === 'True' ? (old['lastTransitionTime'] ?? null) : timestamp(),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  if (jsonEqual(old, next)) return false;
  status['conditions'] =
    old === undefined ? [...conditions, next] : conditions.map((item) => (item === old ? next : item));
  return true;
}

const phaseOf = (pod: KubeObject): string => textAt(objectAt(pod, 'status'), 'phase');

const isEnding = (pod: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(phaseOf(pod)) || pod.metadata.deletionTimestamp !== undefined;

/** Deleting such a pod disrupts nothing. */
const mayGoAnyway = (pod: KubeObject): boolean => isEnding(pod) || phaseOf(pod) === 'Pending';

/** An unready pod is not needed when the budget is met, or when the budget's policy says so. */
function isNotNeeded(budget: KubeObject): boolean {
  const status = objectAt(budget, 'status');
  if (textAt(objectAt(budget, 'spec'), 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const desired = numberAt(status, 'desiredHealthy');
  return desired > 0 && numberAt(status, 'currentHealthy') >= desired;
}

const isConflict = (error: unknown): boolean => error instanceof StatusError && error.reason === 'Conflict';
