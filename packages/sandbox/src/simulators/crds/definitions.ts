/**
 * The definitions that the simulators install: the kinds of KubeVirt 1.9 and CDI with the fields that users need,
 * described in our own words.
 */
import type { InstalledDefinition } from './definition.ts';
import { cdiDefinitions } from './cdi.ts';
import { virtualMachineClone } from './clone.ts';
import { instancetypeDefinitions } from './instancetypes.ts';
import { kubevirt } from './kubevirt.ts';
import { virtualMachineInstanceMigration } from './migration.ts';
import { networkAttachmentDefinition } from './networks.ts';
import { virtualMachineRestore, virtualMachineSnapshot, virtualMachineSnapshotContent } from './snapshots.ts';
import { virtualMachineTemplate, virtualMachineTemplateRequest } from './templates.ts';
import { virtualMachineInstance } from './virtual-machine-instance.ts';
import { virtualMachine } from './virtual-machine.ts';

export const simulatedDefinitions: readonly InstalledDefinition[] = [
  virtualMachine,
  virtualMachineInstance,
  virtualMachineInstanceMigration,
  kubevirt,
  virtualMachineSnapshot,
  virtualMachineSnapshotContent,
  virtualMachineRestore,
  virtualMachineClone,
  ...instancetypeDefinitions,
  ...cdiDefinitions,
  networkAttachmentDefinition,
  virtualMachineTemplate,
  virtualMachineTemplateRequest,
];
