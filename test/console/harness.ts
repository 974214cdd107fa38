/** A VM that runs in a simulated KubeVirt, and rows that say so: the requirements of a console. */
import { pino } from 'pino';
import type { Person } from '../api/harness.ts';
import type { OrganizationId, Tables } from '../../packages/ssvirt/src/db/schema/schema.ts';
import type { Vm } from '../../packages/ssvirt/src/db/vms/vms.ts';
import {
  namespaces,
  virtualMachineInstances,
  virtualMachines,
} from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import type { Kysely } from 'kysely';
import { makeVapp, makeVdc, makeVm, observe, unique } from '../database/rows.ts';
import { fixedSource, type MemberCluster } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';

/** The credentials of the simulated guest. */
export const guest = { user: 'fedora', password: 'a-guest-of-tests' };

export function startKubeVirt(cluster: MemberCluster): Promise<Simulators> {
  return startSimulators({
    source: fixedSource(cluster),
    name: 'console',
    parts: ['kubevirt', 'nodes'],
    dials: { speed: 60 },
    log: pino({ level: 'error' }),
  });
}

export interface MachineOptions {
  readonly name?: string;
  /** False for a VM without a screen. */
  readonly graphics?: boolean;
}

/** Resolves when the VM runs and its row is POWERED_ON. */
export async function startMachine(
  { client }: Pick<MemberCluster, 'client'>,
  db: Kysely<Tables>,
  organization_id: OrganizationId | Pick<Person, 'organizationId'>,
  { name = 'web', graphics = true }: MachineOptions = {},
): Promise<Vm> {
  const organization = typeof organization_id === 'string' ? organization_id : organization_id.organizationId;
  const namespace = unique('console');
  await client.create(namespaces, { metadata: { name: namespace } });
  const vdc = await makeVdc(db, { organization_id: organization, namespace });
  const vapp = await makeVapp(db, { vdc_id: vdc.id });
  const vm = await makeVm(db, { vapp_id: vapp.id, name, vm_name: 'web-0' });
  const key = { namespace, name: vm.vm_name };
  const userData = `#cloud-config\nuser: ${guest.user}\npassword: ${guest.password}\n`;
  await client.create(virtualMachines, {
    metadata: key,
    spec: {
      runStrategy: 'Always',
      template: {
        spec: {
          domain: {
            devices: {
              disks: ['root', 'init'].map((disk) => ({ name: disk, disk: { bus: 'virtio' } })),
              ...(graphics ? {} : { autoattachGraphicsDevice: false }),
            },
            memory: { guest: '1Gi' },
          },
          volumes: [
            { name: 'root', containerDisk: { image: 'fedora:demo' } },
            { name: 'init', cloudInitNoCloud: { userData } },
          ],
        },
      },
    },
  });
  await until(
    'the machine runs',
    async () => {
      const { status } = await client.get(virtualMachineInstances, key);
      return status?.phase === 'Running';
    },
    { deadlineMs: 120_000 },
  );
  await observe(db, vm, 'POWERED_ON');
  return vm;
}
