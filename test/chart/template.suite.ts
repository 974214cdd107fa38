/** What the chart renders over a matrix of values, and which values it refuses; run by .ci/run. */
// needs: helm
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { renderManifests } from '../../deploy/chart/manifests.ts';
import { findTool } from '../not-run.ts';
import { chart, dataOf, helm, objectsIn, release, render, titleOf, type Rendered } from './helm.ts';
import { badValues, matrix } from './matrix.ts';
import { checkPods, checkSettings, workloads } from './pods.ts';

const deploy = resolve(import.meta.dirname, '../../deploy');

test('helm lint finds nothing', async () => {
  const { code, stdout, stderr } = await helm(['lint', '--strict', chart]);
  assert.equal(code, 0, stdout + stderr);
  assert.doesNotMatch(stdout, /\[(WARNING|ERROR)\]/);
});

for (const [name, { values, has = [], hasNot = [] }] of Object.entries(matrix))
  test(`the chart with ${name}`, async () => {
    const objects = await render(values);
    const titles = objects.map(titleOf);
    assert.equal(new Set(objects.map((one) => `${titleOf(one)} ${one.metadata.namespace}`)).size, objects.length);
    for (const title of has) assert.ok(titles.includes(title), `there is ${title} among ${titles.join(', ')}`);
    for (const title of hasNot) assert.ok(!titles.includes(title), `there is no ${title}`);
    checkPods(objects);
    checkSettings(objects);
    const selectors = objects.filter(({ kind }) => kind === 'Service').map(selectorOf);
    const labels = workloads(objects).map(({ spec }) => spec.template.metadata.labels);
    for (const selector of selectors)
      assert.ok(
        labels.some((all) => Object.entries(selector).every(([label, value]) => all[label] === value)),
        JSON.stringify(selector),
      );
  });

function selectorOf({ spec }: Rendered): Readonly<Record<string, string>> {
  return (spec as { readonly selector: Readonly<Record<string, string>> }).selector;
}

for (const [name, { values, says }] of Object.entries(badValues))
  test(`the chart refuses ${name}`, async () => {
    const { code, stderr } = await helm(['template', release.name, chart], values);
    assert.notEqual(code, 0);
    assert.match(stderr, says);
  });

test('the rights are those of deploy/rbac, and no others', async () => {
  const rights = /^(ServiceAccount|(Cluster)?Role(Binding)?|ValidatingAdmissionPolicy(Binding)?)$/;
  const rendered = (await render({})).filter(({ kind }) => rights.test(kind)).map(withoutLabels);
  const files = globSync('rbac/!(*-member).yaml', { cwd: deploy });
  const wanted = files.flatMap((file) => objectsIn(readFileSync(join(deploy, file), 'utf8')));
  const key = (one: Rendered): string => `${titleOf(one)} ${one.metadata.namespace ?? ''}`;
  const sorted = (all: readonly Rendered[]): readonly Rendered[] =>
    all.toSorted((a, b) => key(a).localeCompare(key(b)));
  assert.ok(wanted.length > 40, String(wanted.length));
  assert.deepEqual(sorted(rendered), sorted(wanted));
});

test('the definitions are those of deploy/crds, and stay when the chart goes', async () => {
  const rendered = (await render({})).filter(({ kind }) => kind === 'CustomResourceDefinition');
  const wanted = globSync('crds/*.yaml', { cwd: deploy }).flatMap((file) =>
    objectsIn(readFileSync(join(deploy, file), 'utf8')),
  );
  assert.equal(rendered.length, wanted.length);
  for (const one of rendered) {
    assert.deepEqual(one['spec'], wanted.find(({ metadata }) => metadata.name === one.metadata.name)?.['spec']);
    assert.equal(one.metadata.annotations?.['helm.sh/resource-policy'], 'keep');
  }
});

test('there is no password but one by chance, and another one each time', async () => {
  const passwords = await Promise.all(
    [1, 2].map(async () => {
      const { password = '' } = dataOf(await render({}), 'Secret', 'ssvirt-initial-admin');
      return Buffer.from(password, 'base64').toString();
    }),
  );
  for (const password of passwords) assert.match(password, /^[A-Za-z0-9]{32}$/);
  assert.notEqual(passwords[0], passwords[1]);
});

test('deploy/manifests is what the chart renders', async () => {
  const wanted = await renderManifests(findTool('helm') ?? 'helm');
  const there = globSync('manifests/*.yaml', { cwd: deploy }).toSorted();
  assert.deepEqual(there, [...wanted.keys()].map((name) => `manifests/${name}`).toSorted());
  for (const [name, text] of wanted)
    assert.equal(readFileSync(join(deploy, 'manifests', name), 'utf8'), text, `${name}: run make manifests`);
});

function withoutLabels({ metadata: { labels: _, ...metadata }, ...rest }: Rendered): Rendered {
  return { ...rest, metadata };
}
