import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { acceptNames, approve, establish, terminate } from './status.ts';
import type { CustomResourceDefinition, DefinitionNames, DefinitionStatus } from './types.ts';

/** Definitions of one group, created one after the other on kube-apiserver 1.36.3, and the names that were accepted. */
const observed = JSON.parse(readFileSync(new URL('golden/names.json', import.meta.url), 'utf8')) as {
  name: string;
  names: DefinitionNames;
  status: DefinitionStatus;
}[];

const now = '2026-11-15T20:00:50Z';

const definition = (name: string, names: DefinitionNames, group = 'names.example.com'): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name },
  spec: { group, names, scope: 'Namespaced', versions: [{ name: 'v1', served: true, storage: true }] },
  status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
});

function settle(crd: CustomResourceDefinition, others: readonly CustomResourceDefinition[]): void {
  crd.status = acceptNames(crd, others, now) ?? crd.status ?? assert.fail();
  crd.status = establish(crd, now) ?? crd.status;
}

const withoutTimes = (status: DefinitionStatus | undefined): unknown => ({
  ...status,
  conditions: status?.conditions?.map(({ lastTransitionTime: _, ...rest }) => rest),
});

test('names go to the definition that had them first', () => {
  const installed: CustomResourceDefinition[] = [];
  for (const { name, names, status } of observed) {
    const crd = definition(name, names);
    settle(crd, installed);
    installed.push(crd);
    assert.deepEqual(withoutTimes(crd.status), withoutTimes(status), name);
  }
});

test('a definition gets its names once they are free', () => {
  const [apples, bananas] = observed.map(({ name, names }) => definition(name, names));
  assert.ok(apples !== undefined && bananas !== undefined);
  settle(apples, []);
  settle(bananas, [apples]);
  assert.equal(acceptNames(bananas, [apples], now), undefined, 'nothing changes while the name is taken');
  settle(bananas, []);
  assert.deepEqual(
    bananas.status?.conditions?.map(({ type, status, reason }) => [type, status, reason]),
    [
      ['NamesAccepted', 'True', 'NoConflicts'],
      ['Established', 'True', 'InitialNamesAccepted'],
    ],
  );
});

test('accepted names first say that the resource is being installed', () => {
  const crd = definition('apples.names.example.com', {
    plural: 'apples',
    singular: 'apple',
    kind: 'Apple',
    listKind: 'AppleList',
  });
  const status = acceptNames(crd, [], now);
  assert.deepEqual(status?.conditions?.[1], {
    type: 'Established',
    status: 'False',
    lastTransitionTime: now,
    reason: 'Installing',
    message: 'the initial names have been accepted',
  });
});

test('the time of a condition changes only with its status', () => {
  const crd = definition('apples.names.example.com', {
    plural: 'apples',
    singular: 'apple',
    kind: 'Apple',
    listKind: 'AppleList',
  });
  settle(crd, []);
  const pending = terminate(crd, 'pending', '2026-11-15T21:00:00Z');
  crd.status = pending;
  const running = terminate(crd, 'inProgress', '2026-11-15T22:00:00Z');
  assert.equal(running.conditions?.[2]?.reason, 'InstanceDeletionInProgress');
  assert.equal(running.conditions?.[2]?.lastTransitionTime, '2026-11-15T21:00:00Z');
});

test('groups of the community show their approval', () => {
  const crd = definition('widgets.x.k8s.io', { plural: 'widgets', kind: 'Widget' }, 'x.k8s.io');
  crd.metadata.annotations = { 'api-approved.kubernetes.io': 'unapproved, test' };
  assert.deepEqual(approve(crd, now)?.conditions?.[0], {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: 'False',
    lastTransitionTime: now,
    reason: 'UnapprovedAnnotation',
    message: 'not approved: "unapproved, test"',
  });
  assert.equal(approve(definition('a.example.com', { plural: 'a', kind: 'A' }), now), undefined);
});
