/** `ssvirt sync-failure …`: for the provider. The writes are retried automatically, so the command only shows them. */
import type { Command } from 'commander';
import { syncFailures } from '../api/entity-kinds.ts';
import { addGetVerb } from '../verbs/get-verb.ts';
import { addListVerb } from '../verbs/list-verb.ts';

const example = 'urn:vcloud:syncFailure:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11';

export function registerSyncFailureCommand(program: Command): void {
  const failure = program
    .command('sync-failure')
    .description('virtual machines whose state could not be written; retried automatically');
  addListVerb(failure, {
    description: 'list the virtual machines whose state could not be written, newest first',
    examples: ['ssvirt sync-failure list', 'ssvirt sync-failure list --filter isResolved==false -o wide'],
    easy: [],
    canWatch: false,
    kind: () => syncFailures,
  });
  addGetVerb(failure, syncFailures, {
    canWatch: false,
    examples: [`ssvirt sync-failure get ${example}`, `ssvirt sync-failure get ${example} -o yaml`],
  });
}
