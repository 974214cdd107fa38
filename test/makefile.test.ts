/** The Makefile: few targets, in groups, and the pages and the sources name only targets and areas that exist. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { areas as plantedAreas } from './mutate/areas.ts';

const repository = resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(repository, file), 'utf8');
const makefile = read('Makefile');

interface Target {
  readonly name: string;
  readonly doc: string;
}

/** The targets that `make help` lists. */
const targets: readonly Target[] = [...makefile.matchAll(/^([a-z0-9-]+):.*## (.*)$/gm)].map(
  ([, name = '', doc = '']) => ({ name, doc }),
);
const names = targets.map(({ name }) => name);

/** The areas that the help of a target lists. */
function areasOf(target: string): readonly string[] {
  const { doc = '' } = targets.find(({ name }) => name === target) ?? {};
  return /\bAREA=([a-z|-]+)/.exec(doc)?.[1]?.split('|') ?? [];
}

/** The tests may run below a make that has variables and options of its own. */
function make(...args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { AREA: _area, ARGS: _args, MAKEFLAGS: _flags, MAKEOVERRIDES: _overrides, ...env } = process.env;
  // Packages are never installed from here.
  const all = ['--no-print-directory', '-o', 'node_modules/.installed', ...args];
  const { status, stdout, stderr } = spawnSync('make', all, { cwd: repository, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

test('there are at most 20 targets, all with help and phony, and every one but help is in a group', () => {
  assert.ok(names.length <= 20, `${names.length} targets: ${names.join(', ')}`);
  const rules = [...makefile.matchAll(/^([a-z0-9-]+):(?!=)/gm)].map(([, name = '']) => name);
  assert.deepEqual(rules, names, 'a rule without ## is not in the help');
  const phony = /^\.PHONY: (.*)$/m.exec(makefile)?.[1]?.split(' ') ?? [];
  assert.deepEqual(phony, names);
  const { status, output } = make('help');
  assert.equal(status, 0);
  const [, ...groups] = output.trimEnd().split('\n\n');
  const listed = groups.map((group) => group.split('\n').map((line) => line.trim().split(' ')[0] ?? ''));
  assert.deepEqual(
    listed.map(([group]) => group),
    ['Use', 'Change', 'Measure', 'Release'],
  );
  assert.deepEqual(['help', ...listed.flatMap(([, ...ofGroup]) => ofGroup)], names);
});

describe('an area', () => {
  const folderOf = { bench: (area: string) => `bench/${area}`, soak: (area: string) => `bench/${area}-soak` };
  for (const [target, folder] of Object.entries(folderOf)) {
    const areas = areasOf(target);

    test(`of make ${target} runs the program of its folder`, () => {
      const found = globSync('bench/*/main.ts', { cwd: repository })
        .map((file) => file.split('/')[1] ?? '')
        .filter((name) => name.endsWith('-soak') === (target === 'soak'))
        .map((name) => name.replace(/-soak$/, ''));
      assert.deepEqual(found.toSorted(), areas);
      for (const area of areas) {
        const { status, output } = make('-n', target, `AREA=${area}`, 'ARGS=--x');
        assert.equal(status, 0, output);
        const command = output.split('\n').findLast((line) => line.includes('main.ts')) ?? '';
        assert.match(
          command.replace('$area', area).replace(/^for area in .*; do /, ''),
          new RegExp(`^bin/node ${folder(area)}/main.ts --x`),
        );
        assert.ok(existsSync(join(repository, folder(area), 'main.ts')), area);
      }
    });

    for (const wrong of ['nope', areas.slice(0, 2).join(' '), '*'])
      test(`"${wrong}" is refused by make ${target} with the areas that there are`, () => {
        const { status, output } = make(target, `AREA=${wrong}`);
        assert.equal(status, 2);
        assert.ok(output.includes(`there is no area "${wrong}"; the areas are ${areas.join(' ')}\n`), output);
      });
  }

  test('of make mutate is one of the lists of defects, and another one is refused', () => {
    const areas = Object.keys(plantedAreas);
    assert.deepEqual(areasOf('mutate'), areas);
    const { status, output } = make('mutate', 'AREA=nope');
    assert.equal(status, 2);
    assert.ok(output.includes(`there is no area "nope"; the areas are ${areas.join(' ')}\n`), output);
  });

  test('is not needed: bench then runs the sandbox, and soak two areas', () => {
    assert.match(make('-n', 'bench').output, /^bin\/node bench\/sandbox\/main\.ts/m);
    assert.match(
      make('-n', 'soak').output,
      /^for area in runtime vm-status; do bin\/node bench\/\$area-soak\/main\.ts/m,
    );
  });
});

/** The commands of make in a page or a source: in backticks, in shell blocks, in comments, and where a text says to run one. */
function commandsIn(text: string): readonly (readonly string[])[] {
  const starts =
    /(?:`|^[ \t]*(?:\/\*\*|\*|#|\/\/)?[ \t]*|\b(?:run|usage:|only in|write it with|otherwise) )make ([a-z][^`#;:,)'\\\n]*)(?:\n([^`\n]*)`)?/gm;
  return [...text.matchAll(starts)].map(([, first = '', second = '']) => `${first} ${second}`.trim().split(/\s+/));
}

/** What is wrong with a command, or undefined. */
function complaint([target = '', ...others]: readonly string[]): string | undefined {
  if (!names.includes(target)) return `there is no target "${target}"`;
  const area = others.map((word) => /^AREA=([a-z-]+)/.exec(word)?.[1]).find((found) => found !== undefined);
  if (area === undefined || areasOf(target).includes(area)) return undefined;
  return `make ${target} has no area "${area}"`;
}

test('a command of make is found, with its target and its area', () => {
  const text =
    '`make docs manifests`, and `make bench\nAREA=api ARGS=--help`\n * make soak AREA=runtime\nrun make check, or\n';
  const found = commandsIn(text);
  assert.deepEqual(found, [
    ['docs', 'manifests'],
    ['bench', 'AREA=api', 'ARGS=--help'],
    ['soak', 'AREA=runtime'],
    ['check'],
  ]);
  assert.deepEqual(found.map(complaint), [undefined, undefined, undefined, undefined]);
  assert.equal(complaint(['bench-api']), 'there is no target "bench-api"');
  assert.equal(complaint(['bench', 'AREA=kube']), 'make bench has no area "kube"');
});

test('the pages and the sources name only targets and areas that exist', () => {
  const files = globSync(
    [
      '*.md',
      'Containerfile',
      'THIRD-PARTY-NOTICES',
      'docs/**/*.md',
      '{packages,test,bench,deploy}/**/*.{ts,md,yaml}',
      'bin/*',
    ],
    { cwd: repository },
  ).filter((file) => join(repository, file) !== import.meta.filename);
  const commands = files.flatMap((file) => commandsIn(read(file)).map((words) => ({ file, words })));
  const wrong = commands
    // "make the next attempt" and the like are English.
    .filter(({ words: [first = ''] }) => !['a', 'by', 'the'].includes(first))
    .flatMap(({ file, words }) => {
      const found = complaint(words);
      return found === undefined ? [] : [`${file}: make ${words.join(' ')}: ${found}`];
    });
  assert.deepEqual(wrong, []);
  assert.ok(commands.length > 150, `only ${commands.length} commands found`);
});
