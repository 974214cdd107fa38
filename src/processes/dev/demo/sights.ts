/** Where the demo data is found, in few words. */
import { ordersNamespace } from '../cluster.ts';
import { machinesNamespace } from './declared.ts';
import { vdcNames } from './vapps.ts';

export function demoSights(
  clusters: readonly string[],
  hasAap: boolean,
): readonly (readonly [what: string, where: string])[] {
  const vdcs = vdcNames(clusters);
  const many = vdcs.length > 1 ? 'virtual data centers' : 'the virtual data center';
  return [
    ['machines', `${many} ${vdcs.join(', ')}: on, off, suspended, too large`],
    ['Machines', `namespace ${machinesNamespace}: two run, one is stopped, one names a cluster that is not there`],
    ['orders', `namespace ${ordersNamespace}: made by the operator${hasAap ? ', made by AAP' : ''}, and refused`],
  ];
}
