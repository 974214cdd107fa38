/** The page of the fields agrees with the definitions and the code. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  annotations,
  conditions,
  labels,
  type MachineProblemReason,
} from '../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import { templates } from '../../packages/ssvirt/src/kubevirt/machine/templates.ts';
import { explainedBehind, missingFields, missingWords, partOf, wordsOf } from '../docs/field-page.ts';
import { definitionOf } from './definitions.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operator/machine-api.md'), 'utf8');

const specs = ['machines', 'networkconfigurations'].flatMap((plural) => partOf(definitionOf(plural), 'spec'));
const statuses = ['machines', 'networkconfigurations'].flatMap((plural) => partOf(definitionOf(plural), 'status'));

test('every field is on the page', () => {
  assert.deepEqual(missingFields(page, [...specs, ...statuses]), []);
});

test('every word of an enum, every limit and every default is on the page', () => {
  const wanted = wordsOf(specs);
  assert.ok(wanted.length > 20);
  assert.deepEqual(missingWords(page, wanted), []);
});

/** The compiler reports a missing one. */
const reasons: Readonly<Record<MachineProblemReason, true>> = {
  TemplateNotFound: true,
  NetworkConfigurationNotFound: true,
  StorageClassNotFound: true,
  InsufficientResources: true,
  KubeVirtApiError: true,
  PlacementConflict: true,
  PlacementAmbiguous: true,
  NoKubevirtConfigs: true,
  KubevirtConfigNotFound: true,
  ClusterUnavailable: true,
  AdoptionRefused: true,
  InvalidSpec: true,
  NamespaceNotAllowed: true,
  SecretsForbidden: true,
  NameConflict: true,
  MacAddressConflict: true,
  CloudInitSecretNotFound: true,
  CloudInitSecretInvalid: true,
  ClaimNotFound: true,
  ClaimDeleted: true,
  DataImporterMissing: true,
  NetworkAttachmentsMissing: true,
  DiskChangeRefused: true,
  ExpansionUnsupported: true,
  VMFailed: true,
  PVCPending: true,
  NetworkFailed: true,
};

test('every reason that requires action is explained, and no other', () => {
  const explained = explainedBehind(page, 'These reasons of');
  assert.deepEqual(explained.toSorted(), Object.keys(reasons).toSorted());
});

test('every condition, annotation and label that a user meets is on the page', () => {
  const met = [...Object.values(conditions), ...Object.values(annotations), labels.clusterName, labels.machineTemplate];
  assert.deepEqual(
    met.filter((word) => !page.includes(`\`${word}\``)),
    [],
  );
});

test('the templates are those of the code', () => {
  for (const [name, { cpu, memory, disks }] of templates) {
    const row = new RegExp(`^\\| \`${name}\` +\\| ${cpu.cores} +\\| ${memory} +\\| ${disks[0]?.size} +\\|$`, 'm');
    assert.match(page, row);
  }
});
