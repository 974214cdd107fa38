/**
 * `ssvirt machine …`: shows Machines of the machine-operator, in the supervisor and in their clusters. Only `adopt`
 * writes: an annotation on the Machine.
 */
import type { Command } from 'commander';
import { registerBindNamespace } from '../cluster/bind-namespace.ts';
import { registerReading } from '../cluster/verbs.ts';
import { registerMachineAdopt } from './adopt-command.ts';
import { registerMachineDebug } from './debug-command.ts';

export function registerMachineCommand(program: Command): void {
  const machine = program
    .command('machine')
    .description('Machines of the machine-operator: list, wait for and debug them, and adopt their virtual machines');
  registerReading(
    machine,
    { noun: 'machine', word: 'Machine', plural: 'Machines', name: 'web', namespace: 'team-a' },
    async () => (await import('./shown.ts')).shownMachines,
  );
  registerMachineDebug(machine);
  registerMachineAdopt(machine);
  registerBindNamespace(machine, {
    process: 'ssvirt-machine-operator',
    description:
      'print the RoleBinding that lets the machine-operator read and write Secrets in namespaces of the supervisor whose Machines have cloud-init; an administrator applies it',
    examples: [
      'ssvirt machine bind-namespace team-a team-b | kubectl apply --server-side -f -',
      'ssvirt machine bind-namespace team-a --account-namespace cloud',
    ],
  });
}
