/** What makes machines change their state, and how that shows. Each driver switches something on in one round and off in the next. */
import type { Call } from '../connection.ts';
import { instancesPath, machineName, powerPath } from './machine.ts';
import type { Observed, Observer } from './observer.ts';

export interface Driver {
  call(index: number, isOn: boolean): Call;
  /** Whether the machine, as it was seen, shows what the call was for. */
  isShown(machine: Observed, isOn: boolean): boolean;
}

/** A user's call: the machine is paused and resumed by its subresource. It goes through virt-api, instance, pod and machine. */
export const pauses: Driver = {
  call: (index, isOn) => ({ method: 'PUT', path: powerPath(index, isOn ? 'pause' : 'unpause'), body: '{}' }),
  isShown: ({ status }, isOn) => status === (isOn ? 'Paused' : 'Running'),
};

const CONDITION = 'AccessCredentialsSynchronized';

/**
 * What virt-handlers report: the guest agent has put the user's keys in place, or has them no longer. It is written into the instance under the name
 * of the node's virt-handler, and the machine has to show it. `at` is the place of the condition: behind those that every running instance has.
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
