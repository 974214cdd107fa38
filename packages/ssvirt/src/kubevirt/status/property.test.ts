import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dataVolumeFacts } from '../facts/data-volume.ts';
import { templateInstanceFacts } from '../facts/template-instance.ts';
import { vmFacts } from '../facts/vm.ts';
import { vmiFacts } from '../facts/vmi.ts';
import { observeMachine, type ObservedVm, type MachineObservation } from './observe.ts';
import { observeTemplateInstance } from './template-instance.ts';

/** All fields that the code reads, so that random objects contain them. */
const keys =
  'metadata,spec,status,uid,name,generation,labels,annotations,deletionTimestamp,ownerReferences,controller,kind,runStrategy,running,instancetype,template,dataVolumeTemplates,domain,hostname,volumes,cpu,cores,sockets,threads,memory,guest,resources,requests,limits,storage,pvc,dataVolume,persistentVolumeClaim,claimName,containerDisk,emptyDisk,capacity,printableStatus,created,stateChangeRequests,action,startFailure,consecutiveFailCount,retryAfterTimestamp,conditions,type,reason,message,phase,phaseTransitionTimestamps,nodeName,currentCPUTopology,guestCurrent,guestOSInfo,prettyName,version,id,interfaces,ipAddress,ipAddresses,volumeStatus,persistentVolumeClaimInfo,size,restartCount,vm.kubevirt.io/os,vapp.ssvirt.io/vapp-id,__proto__,constructor'.split(
    ',',
  );
const words =
  'True,False,Unknown,Ready,Failure,RestartRequired,Paused,PodScheduled,Synchronized,Running,Bound,InstantiateFailure,Stopped,Starting,Provisioning,DataVolumeError,ErrorUnschedulable,ErrorPvcNotFound,CrashLoopBackOff,Always,Halted,Once,Manual,Start,Stop,Error,ErrExceededQuota,Succeeded,Failed,VirtualMachine,vm1,1Gi,10.0.0.1,exceeded quota: q,constructor,toString'.split(
    ',',
  );

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(...words),
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom(...keys), tie('tree'), { maxKeys: 8 }),
  ),
}));

/** Objects with valid upper levels, so that the deeper levels are reached. */
const object = fc.oneof(
  tree,
  fc.record(
    {
      metadata: record('uid', 'name', 'labels', 'ownerReferences'),
      spec: record('runStrategy', 'template', 'volumes', 'domain'),
      status: record('printableStatus', 'phase', 'conditions', 'interfaces', 'volumeStatus'),
    },
    { requiredKeys: [] },
  ),
  fc.record({
    metadata: fc.constant({
      uid: 'u',
      name: 'vm1',
      ownerReferences: [{ kind: 'VirtualMachine', uid: 'u', controller: true }],
    }),
    spec: record('runStrategy'),
    status: fc.record({
      printableStatus: fc.constantFrom(...words),
      phase: fc.constantFrom(...words),
      conditions: fc.array(condition()),
    }),
  }),
);

function record(...names: string[]): fc.Arbitrary<unknown> {
  return fc.record(Object.fromEntries(names.map((name) => [name, tree])), { requiredKeys: [] });
}

function condition(): fc.Arbitrary<unknown> {
  const word = fc.constantFrom(...words);
  const message = fc.oneof(word, fc.string({ unit: 'binary', maxLength: 900 }));
  return fc.record({ type: word, status: fc.constantFrom('True', 'False'), reason: word, message });
}

const machines = fc.record({
  vm: object,
  vmi: fc.option(object, { nil: undefined }),
  dataVolumes: fc.array(object, { maxLength: 3 }),
});

const age = fc.constantFrom(0, 45_000, 1e9);

test('nothing that comes over the wire makes the mapping throw, and all that it gives can be stored', () => {
  fc.assert(
    fc.property(machines, age, ({ vm, vmi, dataVolumes }, ageMs) => {
      const facts: ObservedVm = {
        vm: vmFacts(vm),
        vmi: vmi === undefined ? undefined : vmiFacts(vmi),
        dataVolumes: dataVolumes.map(dataVolumeFacts),
      };
      checkStorable(observeMachine(facts, () => ageMs));
      observeTemplateInstance(templateInstanceFacts(vm));
    }),
    { numRuns: 1000 },
  );
});

test('facts that were kept as text mean the same', () => {
  fc.assert(
    fc.property(machines, age, ({ vm, vmi, dataVolumes }, ageMs) => {
      const facts: ObservedVm = {
        vm: vmFacts(vm),
        vmi: vmi === undefined ? undefined : vmiFacts(vmi),
        dataVolumes: dataVolumes.map(dataVolumeFacts),
      };
      const kept = JSON.parse(JSON.stringify(facts)) as ObservedVm;
      assert.deepEqual(
        observeMachine(kept, () => ageMs),
        observeMachine(facts, () => ageMs),
      );
      assert.ok(JSON.stringify(facts.vm).length < 20_000);
    }),
    { numRuns: 500 },
  );
});

/** The limits of the columns, and what a tenant can read. */
function checkStorable(seen: MachineObservation): void {
  // oxlint-disable-next-line no-control-regex -- these must not appear
  assert.doesNotMatch(JSON.stringify(seen), /\\u00[01]|\\ud[89a-f]|[\u0000-\u001f]/i);
  assert.equal(seen.fault === undefined, seen.faultReason === undefined);
  if (seen.fault !== undefined) assert.ok(seen.fault.length <= 300 && seen.fault.trim() === seen.fault);
  for (const amount of [seen.cpuCount, seen.memoryMb, ...seen.disks.map(({ bytes }) => bytes)])
    assert.ok(amount === undefined || Number.isSafeInteger(amount));
  assert.equal(seen.debouncing, seen.recheckAfterMs !== undefined);
  if (seen.status === 'FAILED') assert.ok(seen.fault !== undefined && seen.trouble !== undefined);
}
