/**
 * The VMs of a recording after each of its events: the facts that the vm-controller would have, and what it would
 * write.
 */
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { dataVolumeFacts } from '../../packages/ssvirt/src/kubevirt/facts/data-volume.ts';
import { vmFacts } from '../../packages/ssvirt/src/kubevirt/facts/vm.ts';
import { vmiFacts } from '../../packages/ssvirt/src/kubevirt/facts/vmi.ts';
import { observeMachine, type MachineObservation } from '../../packages/ssvirt/src/kubevirt/status/observe.ts';
import type { RecordedEvent } from '../kubevirt/transcripts.ts';

export class RecordedMachines {
  readonly #objects = new Map<string, Map<string, JsonObject>>();

  see({ type, kind, name, after }: RecordedEvent): void {
    const ofKind = this.#ofKind(kind);
    if (type === 'DELETED') ofKind.delete(name);
    else ofKind.set(name, after);
  }

  /** By name, with troubles of this age. */
  observed(ageMs: number): ReadonlyMap<string, MachineObservation> {
    const dataVolumes = [...this.#ofKind('DataVolume').values()].map(dataVolumeFacts);
    const all = [...this.#ofKind('VirtualMachine')].map(([name, object]) => {
      const instance = this.#ofKind('VirtualMachineInstance').get(name);
      const vmi = instance === undefined ? undefined : vmiFacts(instance);
      return [name, observeMachine({ vm: vmFacts(object), vmi, dataVolumes }, () => ageMs)] as const;
    });
    return new Map(all);
  }

  /** In the format of the expected rows. */
  text(): string {
    const old = this.observed(86_400_000);
    const rows = [...this.observed(0)].map(([name, now]) => {
      const later = old.get(name)?.status;
      const words = [
        name === 'vm1' ? '' : `${name.length > 20 ? `${name[0] ?? ''}…` : name}:`,
        now.status,
        now.busy ? 'busy' : '',
        now.faultReason ?? '',
        later === now.status ? '' : `then ${later ?? ''}`,
      ];
      return words.filter((word) => word !== '').join(' ');
    });
    return rows.join(', ') || 'none';
  }

  #ofKind(kind: string): Map<string, JsonObject> {
    const found = this.#objects.get(kind) ?? new Map<string, JsonObject>();
    this.#objects.set(kind, found);
    return found;
  }
}
