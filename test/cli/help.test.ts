/** Every command has at least two examples, and the parser accepts every example. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { Command, CommanderError } from 'commander';
import { commandLine } from '../../packages/ssvirt/src/cli/command-line.ts';
import { completionFor } from '../../packages/ssvirt/src/cli/completion/command.ts';
import { commands, processes } from '../../packages/ssvirt/src/commands.ts';
import { exitCodeTexts } from '../../packages/ssvirt/src/cli/output/exit-code.ts';
import { throwAwayFolder } from '../cluster/cluster.ts';
import { findTool, notRun } from '../not-run.ts';
import { command } from '../processes/api-server.ts';

const root = resolve(import.meta.dirname, '../..');

async function program(): Promise<Command> {
  const all = new Command('ssvirt').enablePositionalOptions();
  for (const load of Object.values(commands)) (await load())(all);
  return all;
}

/** The commands that do something: a process with subcommands counts as well as they do. */
function leaves(one: Command): readonly Command[] {
  const isProcess = one.parent?.parent === null && Object.hasOwn(processes, one.name()) && one.options.length > 0;
  return [...(one.commands.length === 0 || isProcess ? [one] : []), ...one.commands.flatMap(leaves)];
}

function pathOf(one: Command): string {
  return one.parent === null ? one.name() : `${pathOf(one.parent)} ${one.name()}`;
}

function examplesOf(one: Command): readonly string[] {
  let help = '';
  one.configureOutput({ writeOut: (text) => (help += text) });
  one.outputHelp();
  const [, after = ''] = help.split('\nExamples:\n');
  return (after.split('\n\n')[0] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The words of each ssvirt command in a shell line. */
function commandsIn(example: string): readonly (readonly string[])[] {
  const words = [...example.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\|\||&&|[|;()<>])|([^\s"'|;()<>]+)/g)].map(
    ([, double, single, control, plain]) => ({
      text: double ?? single ?? plain ?? '',
      isControl: control !== undefined,
    }),
  );
  const commands: string[][] = [];
  let current: string[] | undefined;
  for (const { text, isControl } of words) {
    if (isControl) current = undefined;
    else if (text === 'ssvirt' && current === undefined) commands.push((current = []));
    else current?.push(text);
  }
  return commands;
}

describe('the help of the commands', async () => {
  const all = await program();

  for (const leaf of leaves(all)) {
    test(`"${pathOf(leaf)}" has two examples, which the parser takes`, async () => {
      assert.notEqual(leaf.description(), '');
      const examples = examplesOf(leaf);
      assert.ok(examples.length >= 2, `${examples.length} examples`);
      for (const example of examples) {
        const asked = commandsIn(example);
        assert.ok(asked.length > 0, `no ssvirt command in: ${example}`);
        for (const words of asked) assert.equal(await reached(words), true, example);
      }
      assert.ok(
        examples.some((example) => `${example} `.includes(`${pathOf(leaf)} `)),
        'none is of this command',
      );
    });
  }

  const tried = await program();
  const silence = { writeOut: () => undefined, writeErr: () => undefined };
  for (const one of [tried, ...withAll(tried)]) one.exitOverride().configureOutput(silence);
  let isReached = false;
  for (const one of leaves(tried)) one.action(() => void (isReached = true));

  /** Whether the words lead to the action of a command. The action does not run. */
  async function reached(words: readonly string[]): Promise<boolean> {
    isReached = false;
    try {
      await tried.parseAsync([...commandLine(words)], { from: 'user' });
    } catch (error) {
      if (error instanceof CommanderError) throw new Error(`${words.join(' ')}: ${error.message}`, { cause: error });
      throw error;
    }
    return isReached;
  }

  function withAll(one: Command): readonly Command[] {
    return one.commands.flatMap((child) => [child, ...withAll(child)]);
  }

  test('docs/cli.md is the help of the commands: "make docs" writes it', () => {
    const { stdout, status } = spawnSync(command, ['reference'], { encoding: 'utf8' });
    assert.equal(status, 0);
    assert.equal(readFileSync(resolve(root, 'docs/cli.md'), 'utf8'), stdout);
  });

  test('the page for tenants lists every exit code', () => {
    const page = readFileSync(resolve(root, 'docs/tenant/cli.md'), 'utf8');
    for (const [code] of exitCodeTexts) assert.match(page, new RegExp(`^\\| ${code} +\\|`, 'm'));
  });

  test('an invalid command line exits with 2, for every command', () => {
    const wrong = [
      'vmm',
      'vm lst',
      'vm list --bogus',
      'vm get',
      'order diff',
      'api-server --bogus',
      'sandbox up',
      '-x',
    ];
    for (const line of wrong) {
      const { status, stdout, stderr } = spawnSync(command, line.split(' '), { encoding: 'utf8' });
      assert.deepEqual([status, stdout], [2, ''], line);
      assert.match(stderr, /^error: /, line);
    }
  });

  test('wrong usage points at the help of the command itself, also where the action finds it', () => {
    const wrong: readonly (readonly [line: string, command: string])[] = [
      ['vmm', 'ssvirt'],
      ['vm lst', 'ssvirt vm'],
      ['vm create', 'ssvirt vm create'],
      ['vm create web --memory lots', 'ssvirt vm create'],
      ['vapp instantiate shop --item x -p SECRET', 'ssvirt vapp instantiate'],
    ];
    const env = { ...process.env, SSVIRT_URL: 'https://127.0.0.1:1', SSVIRT_TOKEN: 'a-token' };
    for (const [line, path] of wrong) {
      const { status, stderr } = spawnSync(command, line.split(' '), { encoding: 'utf8', env });
      assert.deepEqual([status, stderr.trim().split('\n').at(-1)], [2, `(see "${path} --help")`], line);
    }
  });

  test('--wait takes no name for its duration', async () => {
    const fresh = await program();
    let given: unknown;
    const powerOn = leaves(fresh).find((one) => pathOf(one) === 'ssvirt vm power-on');
    powerOn?.action((names: unknown) => void (given = { names, wait: powerOn.opts()['wait'] as unknown }));
    await fresh.parseAsync([...commandLine(['vm', 'power-on', '--wait', 'web', 'db'])], { from: 'user' });
    assert.deepEqual(given, { names: ['web', 'db'], wait: 900_000 });
    await fresh.parseAsync([...commandLine(['vm', 'power-on', 'web', '--wait=90s'])], { from: 'user' });
    assert.deepEqual(given, { names: ['web'], wait: 90_000 });
  });

  const questions: readonly (readonly [words: string, expected: string])[] = [
    ['ssvirt v', 'vm vapp vdc vm-controller'],
    ['ssvirt vm power-o', 'power-on power-off'],
    ['ssvirt vm list --st', '--status'],
    ['ssvirt vm list --ad', '--address'],
    ['ssvirt vm list --output j', 'json'],
    ['ssvirt vm --org acme disk a', 'add'],
    ['ssvirt completion f', 'fish'],
  ];

  test('bash completes commands, flags and formats', async (context) => {
    if (findTool('bash') === undefined) return context.skip(notRun('completion of bash', 'bash is not on the PATH'));
    const script = await completionFor(all, 'bash');
    const asked = questions.map(
      ([words]) => `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _ssvirt; echo "\${COMPREPLY[*]}"`,
    );
    const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-eu'], {
      input: `${script}\n${asked.join('\n')}\n`,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.deepEqual(
      stdout.trim().split('\n'),
      questions.map(([, expected]) => expected),
    );
  });

  test('fish completes commands, flags, formats and files where a flag takes one', async (context) => {
    if (findTool('fish') === undefined) return context.skip(notRun('completion of fish', 'fish is not on the PATH'));
    const script = await completionFor(all, 'fish');
    const asked: readonly (readonly [words: string, expected: string])[] = [
      ['ssvirt v', 'vapp vdc vm vm-controller'],
      ['kubectl-ssvirt vm power-o', 'power-off power-on'],
      ['ssvirt vm list --st', '--status'],
      ['ssvirt vm list -o ', 'json name table wide yaml'],
      ['ssvirt vm list --output j', 'json'],
      ['ssvirt vm --org acme disk a', 'add'],
      ['ssvirt completion ', 'bash fish zsh'],
      ['ssvirt vm list ', ''],
      ['ssvirt vm create web --user-data package.j', 'package.json'],
    ];
    const told = asked.map(([words]) => `echo (complete -C '${words}' | string split -f1 \\t)`);
    const folder = await throwAwayFolder('ssvirt-fish-');
    context.after(() => folder.remove());
    const file = join(folder.path, 'completion.fish');
    writeFileSync(file, `${script}\n${told.join('\n')}\n`);
    const { stdout, stderr, status } = spawnSync('fish', ['--no-config', file], { encoding: 'utf8', cwd: root });
    assert.equal(status, 0, stderr);
    assert.deepEqual(
      stdout.split('\n').slice(0, -1),
      asked.map(([, expected]) => expected),
      stderr,
    );
  });

  test('zsh takes its completion', async (context) => {
    const script = await completionFor(all, 'zsh');
    assert.match(script, /power-on/);
    if (findTool('zsh') === undefined) return context.skip(notRun('completion of zsh', 'zsh is not on the PATH'));
    const { status, stderr } = spawnSync('zsh', ['-n'], { input: script, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
});
