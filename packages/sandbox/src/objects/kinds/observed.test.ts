/**
 * Replays the recorded answers of a real server (testdata/observed.json) through decoding, defaults, preparation and
 * validation.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { FieldError } from '../../server/api/status.ts';
import { errors, StatusError } from '../../server/api/status.ts';
import type { Json, JsonObject, KubeObject } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';
import * as names from '../schema/names.ts';
import { validateObjectMeta } from '../schema/object-meta.ts';
import { behaviourOf } from './behaviours.ts';
import type { BuiltinResource } from './builtin.ts';
import { builtinResources, definition } from './builtin.ts';
import { decode } from './values/decode.ts';
import { listAt, numberAt, objectAt, textAt } from './values/fields.ts';
import type { KindBehaviour } from './kind.ts';
import type { ServiceAllocator } from './service/service-allocation.ts';
import type { Case } from './testdata/cases.ts';
import { cases } from './testdata/cases.ts';
import type { Answer, Observed } from './testdata/observed.ts';
import { caseName } from './testdata/observed.ts';

const observed = JSON.parse(readFileSync(new URL('testdata/observed.json', import.meta.url), 'utf8')) as Observed[];

const RULES = {
  dns1123subdomain: names.nameIsDNSSubdomain,
  dns1123label: names.nameIsDNSLabel,
  dns1035label: names.nameIsDNS1035Label,
  pathSegment: names.nameIsPathSegment,
};

/** Allocates what the real server allocated. */
function allocatorFrom(answer: Answer, old?: KubeObject): ServiceAllocator {
  const spec = 'object' in answer ? objectAt(answer.object, 'spec') : undefined;
  const portsOf = (of: JsonObject | undefined): number[] => [
    ...listAt(of, 'ports').map((port) => numberAt(port, 'nodePort')),
    numberAt(of, 'healthCheckNodePort'),
  ];
  const before = new Set(portsOf(objectAt(old, 'spec')));
  const ports = [...new Set(portsOf(spec))].filter((port) => !before.has(port));
  const claimed = new Set<number>();
  return {
    nextClusterIP: () => textAt(spec, 'clusterIP') || '10.96.9.9',
    claimClusterIP: () => undefined,
    nextNodePort: () => ports.shift() ?? 31999,
    claimNodePort: (port) =>
      claimed.size === claimed.add(port).size ? 'provided port is already allocated' : undefined,
  };
}

function mergePatch(target: Json | undefined, change: Json): Json {
  if (!isObject(change)) return change;
  const out: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete out[key];
    else out[key] = mergePatch(out[key], value ?? null);
  }
  return out;
}

interface Kind {
  readonly resource: BuiltinResource;
  readonly behaviour: KindBehaviour;
}

interface Read {
  readonly object: KubeObject;
  readonly unknown: readonly string[];
}

function read({ resource, behaviour }: Kind, body: JsonObject): Read {
  const decoded = decode(definition(resource.definition), body);
  behaviour.default?.(decoded.object);
  return decoded;
}

function finish(
  { resource, behaviour }: Kind,
  { object, unknown }: Read,
  problems: FieldError[],
  old?: KubeObject,
): Answer {
  if (problems.length === 0) {
    const warnings = [behaviour.deprecation ?? [], unknown, behaviour.warnings?.(object, old) ?? []].flat();
    return { object, ...(warnings.length === 0 ? {} : { warnings }) };
  }
  return {
    error: errors.invalid(behaviour.errorGroup ?? resource.group, resource.kind, object.metadata.name ?? '', problems)
      .message,
  };
}

/** The steps have the server's order: validation comes after allocation and preparation. */
function attempt(run: () => Answer): Answer {
  try {
    return run();
  } catch (error) {
    if (error instanceof StatusError) return { error: error.message };
    throw error;
  }
}

function create(kind: Kind, item: Case, name: string, expected: Answer): Answer {
  const { resource, behaviour } = kind;
  const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
  const given = isObject(item.create['metadata']) ? item.create['metadata'] : {};
  const metadata = { name, ...(resource.namespaced ? { namespace: 'default' } : {}), ...given };
  const decoded = read(kind, { apiVersion, kind: resource.kind, ...item.create, metadata });
  const { object } = decoded;
  behaviour.allocate?.(object, undefined, allocatorFrom(expected));
  if (behaviour.hasGeneration === true) object.metadata.generation = 1;
  behaviour.prepareForCreate?.(object);
  const nameRule = RULES[behaviour.nameRule ?? 'dns1123subdomain'];
  const problems = validateObjectMeta(object.metadata, { namespaced: resource.namespaced, nameRule });
  return finish(kind, decoded, [...problems, ...(behaviour.validate?.(object) ?? [])]);
}

function update(kind: Kind, old: KubeObject, patch: JsonObject, expected: Answer): Answer {
  const { behaviour } = kind;
  const decoded = read(kind, mergePatch(old, patch) as JsonObject);
  const { object } = decoded;
  behaviour.allocate?.(object, old, allocatorFrom(expected, old));
  behaviour.prepareForUpdate?.(object, old);
  return finish(kind, decoded, behaviour.validateUpdate?.(object, old) ?? [], old);
}

function updateStatus(kind: Kind, old: KubeObject, patch: JsonObject): Answer {
  const { behaviour } = kind;
  const decoded = read(kind, mergePatch(old, patch) as JsonObject);
  const { object } = decoded;
  behaviour.prepareForStatusUpdate?.(object, old);
  return finish(kind, decoded, behaviour.validateStatusUpdate?.(object, old) ?? [], old);
}

/** Fields that depend on the clock. */
const TIMES = new Set(['lastPhaseTransitionTime', 'lastTransitionTime']);
const withoutTimes = (answer: Answer): Json =>
  JSON.parse(JSON.stringify(answer, (key, value: unknown) => (TIMES.has(key) ? undefined : value))) as Json;

for (const [index, item] of cases.entries()) {
  const [group = '', plural = ''] = item.on.split('/');
  const resource = builtinResources.find((entry) => entry.group === group && entry.name === plural);
  const expected = observed[index];
  test(`${item.on} ${JSON.stringify(item).slice(0, 160)}`, () => {
    assert.ok(resource !== undefined && expected !== undefined);
    const kind = { resource, behaviour: behaviourOf(group, plural) };
    const created = attempt(() => create(kind, item, caseName(item, index), expected.created));
    assert.deepEqual(withoutTimes(created), withoutTimes(expected.created));
    if (!('object' in expected.created)) return;
    const old = expected.created.object as KubeObject;
    const { patched, status } = expected;
    if (item.patch !== undefined && patched !== undefined) {
      const answer = attempt(() => update(kind, structuredClone(old), item.patch ?? {}, patched));
      assert.deepEqual(withoutTimes(answer), withoutTimes(patched));
    }
    if (item.status !== undefined && status !== undefined) {
      const answer = attempt(() => updateStatus(kind, structuredClone(old), item.status ?? {}));
      assert.deepEqual(withoutTimes(answer), withoutTimes(status));
    }
  });
}
