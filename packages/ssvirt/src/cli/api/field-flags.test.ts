import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Command } from 'commander';
import { registerCatalogCommand } from '../catalog/command.ts';
import { registerUserCommand } from '../user/command.ts';
import { registerVappCommand } from '../vapp/command.ts';
import { registerVdcCommand } from '../vdc/command.ts';
import { registerVmCommand } from '../vm/command.ts';
import { flagsOf } from './asking.ts';
import { inFlags } from './field-flags.ts';

const program = new Command('ssvirt');
for (const register of [
  registerCatalogCommand,
  registerUserCommand,
  registerVappCommand,
  registerVdcCommand,
  registerVmCommand,
])
  register(program);

function of(words: string): ReadonlySet<string> {
  let found: Command = program;
  for (const word of words.split(' ')) found = found.commands.find((one) => one.name() === word) ?? assert.fail(words);
  return flagsOf(found);
}

suite('a refusal names the flags of the command', () => {
  const cases: readonly (readonly [command: string, said: string, expected: string])[] = [
    ['vm create', 'memoryMb is 4 MB; the minimum is 64 MB.', '--memory is 4 MB; the minimum is 64 MB.'],
    ['vm edit', 'cpus is 513; the maximum is 512.', '--cpus is 513; the maximum is 512.'],
    [
      'vm create',
      'cpus, memoryMb, instancetype: give either instancetype, or both cpus and memoryMb.',
      '--cpus, --memory, --instancetype: give either --instancetype, or both --cpus and --memory.',
    ],
    [
      'vm create',
      'image, dataSource, url, blank: image and url are given; give exactly one of them.',
      '--image, --data-source, --image-url, --blank: --image and --image-url are given; give exactly one of them.',
    ],
    ['vm create', 'disks.0.name is "A"; it must be lower case.', '--disk (name) is "A"; it must be lower case.'],
    ['vm create', 'name is " a"; it must have no leading space.', 'the name is " a"; it must have no leading space.'],
    ['vm edit', 'name is " a"; it must have no leading space.', '--name is " a"; it must have no leading space.'],
    ['vm disk add', 'sizeMb is 0 MB; the minimum is 1 MB.', '--size is 0 MB; the minimum is 1 MB.'],
    [
      'vm delete',
      'Power it off first, or delete it with force=true.',
      'Power it off first, or delete it with --force.',
    ],
    ['vdc create', 'computeCapacity.cpu.limit is -1; the minimum is 0.', '--vcpus is -1; the minimum is 0.'],
    ['vapp instantiate', 'parameters.SIZE: is not one of S, M.', '--param (SIZE): is not one of S, M.'],
    ['vapp instantiate', 'catalogItem.id is not of an item.', '--item is not of an item.'],
    ['catalog item create', 'definition.cpus is 0; the minimum is 1.', '--filename (cpus) is 0; the minimum is 1.'],
    ['user create', 'password must have at least 12 characters.', '--password-file must have at least 12 characters.'],
    [
      'vm list',
      'sortAsc, sortDesc: virtual machines cannot be sorted by "size"; by name, cpus they can.',
      '--sort: virtual machines cannot be sorted by "size"; by name, cpus they can.',
    ],
    // What the command has no flag for, words of the sentence, and what the user wrote stay.
    ['vm get', 'memoryMb is 4 MB; the minimum is 64 MB.', 'memoryMb is 4 MB; the minimum is 64 MB.'],
    ['vm create', 'The image "memoryMb" has a name and disks.', 'The image "memoryMb" has a name and disks.'],
  ];
  for (const [command, said, expected] of cases)
    test(`${command}: ${said}`, () => assert.equal(inFlags(said, of(command)), expected));
});
