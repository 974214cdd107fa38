/**
 * What KubeVirt and its users were recorded to write keeps the same fields under our definitions as under the real
 * ones.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { parse } from 'yaml';
import {
  missingRecordings,
  readRecording,
  readScenario,
  scenarioIds,
  upstreamCrdsFolder,
} from '../../../../../test/kubevirt/transcripts.ts';
import { notRun } from '../../../../../test/not-run.ts';
import { decodeCustomResource, validateResource } from '../../objects/crd/custom-resource.ts';
import { customResources, type CustomResource } from '../../objects/crd/resource.ts';
import type { CustomResourceDefinition } from '../../objects/crd/types.ts';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { simulatedDefinitions } from './definitions.ts';

interface Recorded {
  readonly from: string;
  readonly object: JsonObject;
}

const missing = missingRecordings();
const skip = missing === undefined ? false : notRun('packages/sandbox/src/simulators/crds/recorded.test.ts', missing);

const byKind = (definitions: readonly CustomResourceDefinition[]): ReadonlyMap<string, CustomResource> =>
  new Map(
    definitions.flatMap((definition) =>
      customResources(definition, { type: 'object' }).map((one) => [`${one.apiVersion} ${one.kind}`, one]),
    ),
  );

/** Replaces placeholders of the recordings where a format is validated. */
function filled(value: Json): Json {
  if (Array.isArray(value)) return value.map(filled);
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, filled(item)]])),
    );
  return typeof value === 'string' && /^<time(\+\d+s)?>$/.test(value) ? '2026-01-02T03:04:05Z' : value;
}

function seen(resource: CustomResource, object: JsonObject): unknown {
  const decoded = decodeCustomResource(resource, filled(object) as JsonObject);
  if (decoded.error !== undefined) return { error: decoded.error };
  const { metadata: _, ...kept } = decoded.object;
  return { kept, complaints: decoded.complaints.toSorted(), errors: validateResource(resource, decoded.object).length };
}

function fromScenarios(): Recorded[] {
  return scenarioIds().flatMap((id) => {
    const { steps } = readScenario(id);
    const last = new Map<string, JsonObject>();
    for (const { kind, name, after } of steps.flatMap(({ events }) => events)) last.set(`${kind} ${name}`, after);
    const sent = steps
      .flatMap(({ calls }) => calls)
      .filter(({ method, response }) => method === 'POST' && response.code < 300)
      .map(({ body }) => body);
    return [...sent, ...last.values()].flatMap((object) =>
      object !== undefined && isObject(object) ? [{ from: id, object }] : [],
    );
  });
}

function fromAdmission(): Recorded[] {
  return ['create', 'vmi-create', 'other'].flatMap((group) => {
    const { cases } = readRecording(`admission/${group}.json`) as unknown as {
      readonly cases: readonly {
        readonly case: string;
        readonly request: { readonly body?: Json };
        readonly response: { readonly code: number };
      }[];
    };
    return cases.flatMap(({ case: name, request: { body }, response }) =>
      response.code < 300 && body !== undefined && isObject(body) ? [{ from: name, object: body }] : [],
    );
  });
}

describe('recorded objects', { skip }, () => {
  const ours = byKind(simulatedDefinitions as unknown as readonly CustomResourceDefinition[]);
  let real: ReadonlyMap<string, CustomResource>;
  before(() => {
    const files = [
      'virtualmachines.kubevirt.io',
      'virtualmachineinstances.kubevirt.io',
      'virtualmachineinstancemigrations.kubevirt.io',
      'virtualmachineinstancetypes.instancetype.kubevirt.io',
      'virtualmachinepreferences.instancetype.kubevirt.io',
      'virtualmachinesnapshots.snapshot.kubevirt.io',
      'datavolumes.cdi.kubevirt.io',
    ];
    real = byKind(
      files.map(
        (file) => parse(readFileSync(join(upstreamCrdsFolder, `${file}.yaml`), 'utf8')) as CustomResourceDefinition,
      ),
    );
  });

  for (const [what, read] of [
    ['scenarios', fromScenarios],
    ['admission cases', fromAdmission],
  ] as const) {
    test(`those of ${what} look the same under our definitions`, () => {
      let compared = 0;
      for (const { from, object } of read()) {
        const kind = `${String(object['apiVersion'])} ${String(object['kind'])}`;
        const [our, their] = [ours.get(kind), real.get(kind)];
        if (our === undefined || their === undefined) continue;
        assert.deepEqual(seen(our, object), seen(their, object), `${kind} of ${from}`);
        compared += 1;
      }
      assert.ok(compared > 50, `${compared} objects were compared`);
    });
  }
});
