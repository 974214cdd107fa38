/** A virtual machine that was there before its Machine, which says that it may be taken. Its disks and what else it has stay as they are. */
import { isConflict, isKind } from '../../kube/errors.ts';
import { keyOf, type KubeObject } from '../../kube/object.ts';
import { recordedEntries } from '../../kube/reconcile/atomic-lists.ts';
import { lockOn } from '../../kube/reconcile/merge-patch.ts';
import { childLabels } from '../../virt/declared-machine/identity.ts';
import { annotations, labels } from '../../virt/declared-machine/resource.ts';
import { fields, list, text, type Fields } from '../../virt/facts/reading.ts';
import { labels as tenants } from '../../virt/machine/labels.ts';
import { lookAgainMs, problem } from './halted.ts';
import { instances, virtualMachines } from './kinds.ts';
import { isOurs, type Work } from './work.ts';

interface Key {
  readonly namespace: string;
  readonly name: string;
}

export function isAdopting({ machine }: Work): boolean {
  return machine.metadata.annotations?.[annotations.adopt] === 'true';
}

/** Who else changes that virtual machine, by what it says of itself; undefined where nobody does. */
export function keeperOf({ identity }: Pick<Work, 'identity'>, { metadata }: KubeObject): string | undefined {
  const said = metadata.labels ?? {};
  const supervisor = said[labels.supervisor];
  if (supervisor !== undefined && supervisor !== identity.supervisor)
    return `another supervisor (label ${labels.supervisor}: ${supervisor})`;
  const id = said[tenants.vmId];
  return id === undefined ? undefined : `a tenant (label ${tenants.vmId}: ${id})`;
}

/**
 * A volume that bears the name of a disk and is something else would be put aside for that disk, which is empty. One that we have put there ourselves is ours to
 * change.
 */
export function refuseForeignVolumes(found: KubeObject, desired: KubeObject): void {
  const own = new Set(recordedEntries(found)[volumes]);
  const live = new Map(volumesOf(found).map((volume) => [volume['name'], volume]));
  for (const wanted of volumesOf(desired)) {
    const { name } = wanted;
    const there = live.get(name);
    const claim = claimOf(wanted);
    if (there === undefined || claim === undefined || own.has(String(name)) || claimOf(there) === claim) continue;
    const other = claimOf(there);
    const message =
      `the volume "${String(name)}" of VirtualMachine "${keyOf(found.metadata)}" is ${other === undefined ? 'not a disk of this Machine' : `"${other}"`}, ` +
      `and the disk of that name in the Machine would take its place: name the disk otherwise. (That of a template is called "root": without a template, say cpu, memory and disks.)`;
    throw problem('virtual machine', { reason: 'NameConflict', message }, lookAgainMs);
  }
}

const volumes = 'spec.template.spec.volumes';

function volumesOf(vm: KubeObject): readonly Fields[] {
  const { template } = fields(fields(vm)['spec']);
  return list(fields(fields(template)['spec'])['volumes']).map(fields);
}

/** A DataVolume makes a claim of its own name. */
function claimOf({ persistentVolumeClaim, dataVolume }: Fields): string | undefined {
  return text(fields(persistentVolumeClaim)['claimName']) ?? text(fields(dataVolume)['name']);
}

/** Whether there is one to take. `running` and `runStrategy` exclude each other, and an apply takes away nothing that is somebody else's. */
export async function prepareAdoption(work: Work, key: Key, desired: KubeObject): Promise<boolean> {
  if (!isAdopting(work)) return false;
  const { member, signal } = work;
  const found = await find(work, virtualMachines, key);
  if (found === undefined || isOurs(work)(found) || keeperOf(work, found) !== undefined) return false;
  refuseForeignVolumes(found, desired);
  const { running } = fields(fields(found)['spec']);
  if (running === undefined) return true;
  const spec = { running: null, runStrategy: running === true ? 'RerunOnFailure' : 'Halted' };
  const body = { metadata: lockOn(found), spec };
  await member.client.patch(virtualMachines, key, { type: 'merge', body }, { signal });
  return true;
}

/** Behind the apply: until then nothing was taken. */
export async function tellAdoption(work: Work, key: Key): Promise<void> {
  const { member, operator, machine } = work;
  const named = `VirtualMachine "${keyOf(key)}" in cluster "${member.name}"`;
  operator.event(machine, 'Normal', 'Adopted', `Took over ${named}; its disks stay as they are`);
  await labelInstance(work, key);
}

/** One that starts is written by KubeVirt many times a second. */
const labelTries = 10;

/** An instance has the labels that its machine's template had when it was started: without ours it would not be seen until it is started again. */
async function labelInstance(work: Work, key: Key): Promise<void> {
  const { identity, context } = work;
  for (let tries = 1; ; tries++) {
    try {
      return await labelOnce(work, key);
    } catch (error) {
      if (isConflict(error) && tries < labelTries) continue;
      // It is a nicety: addresses and node are shown when the machine has been started again.
      if (!isKind(error, 'Forbidden', 'Invalid', 'BadRequest', 'NotFound', 'Conflict')) throw error;
      context.log.info(
        { err: error, machine: identity.name, namespace: identity.namespace },
        'an instance could not be labelled',
      );
      return;
    }
  }
}

async function labelOnce(work: Work, key: Key): Promise<void> {
  const { member, signal, identity } = work;
  const found = await find(work, instances, key);
  if (found === undefined) return;
  const metadata = { ...lockOn(found), labels: childLabels(identity), annotations: identity.marks.annotations };
  await member.client.patch(instances, key, { type: 'merge', body: { metadata } }, { signal });
}

async function find(
  work: Work,
  type: typeof virtualMachines,
  { namespace, name }: Key,
): Promise<KubeObject | undefined> {
  const { member, signal } = work;
  const { items } = await member.client.list(type, { namespace, fieldSelector: `metadata.name=${name}`, signal });
  return items[0];
}
