/** `ssvirt vm …`: VMs of a tenant. */
import type { Command } from 'commander';
import { vms } from '../api/entity-kinds.ts';
import { addDebugVerb } from '../debug/command.ts';
import { addDeleteVerb } from '../verbs/delete-verb.ts';
import { addGetVerb } from '../verbs/get-verb.ts';
import { addListVerb } from '../verbs/list-verb.ts';
import { addPowerVerbs } from '../verbs/power-verbs.ts';
import { addWaitVerb } from '../verbs/wait-verb.ts';
import { addConsoleVerbs } from './console-verbs.ts';
import { addCreateVerb } from './create-verb.ts';
import { addDiskVerbs } from './disk-verbs.ts';
import { addEditVerb } from './edit-verb.ts';

export function registerVmCommand(program: Command): void {
  const vm = program.command('vm').description('virtual machines: list, create, change, power, disks, console, debug');
  addListVerb(vm, {
    description: 'list the virtual machines that you may see',
    examples: [
      'ssvirt vm list',
      'ssvirt vm list --vdc demo-vdc --status powered_on -o wide',
      'ssvirt vm list --name "web*" --watch',
      'ssvirt vm list --address 10.0.2.15',
      'ssvirt vm list --owner ann --guest-os "Fedora*" --sort -memoryMb',
    ],
    easy: ['name', 'status', 'vdc', 'vapp', 'owner', 'address', 'guestOs', 'cpus', 'memory'],
    sorts: ['name', 'status', 'ipAddresses', 'guestOs', 'cpus', 'memoryMb', 'owner.name', 'vdc.name', 'createdAt'],
    kind: () => vms,
  });
  addGetVerb(vm, vms, {
    inVdc: true,
    examples: ['ssvirt vm get web', 'ssvirt vm get web --vdc demo-vdc -o yaml'],
    detail: async (client, one) => (await import('./detail.ts')).vmDetail(client, one),
  });
  addCreateVerb(vm);
  addEditVerb(vm);
  addPowerVerbs(vm, vms);
  addWaitVerb(vm, vms, 'web');
  addDiskVerbs(vm);
  addConsoleVerbs(vm);
  addDebugVerb(vm);
  addDeleteVerb(vm, vms, {
    description: 'delete virtual machines with their disks',
    examples: ['ssvirt vm delete web --wait', 'ssvirt vm delete web db --force'],
    force: 'even while it runs: the guest stops as in a power failure',
    hasTask: true,
    inVdc: true,
  });
}
