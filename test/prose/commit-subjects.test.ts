import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { notRun } from '../not-run.ts';
import { problemOfSubject } from './commit-subject.ts';
import { repository } from './places.ts';

/** The rule holds for the commits after this one. */
const base = '84b4528b08cc8d68eea6a66e43b3e20e67837496';

function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: repository, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Undefined where the history is not there, or does not have the base. */
function subjects(): readonly string[] | undefined {
  // Copies of the repository stand in folders of other repositories.
  if (git('rev-parse', '--show-prefix') !== '' || git('merge-base', '--is-ancestor', base, 'HEAD') === undefined)
    return undefined;
  return git('log', '--no-merges', '--format=%h %s', `${base}..HEAD`)
    ?.split('\n')
    .filter((line) => line !== '');
}

test('every commit has a subject such as "area: summary", of at most 72 characters', (t) => {
  const lines = subjects();
  if (lines === undefined)
    return t.skip(notRun('the subjects of commits', `git history with ${base.slice(0, 12)} is not there`));
  const problems = lines.flatMap((line) => {
    const [commit = '', ...words] = line.split(' ');
    const problem = problemOfSubject(words.join(' '));
    return problem === undefined ? [] : [`${commit} "${words.join(' ')}" ${problem}`];
  });
  assert.ok(problems.length === 0, ['subjects to write again:', ...problems].join('\n'));
});

for (const right of [
  'kube: do not block startup on a kind removed during discovery',
  'api, db: reject an unknown filter',
  'controllers/machine: report 0.5 cores',
  'test: read README.md',
  `a: ${'b'.repeat(69)}`,
])
  test(`"${right}" is a subject`, () => assert.equal(problemOfSubject(right), undefined));

for (const [wrong, why] of [
  ['Do not wait for a kind', /"area: summary"/],
  ['Kube: wait', /lower case/],
  ['kube:wait', /"area: summary"/],
  ['kube wait: x', /"area: summary"/],
  ['kube: wait.', /full stop/],
  [`a: ${'b'.repeat(70)}`, /has 73 characters; the limit is 72/],
] as const)
  test(`"${wrong}" is no subject`, () => assert.match(problemOfSubject(wrong) ?? '', why));
