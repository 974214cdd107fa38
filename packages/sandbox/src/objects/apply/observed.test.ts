/** Replays the recorded steps of a real kube-apiserver 1.36.3 and expects the same ownership and results. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Status } from '../../server/api/status.ts';
import { StatusError } from '../../server/api/status.ts';
import type { Json, JsonObject, KubeObject, ManagedFieldsEntry } from '../../values/json.ts';
import { isObject, jsonEqual } from '../../values/json.ts';
import { builtinResources, definition, objectMetaSchema } from '../kinds/builtin.ts';
import type { Schema } from '../schema/schema.ts';
import { applyConfiguration, isNoOp, trackUpdate } from './managed-fields.ts';
import type { Observed, ObservedStep } from './testdata/observed.ts';
import { readObserved } from './testdata/observed.ts';
import { widgetSchema } from './testdata/widget-crd.ts';
import type { Versions } from './updater.ts';

const widget: Schema = { ...widgetSchema, properties: { ...widgetSchema.properties, metadata: objectMetaSchema } };

function schemaOf(resource: string): Schema {
  const builtin = builtinResources.find(({ name }) => name === resource);
  return builtin === undefined ? widget : definition(builtin.definition);
}

type Paths = readonly (readonly string[])[];

/** The paths that the kinds' strategies reset on the main resource. */
const RESET: Record<string, Paths> = {
  configmaps: [],
  customresourcedefinitions: [['status']],
};
const RESET_BY_STATUS: Record<string, Paths> = {
  services: [['spec']],
  deployments: [['spec'], ['metadata', 'labels']],
  pods: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
  widgets: [['spec'], ['metadata']],
};

function resetFields(resource: string, subresource: string): Paths {
  return subresource === '' ? (RESET[resource] ?? [['status']]) : (RESET_BY_STATUS[resource] ?? []);
}

const widgetVersions: Versions = {
  schema: (apiVersion) => (/^example\.test\/(v1|v1beta1)$/.test(apiVersion) ? widget : undefined),
  convert: (object, apiVersion) => ({ ...object, apiVersion }),
};

for (const { name, resource, steps } of readObserved()) {
  describe(name, () => {
    let live: KubeObject | undefined;
    for (const [index, step] of steps.entries()) {
      const before = step.live ?? live;
      test(`${index + 1}: ${step.verb} by ${step.manager}`, () => check(resource, step, before));
      live = step.result ?? before;
    }
  });
}

function check(resource: Observed['resource'], step: ObservedStep, live: KubeObject | undefined): void {
  // Rejections by the kind's validation are not tested here.
  if (step.error?.reason === 'Invalid') return;
  if (step.error !== undefined) {
    assert.throws(
      () => run(resource, step, live),
      (error) => {
        assert(error instanceof StatusError, String(error));
        assert.deepEqual(inOrder(JSON.parse(JSON.stringify(error.toStatus())) as Status), inOrder(step.error!));
        return true;
      },
    );
    return;
  }
  const stored = step.result!;
  const result = run(resource, step, live);
  assert.deepEqual(result.metadata.managedFields, stored.metadata.managedFields);
  // A custom resource's text has all keys sorted; for other kinds the order follows the field sets.
  if (resource !== 'widgets') assert.equal(text(result), text(stored));
  if (step.verb !== 'apply') return;
  const reset = resetFields(resource, step.subresource);
  assertContained(without(result, reset), stored, '');
  if (live !== undefined) {
    assertRemoved(without(live, reset), result, stored, '');
    const unchanged = stored.metadata.resourceVersion === live.metadata.resourceVersion;
    if (unchanged) assert(isNoOp(live, without(result, reset, live)), 'is a no-op');
  }
}

/**
 * Go iterates maps in random order, so neither the causes of several managers nor a list of errors has a fixed order.
 */
function inOrder(status: Status): Status {
  const [head = '', ...lines] = (status.message ?? '').split('\n');
  const causes = status.details?.causes?.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return {
    ...status,
    message: head.endsWith('errors:') ? [head, ...lines.toSorted()].join('\n') : (status.message ?? ''),
    ...(causes === undefined ? {} : { details: { ...status.details, causes } }),
  };
}

const text = ({ metadata }: KubeObject): string =>
  JSON.stringify((metadata.managedFields ?? []).map((e) => e.fieldsV1));

function run(resource: string, step: ObservedStep, live: KubeObject | undefined): KubeObject {
  const { apiVersion, kind, manager, subresource, force } = step;
  const write = {
    live: live === undefined ? undefined : { ...live, apiVersion },
    schema: schemaOf(resource),
    manager,
    subresource,
    now: timeOf(step, live),
    resetFields: resetFields(resource, subresource),
    versions: resource === 'widgets' ? widgetVersions : undefined,
  };
  return step.verb === 'apply'
    ? applyConfiguration({ ...write, applied: step.input, apiVersion, kind, force })
    : trackUpdate({ ...write, object: step.input });
}

/** The time of the server's write is the one that is new in its answer. */
function timeOf(step: ObservedStep, live: KubeObject | undefined): string {
  const times = (entries: ManagedFieldsEntry[] | undefined): string[] =>
    (entries ?? []).flatMap(({ time }) => time ?? []);
  const known = new Set([...times(live?.metadata.managedFields), ...times(step.input.metadata.managedFields)]);
  return times(step.result?.metadata.managedFields).find((time) => !known.has(time)) ?? step.now;
}

/** Removes the fields that the endpoint resets, or replaces them by the live object's. */
function without(object: KubeObject, paths: Paths, live?: KubeObject): KubeObject {
  const copy = structuredClone(object);
  for (const path of paths) {
    const [first, second] = path;
    const parent: JsonObject | undefined = second === undefined ? copy : (copy[first!] as JsonObject | undefined);
    const source: JsonObject | undefined = second === undefined ? live : (live?.[first!] as JsonObject | undefined);
    const name = second ?? first!;
    if (parent === undefined) continue;
    const keep = first === 'metadata' && second === undefined ? copy.metadata.managedFields : undefined;
    delete parent[name];
    if (source?.[name] !== undefined) parent[name] = source[name];
    if (keep !== undefined) copy.metadata = { ...live?.metadata, managedFields: keep };
  }
  return copy;
}

/** Fields that the server writes after computing ownership and merging. */
const SET_LATER = new Set([
  '.apiVersion',
  '.stringData',
  '.metadata.managedFields',
  '.metadata.generation',
  '.metadata.resourceVersion',
]);

/**
 * Defaults are set later, and Go omits empty values, so our result must be contained in the stored object, but not vice
 * versa.
 */
function assertContained(ours: Json | undefined, theirs: Json | undefined, path: string): void {
  if (ours === null || ours === undefined || SET_LATER.has(path)) return;
  if (isObject(ours) && (isObject(theirs) || Object.keys(ours).length > 0)) {
    for (const [name, value] of Object.entries(ours))
      assertContained(value, isObject(theirs) ? theirs[name] : undefined, `${path}.${name}`);
  } else if (Array.isArray(ours) && ours.length > 0) {
    assert(Array.isArray(theirs) && theirs.length === ours.length, `${path} has other items`);
    for (const [index, value] of ours.entries()) assertContained(value, theirs[index], `${path}[${index}]`);
  } else if (!isObject(ours) && !Array.isArray(ours)) assert.deepEqual(theirs, ours, path);
}

/** Exactly the fields that the server removed must be removed here; fields with defaults come back. */
function assertRemoved(before: Json, ours: Json | undefined, theirs: Json | undefined, path: string): void {
  if (!isObject(before) || path === '.metadata.managedFields') return;
  for (const [name, value] of Object.entries(before)) {
    const here = isObject(ours) ? ours[name] : undefined;
    const there = isObject(theirs) ? theirs[name] : undefined;
    if (there === undefined)
      assert(here === undefined || here === null || jsonEqual(here, {}), `${path}.${name} should be removed`);
    else if (value !== undefined) assertRemoved(value, here, there, `${path}.${name}`);
  }
}
