/** The tasks that change the power state of a VM. */
import { powerOperations, type PowerOperation } from '../../kubevirt/power/table.ts';

const prefixed = (prefix: 'vm' | 'vapp', operation: PowerOperation): string =>
  `${prefix}${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;

/** `vmPowerOn` for `powerOn`. */
export function powerTask(operation: PowerOperation): string {
  return prefixed('vm', operation);
}

/** `vappPowerOn`. */
export function vappPowerTask(operation: PowerOperation): string {
  return prefixed('vapp', operation);
}

export const powerTasks: readonly string[] = powerOperations.map(powerTask);
export const vappPowerTasks: readonly string[] = powerOperations.map(vappPowerTask);

/** Whether these were done cannot be seen afterwards, so each request is a new one. */
const momentary: ReadonlySet<PowerOperation> = new Set<PowerOperation>(['reset', 'reboot']);

export function isMomentary(operation: PowerOperation): boolean {
  return momentary.has(operation);
}

/** `powerWanted` returns the desired power state afterwards; suspend and resume leave it unchanged. */
export function powerWanted(operation: PowerOperation): 'on' | 'off' | undefined {
  if (operation === 'powerOn') return 'on';
  return operation === 'powerOff' || operation === 'shutdown' ? 'off' : undefined;
}
