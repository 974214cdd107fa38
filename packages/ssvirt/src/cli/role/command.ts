/** `ssvirt role …`: the roles that users can have. */
import type { Command } from 'commander';
import { roles } from '../api/account-kinds.ts';
import { addGetVerb } from '../verbs/get-verb.ts';
import { addListVerb } from '../verbs/list-verb.ts';

export function registerRoleCommand(program: Command): void {
  const role = program.command('role').description('the roles that users can have');
  addListVerb(role, {
    description: 'list the roles',
    examples: ['ssvirt role list', 'ssvirt role list --name "vApp*" -o json'],
    easy: ['name'],
    canWatch: false,
    kind: () => roles,
  });
  addGetVerb(role, roles, {
    canWatch: false,
    examples: ['ssvirt role get "vApp Author"', 'ssvirt role get "vApp User" -o yaml'],
  });
}
