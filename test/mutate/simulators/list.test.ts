import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { admissionCases } from '../../kubevirt/admission.ts';
import { matrixStates } from '../../kubevirt/matrix.ts';
import { missingRecordings, scenarioIds } from '../../kubevirt/transcripts.ts';
import { patternOf } from '../check.ts';
import { plant } from '../defect.ts';
import { needsRecordings, scenarios } from './defect.ts';
import { defects } from './defects/index.ts';

const root = resolve(import.meta.dirname, '../../..');

describe('the behaviours of the simulators that are switched off', () => {
  for (const defect of defects) {
    test(`fits the source: ${defect.file}: ${defect.name}`, () => {
      const source = readFileSync(join(root, 'src/sandbox/simulators', defect.file), 'utf8');
      assert.notEqual(plant(defect, source), source);
      assert.ok(existsSync(join(root, defect.noticedBy.file)), `there is no ${defect.noticedBy.file}`);
    });
  }

  test('are at least 45, in every part of the simulators, each called something else', () => {
    assert.ok(defects.length >= 45);
    const missing = [
      'kubevirt/vm',
      'kubevirt/vmi',
      'kubevirt/migration',
      'kubevirt/admission',
      'kubevirt/subresources',
      'kubevirt/instancetypes',
      'cdi',
      'templates',
      'node',
      'load-balancers',
    ].filter((folder) => !defects.some(({ file }) => file.startsWith(`${folder}/`)));
    assert.deepEqual(missing, []);
    assert.equal(new Set(defects.map(({ name }) => name)).size, defects.length);
  });

  test('are noticed by tests that there are', () => {
    const tests = defects.map(({ noticedBy }) => noticedBy).filter((check) => !needsRecordings(check));
    for (const { file, only = [] } of tests) {
      const source = [file, file.replace('.test.ts', '-cases.ts')]
        .map((name) => join(root, name))
        .filter((path) => existsSync(path))
        .map((path) => readFileSync(path, 'utf8'))
        .join('\n');
      for (const name of only) assert.ok(source.includes(`test('${name}'`), `there is no test "${name}" in ${file}`);
    }
  });

  test('are noticed by what was recorded', { skip: missingRecordings() ?? false }, () => {
    const known = new Set([
      ...scenarioIds(),
      ...admissionCases().map(({ id }) => id),
      ...matrixStates().map(({ state }) => state),
    ]);
    const recorded = defects.map(({ noticedBy }) => noticedBy).filter(needsRecordings);
    assert.deepEqual(
      recorded.flatMap(({ only = [] }) => only).filter((id) => !known.has(id)),
      [],
    );
  });
});

test('a check names tests by the whole of their name, or by what stands before its colon', () => {
  const { only = [] } = scenarios('vm/create-always');
  const pattern = new RegExp(patternOf(only).slice(1, -1));
  for (const name of ['vm/create-always', 'vm/create-always: it runs']) assert.match(name, pattern);
  for (const name of ['vm/create-always.run2', 'xvm/create-always', 'vm/create']) assert.doesNotMatch(name, pattern);
});
