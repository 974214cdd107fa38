/**
 * What makes VMs change their state, and how that shows. Each driver switches something on in one round and off in the
 * next.
 */
import type { Call } from '../connection.ts';
import { instancesPath, machineName, powerPath } from './machine.ts';
import type { Observed, Observer } from './observer.ts';

export interface Driver {
  call(index: number, isOn: boolean): Call;
  /** Whether the observed VM shows the effect of the call. */
  isShown(machine: Observed, isOn: boolean): boolean;
}

/** A user's call: the VM is paused and resumed through its subresource. It passes through virt-api, VMI, pod and VM. */
export const pauses: Driver = {
  call: (index, isOn) => ({ method: 'PUT', path: powerPath(index, isOn ? 'pause' : 'unpause'), body: '{}' }),
  isShown: ({ status }, isOn) => status === (isOn ? 'Paused' : 'Running'),
};

const CONDITION = 'AccessCredentialsSynchronized';

/**
 * What virt-handlers report: the guest agent has set the user's keys, or no longer has them. This is written to the VMI
 * under the name of the node's virt-handler, and the VM must show it. `at` is the index of the condition: after those
 * of every running VMI.
 */
export function reports(instances: Observer, at: number): Driver {
  const place = `/status/conditions/${at}`;
  const on = [{ op: 'add', path: place, value: { type: CONDITION, status: 'True', lastProbeTime: null } }];
  const off = [
    { op: 'test', path: `${place}/type`, value: CONDITION },
    { op: 'remove', path: place },
  ];
  return {
    call: (index, isOn) => ({
      method: 'PATCH',
      path: `${instancesPath}/${machineName(index)}`,
      type: 'application/json-patch+json',
      body: JSON.stringify(isOn ? on : off),
      headers: {
        'Impersonate-User': 'system:serviceaccount:kubevirt:kubevirt-handler',
        'Impersonate-Group': 'system:masters',
        'Impersonate-Extra-authentication.kubernetes.io%2Fnode-name': instances.nodeOf(machineName(index)),
      },
    }),
    isShown: ({ state }, isOn) => state.includes(`${CONDITION}=True`) === isOn,
  };
}
