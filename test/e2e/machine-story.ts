/**
 * The second API: a platform team declares a Machine, its virtual machine is deleted with kubectl, and the operator
 * creates it again.
 */
import type { ObjectKey, Unstructured } from '../../packages/kube/src/object.ts';
import { conditionOf, dataVolumes, instances, machines, part, text, virtualMachines } from './kinds.ts';
import { stopPastSsvirt } from './kubevirt-stop.ts';
import type { Stage } from './stage.ts';

const name = 'declared-vm';
/** Printed, so that the list of what was tried has no silent gap. */
const notInMachines =
  'not tried: suspend, resume, reset, reboot and console, because a Machine has no field for them (the tenant part tries them)';

export async function machineStory(stage: Stage): Promise<void> {
  const { client, journal } = stage;
  const key = { namespace: stage.names.machines, name };
  await client.create(machines, { metadata: key, spec: specOf(stage) });
  journal.say(`the platform team has declared ${name}`);
  const vm = { ...key, name: await untilReady(stage, key) };
  journal.say(`it runs: ${await stage.untilRuns(vm)}`);
  const first = await stage.find(instances, vm);
  await client.delete(virtualMachines, vm);
  journal.say('the virtual machine was deleted in the cluster');
  await stage.untilRuns(vm, first?.metadata.uid);
  await untilReady(stage, key);
  journal.say('it is as declared again, on the same disk');
  await operate(stage, key, vm);
  await client.delete(machines, key);
  const disk = { ...key, name: `${name}-root` };
  await stage.untilGone(name, [machines, key], [virtualMachines, vm], [instances, vm], [dataVolumes, disk]);
  journal.say('nothing of it is left in the cluster');
}

/** Everything that a platform team can change in an existing Machine. */
async function operate(stage: Stage, key: ObjectKey, vm: ObjectKey): Promise<void> {
  const { client, journal } = stage;
  const change = (spec: object): Promise<unknown> => client.patch(machines, key, { type: 'merge', body: { spec } });
  await change({ running: false });
  await stage.untilGone('the instance', [instances, vm]);
  await change({ running: true });
  await stage.untilRuns(vm);
  await untilReady(stage, key);
  journal.say('it was switched off and on again');
  await stopPastSsvirt(client, vm);
  await stage.untilGone('the instance', [instances, vm]);
  // A VM that is off but still declared as running stays off until the spec changes: a new size starts it.
  await change({ resources: { cpu: { cores: 2 } } });
  await stage.untilRuns(vm);
  await untilReady(stage, key);
  journal.say('it was resized and powered on after KubeVirt had stopped it past ssvirt');
  await change({ disks: [...disksOf(stage), { name: 'data', size: '1Gi', ...diskClass(stage) }] });
  const data = { ...key, name: `${name}-data` };
  await stage.wait('the disk is in the machine', async () => {
    const found = await stage.find(virtualMachines, vm);
    const isThere = JSON.stringify(found?.['spec'] ?? {}).includes(`"${data.name}"`);
    return {
      seen: `the disk ${data.name} is ${isThere ? '' : 'not yet '}in the machine`,
      ...(isThere ? { found: true } : {}),
    };
  });
  await untilReady(stage, key);
  await change({ disks: disksOf(stage) });
  await stage.wait('the disk is out of the machine', async () => {
    const found = await stage.find(virtualMachines, vm);
    const isThere = JSON.stringify(found?.['spec'] ?? {}).includes(`"${data.name}"`);
    return {
      seen: `the disk ${data.name} is ${isThere ? 'still ' : 'not '}in the machine`,
      ...(isThere ? {} : { found: true }),
    };
  });
  await untilReady(stage, key);
  journal.say('a disk was added and removed');
  journal.say(notInMachines);
}

function specOf(stage: Stage): Unstructured['spec'] {
  const memory = { size: `${stage.options.memoryMb}Mi` };
  return { resources: { cpu: { cores: 1 }, memory }, disks: disksOf(stage) };
}

function disksOf(stage: Stage): readonly object[] {
  const { image, diskSize } = stage.options;
  return [{ name: 'root', size: diskSize, source: { containerDisk: { image } }, ...diskClass(stage) }];
}

function diskClass({ options: { storageClass } }: Stage): object {
  return storageClass === undefined ? {} : { storageClass };
}

/** Resolves to the name of its virtual machine. */
async function untilReady(stage: Stage, key: ObjectKey): Promise<string> {
  return stage.wait(`${name} is Ready`, async () => {
    const machine = await stage.client.get(machines, key);
    const { phase, vmName, observedGeneration } = part(machine, 'status');
    const ready = conditionOf(machine, 'Ready');
    // A status of an older generation says nothing about the last change.
    const isReady = ready?.status === 'True' && observedGeneration === machine.metadata.generation;
    const why = isReady || ready === undefined ? '' : `, ${ready.reason}: ${ready.message}`;
    const seen = `${name}: ${text(phase) || 'no phase yet'}${why}`;
    return isReady ? { seen, found: text(vmName) } : { seen };
  });
}
