/** The recorded answers of the admission chain: sends each request again, as a dry run, and compares the answer. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { isObject } from '../../packages/sandbox/src/values/json.ts';
import type { HttpAnswer } from '../conformance/http.ts';
import type { Harness } from './harness.ts';
import { differencesOf, mergePatchOf, normalised, normalisedText } from './compare/normalise.ts';
import { Placeholders } from './compare/placeholders.ts';
import { readRecording } from './transcripts.ts';

export interface CaseResult {
  readonly id: string;
  readonly differences: readonly string[];
}

export interface AdmissionCase {
  /** Such as `admission/create/valid-minimal`. */
  readonly id: string;
  readonly description: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly user: string;
    readonly contentType?: string;
    readonly body?: Json;
  };
  readonly response: JsonObject & { readonly code: number };
}

const files = ['create', 'update', 'vmi-create', 'other'];

export function admissionCases(): AdmissionCase[] {
  return files.flatMap((file) => {
    const { cases } = readRecording(`admission/${file}.json`) as unknown as {
      readonly cases: readonly (Omit<AdmissionCase, 'id'> & { readonly case: string })[];
    };
    return cases.map(({ case: name, ...rest }) => ({ ...rest, id: `admission/${file}/${name}` }));
  });
}

/** The VM that the update cases start from, and the case that shows it unchanged. */
const baseCase = 'admission/update/base';
const baseShown = 'admission/update/up-status-ignored';

/** The deadline for the VM of the update cases. It only matters if something is wrong. */
const settleMs = 60_000;

export class AdmissionRun {
  readonly #harness: Harness;
  readonly #placeholders: Placeholders;

  private constructor(harness: Harness, namespace: string) {
    this.#harness = harness;
    this.#placeholders = new Placeholders(namespace);
  }

  /** Creates the namespace and the VM that the update cases start from. */
  static async begin(harness: Harness): Promise<AdmissionRun> {
    const run = new AdmissionRun(harness, await harness.enter('admission'));
    const cases = admissionCases();
    const base = cases.find(({ id }) => id === baseCase) as AdmissionCase;
    const shown = cases.find(({ id }) => id === baseShown) as AdmissionCase;
    const made = await run.#send(base, false);
    if (made.status !== 201) throw new Error(`cannot make the VM of the update cases: ${JSON.stringify(made.body)}`);
    await run.#settled(shown);
    return run;
  }

  async check(one: AdmissionCase): Promise<CaseResult> {
    // The VM of the base case exists by now: the request uses another name.
    const answer = one.id === baseCase ? await this.#send(renamed(one), true) : await this.#send(one, true);
    const expected = one.id === baseCase ? renamed(one) : one;
    return { id: one.id, differences: this.#compare(expected, answer) };
  }

  /** Waits until the controllers have brought the VM into the recorded state. */
  async #settled(shown: AdmissionCase): Promise<void> {
    const wanted = (shown.response['object'] as JsonObject)['status'] as JsonObject | undefined;
    const { namespace } = this.#placeholders;
    const path = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines/up1`;
    const deadline = Date.now() + settleMs;
    while (Date.now() < deadline) {
      const { body } = await this.#harness.sender.send({ user: 'admin', method: 'GET', path });
      const live = isObject(body) ? normalised(body['status'] ?? {}, namespace) : {};
      if (differencesOf(live, normalised(wanted ?? {}, namespace)).length === 0) return;
      await pause(50);
    }
  }

  #send({ request, id }: AdmissionCase, dryRun: boolean): Promise<HttpAnswer> {
    const elsewhere = id.endsWith('/ns-missing') ? new Placeholders('nonesuch') : this.#placeholders;
    const patching = request.method === 'PATCH' ? 'application/merge-patch+json' : undefined;
    return this.#harness.sender.send({
      ...request,
      path: elsewhere.bindText(request.path),
      contentType: request.contentType ?? patching,
      query: { ...request.query, ...(dryRun && request.method !== 'GET' ? { dryRun: 'All' } : {}) },
      body: request.body === undefined ? undefined : elsewhere.bind(request.body),
    });
  }

  #compare({ request, response }: AdmissionCase, answer: HttpAnswer): string[] {
    const { namespace } = this.#placeholders;
    const live = answer.body === undefined ? {} : normalised(answer.body, namespace);
    const recorded = normalised(response, namespace) as JsonObject;
    if (answer.status !== response.code)
      return [...differencesOf(answer.status, response.code, 'code'), ...differencesOf(live, recorded, 'body')];
    const warning = normalisedText(answer.headers['warning'] ?? '', namespace);
    const differences = differencesOf(warning, recorded['warning'] ?? '', 'warning');
    if (response.code >= 400 && isObject(live))
      for (const field of ['reason', 'message', 'details'])
        differences.push(...differencesOf(live[field], recorded[field], field));
    if (recorded['object'] !== undefined) differences.push(...differencesOf(live, recorded['object'], 'object'));
    if (recorded['filled_in'] !== undefined) {
      const sent = normalised(this.#placeholders.bind(request.body ?? {}), namespace);
      const filled = mergePatchOf(withoutServerFields(sent), generatedName(withoutServerFields(live))) ?? {};
      differences.push(...differencesOf(filled, recorded['filled_in'], 'filled_in'));
    }
    return differences;
  }
}

function renamed(one: AdmissionCase): AdmissionCase {
  const body = one.request.body as JsonObject;
  const metadata = { ...(body['metadata'] as JsonObject), name: 'up1-again' };
  return { ...one, request: { ...one.request, body: { ...body, metadata } } };
}

/** What the recording left out of `filled_in`. */
function withoutServerFields(value: Json): Json {
  if (!isObject(value) || !isObject(value['metadata'])) return value;
  const { uid, creationTimestamp, generation, resourceVersion, ...metadata } = value['metadata'];
  void [uid, creationTimestamp, generation, resourceVersion];
  return { ...value, metadata };
}

/** A generated name in the form of the recordings. */
function generatedName(value: Json): Json {
  if (!isObject(value) || !isObject(value['metadata'])) return value;
  const { metadata } = value;
  const { generateName } = metadata;
  return typeof generateName === 'string'
    ? { ...value, metadata: { ...metadata, name: `${generateName}<gen>` } }
    : value;
}
