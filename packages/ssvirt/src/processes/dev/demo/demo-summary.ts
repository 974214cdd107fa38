/** Where to find the demo data, in a few words. */
import { ordersNamespace } from '../cluster.ts';
import { machinesNamespace } from './declared.ts';
import { vdcNames } from './vapps.ts';

export function demoSummary(
  clusters: readonly string[],
  hasAap: boolean,
): readonly (readonly [what: string, where: string])[] {
  const vdcs = vdcNames(clusters);
  const many = vdcs.length > 1 ? 'virtual data centers' : 'the virtual data center';
  return [
    ['VMs', `${many} ${vdcs.join(', ')}: on, off, suspended, too large`],
    ['Machines', `namespace ${machinesNamespace}: two run, one is stopped, one names a cluster that does not exist`],
    ['orders', `namespace ${ordersNamespace}: created by the operator${hasAap ? ', created by AAP' : ''}, and refused`],
  ];
}
