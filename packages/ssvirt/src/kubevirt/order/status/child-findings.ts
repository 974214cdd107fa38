/** One condition for each child, in controller mode. */
import type { Finding } from '../../machine/status.ts';
import type { MachineState } from '../machine-state.ts';
import type { ChildState, OrderObservation } from '../observation.ts';
import { conditions } from '../resource.ts';

export function childFindings(seen: OrderObservation, machine: MachineState): readonly Finding[] {
  return seen.children.map((child) => finding(child, seen, machine));
}

function finding(child: ChildState, seen: OrderObservation, machine: MachineState): Finding {
  const { condition: type, applied, ready, message } = child;
  if (!applied)
    return {
      type,
      status: 'False',
      reason: seen.problem?.reason ?? 'Progressing',
      message: message ?? 'It does not exist yet.',
    };
  if (type === conditions.virtualMachine) return machineFinding(seen, machine);
  if (type === conditions.dataVolume) return diskFinding(child, seen, machine);
  return ready === false
    ? { type, status: 'False', reason: 'Progressing', message: message ?? 'It exists but is not ready yet.' }
    : { type, status: 'True', reason: 'Created', message: message ?? 'It exists as ordered.' };
}

function machineFinding({ problem: _, ...seen }: OrderObservation, machine: MachineState): Finding {
  const type = conditions.virtualMachine;
  switch (machine.state) {
    case 'serving':
      return { type, status: 'True', reason: 'AsExpected', message: 'The virtual machine runs.' };
    case 'failed':
    case 'hindered':
      return { type, status: 'False', reason: machine.reason, message: machine.sentence };
    case 'stopped':
      return { type, status: 'False', reason: 'Stopped', message: 'The virtual machine is stopped.' };
    case 'paused':
      return { type, status: 'False', reason: 'Paused', message: 'The virtual machine is paused.' };
    default: {
      const status = seen.vm?.printableStatus;
      const said = status === undefined ? '' : ` KubeVirt says: ${status}.`;
      return { type, status: 'False', reason: 'Progressing', message: `The virtual machine is not ready yet.${said}` };
    }
  }
}

function diskFinding({ ready, message }: ChildState, { dataVolume }: OrderObservation, machine: MachineState): Finding {
  const type = conditions.dataVolume;
  const isFilled = ready ?? (dataVolume === undefined || dataVolume.phase === 'Succeeded');
  if (isFilled) return { type, status: 'True', reason: 'AsExpected', message: message ?? 'The disk is filled.' };
  if (machine.state === 'failed' && machine.reason === 'ImportFailed')
    return { type, status: 'False', reason: 'ImportFailed', message: machine.sentence };
  const phase = dataVolume?.phase;
  const said = phase === undefined ? '' : ` (${phase})`;
  return { type, status: 'False', reason: 'Progressing', message: message ?? `The disk is being filled${said}.` };
}
