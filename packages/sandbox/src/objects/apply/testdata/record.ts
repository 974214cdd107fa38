/**
 * Plays the scenarios on a real kube-apiserver and writes its answers to `observed.json`.
 * Run: `APISERVER=https://127.0.0.1:6443 TOKEN=… NODE_TLS_REJECT_UNAUTHORIZED=0 node record.ts`
 */
import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Status } from '../../../server/api/status.ts';
import type { Json, JsonObject, KubeObject } from '../../../values/json.ts';
import { isObject } from '../../../values/json.ts';
import { builtinResources } from '../../kinds/builtin.ts';
import type { ObservedStep } from './observed.ts';
import type { Scenario, Step } from './scenarios.ts';
import { scenarios } from './scenarios.ts';
import { widgetCrd } from './widget-crd.ts';

const server = process.env['APISERVER'] ?? 'https://127.0.0.1:6443';
const token = process.env['TOKEN'] ?? '';

interface Type {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

const WIDGET: Type = { apiVersion: 'example.test/v1', kind: 'Widget', plural: 'widgets', namespaced: true };

function typeOf(plural: string): Type {
  const found = builtinResources.find(({ name }) => name === plural);
  if (found === undefined) return WIDGET;
  const { group, version, kind, namespaced } = found;
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, plural, namespaced };
}

const MEDIA_TYPES = {
  create: 'application/json',
  put: 'application/json',
  patch: 'application/merge-patch+json',
  apply: 'application/apply-patch+yaml',
};
const METHODS = { create: 'POST', put: 'PUT', patch: 'PATCH', apply: 'PATCH' };

async function call(method: string, path: string, type: string, body?: JsonObject): Promise<JsonObject> {
  const response = await fetch(`${server}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type, 'user-agent': 'recorder/1.0 (test)' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as JsonObject;
}

function collection(apiVersion: string, { plural, namespaced }: Type): string {
  const base = `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}`;
  return `${base}${namespaced ? '/namespaces/default' : ''}/${plural}`;
}

/** Removes the fields that the server sets itself before it stores an object. */
function withoutSystemFields(object: JsonObject, paths: readonly string[]): KubeObject {
  const copy = structuredClone(object) as KubeObject;
  for (const path of [
    'metadata.uid',
    'metadata.creationTimestamp',
    'metadata.resourceVersion',
    'metadata.generation',
    'metadata.managedFields',
    ...paths,
  ]) {
    const names = path.split('.');
    const last = names.pop()!;
    let at: Json | undefined = copy;
    for (const name of names) at = isObject(at) ? at[name] : undefined;
    if (isObject(at)) delete at[last];
  }
  return copy;
}

function mergePatch(target: Json | undefined, change: Json): Json {
  if (!isObject(change)) return change;
  const out: JsonObject = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === undefined) delete out[name];
    else out[name] = mergePatch(out[name], value);
  }
  return out;
}

async function play(scenario: Scenario, number: number): Promise<ObservedStep[]> {
  const name = `s${number}`;
  const out: ObservedStep[] = [];
  let live: KubeObject | undefined;
  for (const step of scenario.steps) {
    // Each step starts in a new second, so that the order of entries is deterministic.
    await setTimeout(1000 - (Date.now() % 1000) + 20);
    const changed = live === undefined ? undefined : await changedMeanwhile(scenario, live);
    live = changed ?? live;
    const observed = await playStep(scenario, step, name, live);
    out.push(changed === undefined ? observed : { ...observed, live: changed });
    if ('result' in observed && observed.result !== undefined) live = observed.result;
  }
  return out;
}

/** The server's own controllers also write. */
async function changedMeanwhile(scenario: Scenario, live: KubeObject): Promise<KubeObject | undefined> {
  const type = typeOf(scenario.resource);
  const current = await call(
    'GET',
    `${collection(type.apiVersion, type)}/${live.metadata.name ?? ''}`,
    'application/json',
  );
  return (current as KubeObject).metadata.resourceVersion === live.metadata.resourceVersion
    ? undefined
    : (current as KubeObject);
}

async function playStep(
  scenario: Scenario,
  step: Step,
  name: string,
  live: KubeObject | undefined,
): Promise<ObservedStep> {
  const type = typeOf(scenario.resource);
  const given = JSON.parse(JSON.stringify(step.body).replaceAll('NAME', name)) as JsonObject;
  const body = {
    ...(step.verb === 'patch' ? {} : { apiVersion: type.apiVersion, kind: type.kind }),
    ...given,
    metadata: {
      ...(step.verb === 'patch' ? {} : { name, ...(type.namespaced ? { namespace: 'default' } : {}) }),
      // Custom resources cannot be replaced without a resourceVersion.
      ...(step.verb === 'put' ? { resourceVersion: live?.metadata.resourceVersion } : {}),
      ...(given['metadata'] as JsonObject | undefined),
    },
  } as unknown as KubeObject;
  const version =
    typeof given['apiVersion'] === 'string' && scenario.resource === 'widgets' ? given['apiVersion'] : type.apiVersion;
  const objectName = body.metadata.name ?? live?.metadata.name ?? name;
  const base = collection(version, type);
  const path =
    step.verb === 'create'
      ? base
      : `${base}/${objectName}${step.subresource === undefined ? '' : `/${step.subresource}`}`;
  const query = new URLSearchParams(step.manager === '' ? {} : { fieldManager: step.manager });
  if (step.force) query.set('force', 'true');
  const answer = await call(METHODS[step.verb], `${path}?${query.toString()}`, MEDIA_TYPES[step.verb], body);
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const request = {
    verb: step.verb,
    apiVersion: version,
    kind: type.kind,
    manager: step.manager === '' ? 'recorder' : step.manager,
    subresource: step.subresource ?? '',
    force: step.force ?? false,
    now,
  };
  const input = step.verb === 'apply' ? body : updated(step, body, version, live, answer);
  if (answer['kind'] === 'Status') return { ...request, input, error: answer as Status };
  return { ...request, input, result: answer as KubeObject };
}

/** The object at the time when ownership is computed. */
function updated(
  step: Step,
  body: KubeObject,
  version: string,
  live: KubeObject | undefined,
  answer: JsonObject,
): KubeObject {
  if (step.verb === 'patch') return { ...(mergePatch(live, body) as KubeObject), apiVersion: version };
  const object = withoutSystemFields(answer, step.allocated ?? []);
  const { managedFields } = body.metadata;
  if (managedFields !== undefined) object.metadata.managedFields = managedFields;
  return object;
}

await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'application/json', widgetCrd);
await setTimeout(3000);
const only = process.env['ONLY'];
const wanted = scenarios.filter(({ name }) => only === undefined || name.includes(only));
const run = Date.now().toString(36);
const played = await Promise.all(
  wanted.map(async (scenario, number) => ({
    name: scenario.name,
    resource: scenario.resource,
    steps: await play(scenario, Number.parseInt(run, 36) * 100 + number),
  })),
);
// One line per step, so that the diff of a new recording is readable.
const lines = played.map(({ name, resource, steps }) => {
  const head = `{"name":${JSON.stringify(name)},"resource":${JSON.stringify(resource)},"steps":[`;
  return `${head}\n${steps.map((step) => JSON.stringify(step)).join(',\n')}\n]}`;
});
writeFileSync(new URL('observed.json', import.meta.url), `[\n${lines.join(',\n')}\n]\n`);
