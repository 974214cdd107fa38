/** The second door: a platform team declares a Machine, somebody deletes its virtual machine by hand, and it comes back. */
import type { ObjectKey, Unstructured } from '../../src/kube/object.ts';
import { conditionOf, dataVolumes, instances, machines, part, text, virtualMachines } from './kinds.ts';
import type { Stage } from './stage.ts';

const name = 'declared-vm';

export async function machineStory(stage: Stage): Promise<void> {
  const { client, journal } = stage;
  const key = { namespace: stage.names.machines, name };
  await client.create(machines, { metadata: key, spec: specOf(stage) });
  journal.say(`the platform team has declared ${name}`);
  const vm = { ...key, name: await untilReady(stage, key) };
  journal.say(`it runs: ${await stage.untilRuns(vm)}`);
  const first = await stage.find(instances, vm);
  await client.delete(virtualMachines, vm);
  journal.say('somebody has deleted the virtual machine in the cluster');
  await stage.untilRuns(vm, first?.metadata.uid);
  await untilReady(stage, key);
  journal.say('it is as declared again, on the same disk');
  await client.delete(machines, key);
  const disk = { ...key, name: `${name}-root` };
  await stage.untilGone(name, [machines, key], [virtualMachines, vm], [instances, vm], [dataVolumes, disk]);
  journal.say('nothing of it is left in the cluster');
}

function specOf({ options }: Stage): Unstructured['spec'] {
  const { image, memoryMb, diskSize, storageClass } = options;
  return {
    resources: { cpu: { cores: 1 }, memory: { size: `${memoryMb}Mi` } },
    disks: [
      {
        name: 'root',
        size: diskSize,
        source: { containerDisk: { image } },
        ...(storageClass === undefined ? {} : { storageClass }),
      },
    ],
  };
}

/** Resolves to the name of its virtual machine. */
async function untilReady(stage: Stage, key: ObjectKey): Promise<string> {
  return stage.wait(`${name} is Ready`, async () => {
    const machine = await stage.client.get(machines, key);
    const { phase, vmName } = part(machine, 'status');
    const ready = conditionOf(machine, 'Ready');
    const isReady = ready?.status === 'True';
    const why = isReady || ready === undefined ? '' : `, ${ready.reason}: ${ready.message}`;
    const seen = `${name}: ${text(phase) || 'no phase yet'}${why}`;
    return isReady ? { seen, found: text(vmName) } : { seen };
  });
}
