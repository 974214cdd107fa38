/** `ssvirt user …`: users and their roles. */
import type { Command } from 'commander';
import { users } from '../api/entity-kinds.ts';
import { addDeleteVerb } from '../verbs/delete-verb.ts';
import { addGetVerb } from '../verbs/get-verb.ts';
import { addListVerb } from '../verbs/list-verb.ts';
import { addPasswordVerb } from './password-verb.ts';
import { addUserWrites } from './write-verbs.ts';

export function registerUserCommand(program: Command): void {
  const user = program.command('user').description('users: list, create, change, passwords, roles');
  addListVerb(user, {
    description: 'list the users',
    examples: ['ssvirt user list', 'ssvirt user list --org acme --filter locked==true -o wide'],
    easy: ['name'],
    kind: () => users,
  });
  addGetVerb(user, users, { examples: ['ssvirt user get ava', 'ssvirt user get ava --org acme -o yaml'] });
  addUserWrites(user);
  addPasswordVerb(user);
  addDeleteVerb(user, users, {
    description: 'delete users',
    examples: ['ssvirt user delete ava', 'ssvirt user delete ava uwe --org acme'],
  });
}
