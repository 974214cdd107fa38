/** The pages about orders agree with the definitions and the code. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { OrderMetrics } from '../../packages/ssvirt/src/controllers/cloudkit/operator/metrics.ts';
import { defaultParameters, parameterNames } from '../../packages/ssvirt/src/kubevirt/order/parameters/parameters.ts';
import {
  annotations,
  conditions,
  labels,
  nativeTemplates,
  type OrderProblemReason,
} from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { explainedBehind, missingFields, missingWords, partOf, wordsOf } from '../docs/field-page.ts';
import { definitionOf, plurals } from './definitions.ts';

const read = (page: string): string => readFileSync(join(import.meta.dirname, '../../docs/operator', page), 'utf8');
const fieldsPage = read('order-api.md');
const operatorPage = read('cloudkit-operator.md');

const specs = plurals.flatMap((plural) => partOf(definitionOf(plural), 'spec'));
const statuses = plurals.flatMap((plural) => partOf(definitionOf(plural), 'status'));

test('every field is on the page', () => {
  assert.deepEqual(missingFields(fieldsPage, [...specs, ...statuses]), []);
});

test('every word of an enum and every limit is on the page', () => {
  const wanted = wordsOf([...specs, ...statuses.filter(([name]) => name === 'phase' || name === 'action')]);
  assert.ok(wanted.length > 10);
  assert.deepEqual(missingWords(fieldsPage, wanted), []);
});

test('every parameter of the built-in template is on the page, with its default', () => {
  const { cpuCores, memory, diskSize, image } = defaultParameters;
  const wanted = [...parameterNames, ...nativeTemplates, String(cpuCores), memory, diskSize, image];
  assert.deepEqual(
    missingWords(
      fieldsPage,
      wanted.map((word) => `\`${word}\``),
    ),
    [],
  );
});

/** The compiler reports a missing one. */
const reasons: Readonly<Record<OrderProblemReason, true>> = {
  InvalidParameters: true,
  InvalidName: true,
  UnsupportedTemplate: true,
  InvalidTemplate: true,
  FloatingIPTemplate: true,
  UnknownManagedBy: true,
  NamespaceNotBound: true,
  NamespaceNotFound: true,
  NamespaceTerminating: true,
  SecretsForbidden: true,
  NoDefaultStorageClass: true,
  StorageClassNotFound: true,
  DataImporterMissing: true,
  NameConflict: true,
  ImmutableFieldChanged: true,
  WebhookNotConfigured: true,
  WebhookFailed: true,
  Refused: true,
  InsufficientResources: true,
  RetriesExhausted: true,
};

test('every reason that requires action is explained, and no other', () => {
  const explained = explainedBehind(operatorPage, 'These reasons call for action');
  assert.deepEqual(explained.toSorted(), Object.keys(reasons).toSorted());
});

test('every condition, annotation and label that a user meets is on the pages', () => {
  const met = [...Object.values(conditions), ...Object.values(annotations), ...Object.values(labels)];
  assert.deepEqual(
    missingWords(
      fieldsPage + operatorPage,
      met.map((word) => `\`${word}\``),
    ),
    [],
  );
});

test('the metrics on the page are those that there are', async () => {
  const registry = new Registry();
  assert.ok(new OrderMetrics(registry, { orders: () => [] }));
  const served = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  const section = operatorPage.slice(operatorPage.indexOf('| metric '));
  const told = [...section.matchAll(/^\| `(cloudkit_\w+)` /gm)].map(([, name = '']) => name);
  assert.deepEqual(told.toSorted(), served.toSorted());
});
