/** `ssvirt machine …`: looks at Machines of the machine-operator, in the supervisor and in the clusters that they run on. Nothing is ever changed. */
import type { Command } from 'commander';
import { registerReading } from '../cluster/verbs.ts';
import { registerMachineDebug } from './debug-command.ts';

export function registerMachineCommand(program: Command): void {
  const machine = program
    .command('machine')
    .description('Machines of the machine-operator: list, wait for and explain them; nothing is changed');
  registerReading(
    machine,
    { noun: 'machine', word: 'Machine', plural: 'Machines', name: 'web', namespace: 'team-a' },
    async () => (await import('./shown.ts')).shownMachines,
  );
  registerMachineDebug(machine);
}
