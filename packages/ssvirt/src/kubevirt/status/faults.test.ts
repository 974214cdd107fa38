import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, faultReasons, quoted, type FaultReason } from './faults.ts';
import { machineOf, type Reported } from './machines.fixture.ts';
import { observeMachine } from './observe.ts';

interface Row extends Reported {
  readonly why: string;
  readonly reason: FaultReason | undefined;
  readonly says: string | undefined;
}

const failure = (message: string, reason = 'FailedCreate'): Reported => ({
  status: 'Stopped',
  conditions: [['Failure', 'True', reason, message]],
});
const refusedPod = (message: string): Reported => ({
  status: 'Starting',
  instance: { phase: 'Pending', conditions: [['Synchronized', 'False', 'FailedCreate', message]] },
});
const unplaced = (message: string, disk?: Reported['disk']): Reported => ({
  status: 'ErrorUnschedulable',
  instance: { phase: 'Scheduling', conditions: [['PodScheduled', 'False', 'Unschedulable', message]] },
  ...defined({ disk }),
});
const missing = (message: string): Reported => ({
  status: 'ErrorPvcNotFound',
  instance: { phase: 'Pending', conditions: [['Synchronized', 'False', 'FailedPvcNotFound', message]] },
});
const importError = (message: string): Reported => ({
  status: 'DataVolumeError',
  disk: { phase: 'ImportInProgress', conditions: [['Running', 'False', 'Error', message]] },
});

const rows: readonly Row[] = [
  {
    why: 'too little memory everywhere',
    ...unplaced(
      '0/3 nodes are available: 1 Insufficient cpu, 2 Insufficient memory. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
    ),
    reason: 'NO_ROOM',
    says: 'No node has room for it: 1 with too little cpu, 2 with too little memory. Make it smaller, or ask an administrator for more capacity.',
  },
  {
    why: 'taints and full nodes',
    ...unplaced('0/2 nodes are available: 1 Too many pods, 1 node(s) were unschedulable.'),
    reason: 'NO_ROOM',
    says: 'No node can run it: 1 with as many machines as it may run, 1 closed to new machines. Ask an administrator for more capacity.',
  },
  {
    why: 'a node selector, machine type or CPU model that no node has',
    ...unplaced(
      "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    ),
    reason: 'UNSCHEDULABLE',
    says: "No node can run it: 3 node(s) didn't match Pod's node affinity/selector. It needs a node that runs KubeVirt and has its machine type, CPU model, architecture, node selector and affinity: change these, or ask an administrator for such a node.",
  },
  {
    why: 'the same beside nodes that are closed to all, in the words of newer schedulers',
    ...unplaced(
      "0/5 nodes are available: 1 node(s) had untolerated taint(s), 4 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/5 nodes are available: 5 Preemption is not helpful for scheduling.",
    ),
    reason: 'UNSCHEDULABLE',
    says: "No node can run it: 1 node(s) had untolerated taint(s), 4 node(s) didn't match Pod's node affinity/selector. It needs a node that runs KubeVirt and has its machine type, CPU model, architecture, node selector and affinity: change these, or ask an administrator for such a node.",
  },
  {
    why: 'one node that is too small among those that do not match',
    ...unplaced(
      "0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't match Pod's node affinity/selector. preemption: no",
    ),
    reason: 'NO_ROOM',
    says: "No node can run it: 1 with too little memory, 2 node(s) didn't match Pod's node affinity/selector. Make it smaller, or ask an administrator for more capacity.",
  },
  {
    why: 'a taint, as older schedulers tell it',
    ...unplaced(
      "0/2 nodes are available: 2 node(s) had taint {dedicated: gpu}, that the pod didn't tolerate. preemption: no",
    ),
    reason: 'UNSCHEDULABLE',
    says: "No node can run it: 2 node(s) had taint {dedicated: gpu}, that the pod didn't tolerate. Ask an administrator for a node that may run it.",
  },
  {
    why: 'disks that are elsewhere',
    ...unplaced("0/2 nodes are available: 2 node(s) didn't match PersistentVolume's node affinity. preemption: no"),
    reason: 'UNSCHEDULABLE',
    says: "No node can run it: 2 node(s) didn't match PersistentVolume's node affinity. Ask an administrator for a node that may run it.",
  },
  {
    why: 'a device that no size mends',
    ...unplaced('0/2 nodes are available: 2 Insufficient devices.kubevirt.io/kvm. preemption: no'),
    reason: 'NO_ROOM',
    says: 'No node has room for it: 2 without a free devices.kubevirt.io/kvm. Ask an administrator for more capacity.',
  },
  {
    why: 'a reason that is about no node',
    ...unplaced(
      '0/2 nodes are available: persistentvolumeclaim "data" bound to non-existent persistentvolume. preemption: no',
    ),
    reason: 'UNSCHEDULABLE',
    says: 'No node can run it: persistentvolumeclaim "data" bound to non-existent persistentvolume. Ask an administrator for a node that may run it.',
  },
  {
    why: 'a scheduler that says something else',
    ...unplaced('the scheduler is tired.'),
    reason: 'UNSCHEDULABLE',
    says: 'No node can run it: the scheduler is tired.',
  },
  {
    why: 'a scheduler that says nothing',
    status: 'ErrorUnschedulable',
    reason: 'UNSCHEDULABLE',
    says: 'No node can run it.',
  },
  {
    why: 'claims that are not bound',
    ...unplaced('0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: no'),
    reason: 'DISK_PENDING',
    says: 'Its disks are not ready yet: the storage has not provided them so far.',
  },
  {
    why: 'a claim that the scheduler misses, and whose DataVolume has come',
    ...unplaced('PVC shop/root-disk does not exist, waiting for it to appear', { phase: 'Pending' }),
    reason: 'DISK_PENDING',
    says: 'Its disk "root" is not ready yet: the storage has not provided it so far.',
  },
  {
    why: 'a claim that does not exist',
    ...missing('PVC shop/data does not exist, waiting for it to appear'),
    reason: 'DISK_MISSING',
    says: 'Its disk "data" does not exist: create it, or take it off the machine.',
  },
  {
    why: 'a missing claim that the VirtualMachine does not tell yet',
    ...missing('PVC shop/data does not exist, waiting for it to appear'),
    status: 'Starting',
    reason: 'DISK_MISSING',
    says: 'Its disk "data" does not exist: create it, or take it off the machine.',
  },
  {
    why: 'a missing claim without a message',
    status: 'ErrorPvcNotFound',
    reason: 'DISK_MISSING',
    says: 'A disk that it names does not exist: create it, or take it off the machine.',
  },
  {
    why: 'storage that no class provides',
    status: 'Provisioning',
    disk: {
      conditions: [
        [
          'Bound',
          'Unknown',
          'ErrClaimNotValid',
          'PVC spec is missing accessMode and no storageClass to choose profile',
        ],
      ],
    },
    reason: 'DISK_REFUSED',
    says: 'Its disk "root" cannot be made: no storage class is named for it, and the cluster has no default. Remove the disk and add it with a class, or ask an administrator to mark one as the default.',
  },
  {
    why: 'storage of a class that is not there',
    status: 'ErrorPvcNotFound',
    instance: {
      phase: 'Pending',
      conditions: [
        ['Synchronized', 'False', 'FailedPvcNotFound', 'PVC shop/root-disk does not exist, waiting for it to appear'],
      ],
    },
    storageClass: 'gold',
    disk: {
      conditions: [
        ['Bound', 'False', 'ErrClaimNotValid', 'PVC spec is missing accessMode and no storageClass to choose profile'],
      ],
    },
    reason: 'DISK_REFUSED',
    says: 'Its disk "root" cannot be made: the storage class "gold" does not exist. Remove the disk and add it with another class, or ask an administrator to create that class.',
  },
  {
    why: 'storage of a class without a profile',
    status: 'Provisioning',
    storageClass: 'gold',
    disk: {
      conditions: [['Bound', 'False', 'ErrClaimNotValid', 'no accessMode specified in StorageProfile gold']],
    },
    reason: 'DISK_REFUSED',
    says: 'Its disk "root" cannot be made: the cluster does not know which access mode its storage class "gold" takes. Ask an administrator to complete the StorageProfile, or remove the disk and add it with another class.',
  },
  {
    why: 'storage whose class has gone, which only the events of the claim say',
    status: 'WaitingForVolumeBinding',
    storageClass: 'gold',
    disk: { phase: 'Pending', conditions: [['Bound', 'False', 'Pending', 'PVC root-disk Pending']] },
    claimEvent: 'storageclass.storage.k8s.io "gold" not found',
    reason: 'DISK_REFUSED',
    says: 'Its disk "root" cannot be made: the storage class "gold" does not exist. Remove the disk and add it with another class, or ask an administrator to create that class.',
  },
  {
    why: 'storage that has no space left, as CDI passes it on',
    status: 'Provisioning',
    disk: {
      phase: 'ImportScheduled',
      conditions: [
        [
          'Bound',
          'False',
          'Pending',
          'target PVC root-disk Pending and [prime-1] : failed to provision volume with StorageClass "gold": rpc error: code = ResourceExhausted desc = no space left in the pool',
        ],
      ],
    },
    reason: 'DISK_PENDING',
    says: 'Its disk "root" waits for its storage: failed to provision volume with StorageClass "gold": rpc error: code = ResourceExhausted desc = no space left in the pool. The cluster tries again; ask an administrator if this lasts.',
  },
  {
    why: 'an added disk of a machine that runs on without it',
    status: 'Running',
    instance: { phase: 'Running' },
    storageClass: 'gold',
    disk: { phase: 'Pending' },
    claimEvent: 'storageclass.storage.k8s.io "gold" not found',
    reason: 'DISK_REFUSED',
    says: 'Its disk "root" cannot be made: the storage class "gold" does not exist. Remove the disk and add it with another class, or ask an administrator to create that class.',
  },
  {
    why: 'a claim that waits for its first consumer, which is no trouble',
    status: 'WaitingForVolumeBinding',
    disk: {
      phase: 'PendingPopulation',
      conditions: [
        ['Bound', 'False', 'Pending', 'target PVC root-disk Pending and waiting for first consumer to be created'],
      ],
    },
    reason: undefined,
    says: undefined,
  },
  {
    why: 'claims that are not bound, by the names of their disks',
    ...unplaced('0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.', { phase: 'Pending' }),
    reason: 'DISK_PENDING',
    says: 'Its disk "root" is not ready yet: the storage has not provided it so far.',
  },
  {
    why: 'a missing claim of a disk that has another name',
    ...missing('PVC shop/root-disk does not exist, waiting for it to appear'),
    reason: 'DISK_MISSING',
    says: 'Its disk "root" does not exist: create it, or take it off the machine.',
  },
  {
    why: 'storage beyond the quota',
    status: 'Provisioning',
    disk: {
      conditions: [
        [
          'Bound',
          'False',
          'ErrExceededQuota',
          'persistentvolumeclaims "root-disk" is forbidden: exceeded quota: gold, requested: requests.storage=30Gi, used: requests.storage=80Gi, limited: requests.storage=100Gi',
        ],
      ],
    },
    reason: 'QUOTA_EXCEEDED',
    says: 'Its disk "root" cannot be made: the quota "gold" of its virtual data center has no room for it (storage: needs 30 GiB, 80 GiB of 100 GiB in use): free some of it, or ask for more.',
  },
  {
    why: 'an import that does not find its source',
    ...importError('Unable to connect to http data source: expected status code 200, got 404. Status: 404 Not Found'),
    reason: 'IMPORT_FAILED',
    says: 'Its disk "root" could not be filled: Unable to connect to http data source: expected status code 200, got 404. Status: 404 Not Found.',
  },
  {
    why: 'an import whose message has credentials in it',
    ...importError('Get "https://me:secret@images.example/a.qcow2?sig=secret&x=1": timeout'),
    reason: 'IMPORT_FAILED',
    says: 'Its disk "root" could not be filled: Get "https://images.example/a.qcow2": timeout.',
  },
  {
    why: 'an import of which nothing is known',
    status: 'DataVolumeError',
    reason: 'IMPORT_FAILED',
    says: 'One of its disks could not be filled.',
  },
  {
    why: 'an import that is tried again',
    status: 'Provisioning',
    disk: { phase: 'ImportInProgress', restartCount: 2 },
    reason: 'IMPORT_FAILED',
    says: 'Its disk "root" has failed to fill 2 times; it is being tried again.',
  },
  {
    why: 'a source that does not exist',
    ...failure(
      'Error encountered while creating DataVolumes: unable to create DataVolume manifest: datasources.cdi.kubevirt.io "fedora" not found',
    ),
    reason: 'SOURCE_MISSING',
    says: 'The image "fedora" that its disk is made from does not exist: choose another.',
  },
  {
    why: 'a source that may not be read',
    ...failure(
      'Error encountered while creating DataVolumes: not authorized to create DataVolume: User system:serviceaccount:shop:default has insufficient permissions in clone source namespace images',
    ),
    reason: 'SOURCE_FORBIDDEN',
    says: 'Its disk may not be copied from the namespace "images": ask an administrator to allow it.',
  },
  {
    why: 'an image that is not there',
    status: 'ImagePullBackOff',
    instance: {
      phase: 'Scheduling',
      conditions: [['Synchronized', 'False', 'ImagePullBackOff', 'Back-off pulling image "quay.example/fedora:99"']],
    },
    reason: 'IMAGE_UNAVAILABLE',
    says: 'Its image "quay.example/fedora:99" cannot be downloaded: check that it exists and may be read.',
  },
  {
    why: 'an image without a name',
    status: 'ErrImagePull',
    reason: 'IMAGE_UNAVAILABLE',
    says: 'One of its images cannot be downloaded: check that it exists and may be read.',
  },
  {
    why: 'a pod beyond the quota',
    ...refusedPod(
      'failed to create virtual machine pod: pods "virt-launcher-web-x" is forbidden: exceeded quota: q, requested: requests.memory=584453824, used: requests.memory=0, limited: requests.memory=100Mi',
    ),
    reason: 'QUOTA_EXCEEDED',
    says: 'The quota "q" of its virtual data center has no room for it (memory: needs 557.4 MiB, 0 MiB of 100 MiB in use): free some of it, or ask for more.',
  },
  {
    why: 'an instance beyond the quota',
    ...failure(
      'Failure while starting VMI: virtualmachineinstances.kubevirt.io "web" is forbidden: exceeded quota: q, requested: count/virtualmachineinstances.kubevirt.io=1, used: count/virtualmachineinstances.kubevirt.io=4, limited: count/virtualmachineinstances.kubevirt.io=4',
    ),
    reason: 'QUOTA_EXCEEDED',
    says: 'The quota "q" of its virtual data center has no room for it (running machines: needs 1, 4 of 4 in use): free some of it, or ask for more.',
  },
  {
    why: 'several amounts in one quota',
    ...refusedPod(
      'exceeded quota: q, requested: limits.cpu=2,limits.memory=1Gi, used: limits.cpu=3,limits.memory=2Gi, limited: limits.cpu=4,limits.memory=2Gi',
    ),
    reason: 'QUOTA_EXCEEDED',
    says: 'The quota "q" of its virtual data center has no room for it (CPU: needs 2, 3 of 4 in use): free some of it, or ask for more.',
  },
  {
    why: 'a quota that says no more',
    ...refusedPod('exceeded quota'),
    reason: 'QUOTA_EXCEEDED',
    says: 'A quota of its virtual data center is used up: free some of it, or ask for more.',
  },
  {
    why: 'an instance type that does not exist',
    ...failure('virtualmachineinstancetypes.instancetype.kubevirt.io "small" not found', 'FailedFindInstancetype'),
    reason: 'SIZE_MISSING',
    says: 'Its instance type "small" does not exist: choose another.',
  },
  {
    why: 'a preference that does not exist',
    ...failure('virtualmachineclusterpreferences.instancetype.kubevirt.io "dos" not found', 'FailedFindPreference'),
    reason: 'SIZE_MISSING',
    says: 'Its preference "dos" does not exist: choose another.',
  },
  {
    why: 'pod security',
    ...refusedPod(
      'failed to create pod for vmi shop/web, it needs a privileged namespace to run: pods "virt-launcher-web-x" is forbidden: violates PodSecurity "restricted:latest": seccompProfile',
    ),
    reason: 'POLICY_FORBIDS',
    says: 'The security rules of its virtual data center do not let virtual machines run: ask an administrator to allow them.',
  },
  {
    why: 'a service account that does not exist',
    ...refusedPod(
      'failed to create virtual machine pod: pods "virt-launcher-web-" is forbidden: error looking up service account shop/nosa: serviceaccount "nosa" not found',
    ),
    reason: 'ACCOUNT_MISSING',
    says: 'It names the service account "nosa", which does not exist: create it, or name another.',
  },
  {
    why: 'a namespace that goes',
    ...failure(
      'Failure while starting VMI: virtualmachineinstances.kubevirt.io "web" is forbidden: unable to create new content in namespace shop because it is being terminated',
    ),
    reason: 'VDC_DELETING',
    says: 'Its virtual data center is being deleted, so nothing can be started there any more.',
  },
  {
    why: 'a webhook',
    ...failure(
      'Failure while starting VMI: admission webhook "virtualmachineinstances-create-validator.kubevirt.io" denied the request: no memory requested',
    ),
    reason: 'REFUSED',
    says: 'The cluster refuses its definition: no memory requested.',
  },
  {
    why: 'an invalid label',
    ...failure(
      'Failure while starting VMI: VirtualMachineInstance.kubevirt.io "web" is invalid: metadata.labels: Invalid value: "a:b": a valid label must be short (e.g. \'MyValue\', regex used for validation is \'x\')',
    ),
    reason: 'REFUSED',
    says: 'Its definition is not valid: metadata.labels: Invalid value: "a:b": a valid label must be short.',
  },
  {
    why: 'something new',
    ...failure('the moon is in the way'),
    reason: 'REFUSED',
    says: 'It cannot be started: the moon is in the way.',
  },
  {
    why: 'a foreign instance of its name',
    status: 'Stopped',
    instance: { phase: 'Running' },
    instanceMetadata: { ownerReferences: [] },
    reason: 'NAME_TAKEN',
    says: 'Another running instance in its virtual data center has its name: remove that one.',
  },
  {
    why: 'a crash loop',
    status: 'CrashLoopBackOff',
    more: { startFailure: { consecutiveFailCount: 3, retryAfterTimestamp: '2026-11-15T09:08:07Z' } },
    reason: 'CRASH_LOOP',
    says: 'It has failed to start 3 times in a row. The next attempt is at 09:08:07 UTC.',
  },
  {
    why: 'a crash loop whose next attempt is unknown',
    status: 'CrashLoopBackOff',
    more: { startFailure: { consecutiveFailCount: 1 } },
    reason: 'CRASH_LOOP',
    says: 'It has failed to start once. It will be tried again.',
  },
  {
    why: 'Once that failed to start',
    strategy: 'Once',
    status: 'CrashLoopBackOff',
    more: { created: true, startFailure: { consecutiveFailCount: 1, retryAfterTimestamp: '2026-11-15T09:08:07Z' } },
    reason: 'CRASH_LOOP',
    says: 'It has failed to start once. It is not tried again: power it off and on.',
  },
  {
    why: 'the next attempt after crashes',
    status: 'Starting',
    more: { startFailure: { consecutiveFailCount: 2 } },
    reason: 'CRASH_LOOP',
    says: 'It has failed to start 2 times in a row, and is being started again.',
  },
  {
    why: 'RerunOnFailure that was stopped before it ran',
    strategy: 'RerunOnFailure',
    status: 'CrashLoopBackOff',
    more: { runStrategy: 'RerunOnFailure', startFailure: { consecutiveFailCount: 1 } },
    reason: undefined,
    says: undefined,
  },
  {
    why: 'a guest that crashed and is not restarted',
    strategy: 'Manual',
    status: 'Stopped',
    more: { created: true },
    instance: { phase: 'Failed', phaseTransitionTimestamps: [{ phase: 'Running' }] },
    reason: 'CRASHED',
    says: 'It has ended with an error, and is not restarted by itself: start it again.',
  },
  {
    why: 'a start by hand that failed',
    strategy: 'Manual',
    status: 'Stopped',
    more: { created: true },
    instance: { phase: 'Failed' },
    reason: 'START_FAILED',
    says: 'Its last start has failed: start it again.',
  },
  {
    why: 'a guest that had to be killed when it was stopped',
    strategy: 'Halted',
    status: 'Stopped',
    instance: { phase: 'Failed' },
    instanceMetadata: { deletionTimestamp: 'now' },
    reason: undefined,
    says: undefined,
  },
  {
    why: 'a pause by an I/O error',
    status: 'Paused',
    instance: {
      phase: 'Running',
      conditions: [['Paused', 'True', 'PausedIOError', 'VMI was paused, low-level IO error detected']],
    },
    reason: 'IO_ERROR',
    says: 'It is paused because its storage reports errors: ask an administrator whether the storage is full or broken, then resume it.',
  },
  {
    why: 'a pause by its user',
    status: 'Paused',
    instance: { phase: 'Running', conditions: [['Paused', 'True', 'PausedByUser', 'VMI was paused by user']] },
    reason: undefined,
    says: undefined,
  },
  {
    why: 'a node that is not heard any more',
    status: 'Running',
    instance: { phase: 'Running', nodeName: 'node03', conditions: [['Ready', 'False', '']] },
    reason: 'NODE_LOST',
    says: 'The node "node03" that it runs on does not answer: its state is not known until the node is back or an administrator removes it.',
  },
  {
    why: 'an instance of which nothing is known',
    status: 'Unknown',
    instance: { phase: 'Unknown' },
    reason: 'NODE_LOST',
    says: 'The node it runs on does not answer: its state is not known until the node is back or an administrator removes it.',
  },
  {
    why: 'a readiness probe that fails',
    status: 'Running',
    instance: { phase: 'Running', conditions: [['Ready', 'False', 'ContainersNotReady']] },
    reason: undefined,
    says: undefined,
  },
  {
    why: 'a disk that could not be plugged in',
    status: 'Running',
    instance: { phase: 'Running' },
    conditions: [['Failure', 'True', 'HotPlugVolumeError', 'no free slot']],
    reason: 'CHANGE_FAILED',
    says: 'It runs, but the last change of it could not be applied: no free slot.',
  },
  {
    why: 'a machine that is off and could not be started',
    strategy: 'Halted',
    ...failure('virtualmachineinstancetypes.instancetype.kubevirt.io "small" not found', 'FailedFindInstancetype'),
    reason: 'SIZE_MISSING',
    says: 'Its instance type "small" does not exist: choose another.',
  },
  { why: 'all is well', status: 'Running', instance: { phase: 'Running' }, reason: undefined, says: undefined },
];

for (const { why, reason, says, ...told } of rows)
  test(`the tenant sees ${why}: ${reason ?? 'nothing'}`, () => {
    const { faultReason, fault: sentence } = observeMachine(machineOf(told), () => 0);
    assert.deepEqual([faultReason, sentence], [reason, says]);
  });

test('every reason for a fault has a sentence above', () => {
  const shown = new Set(rows.map(({ reason }) => reason));
  assert.deepEqual(
    Object.keys(faultReasons).filter((reason) => !shown.has(reason as FaultReason)),
    [],
  );
});

test('a sentence is one line of at most 300 characters', () => {
  const { sentence } = fault('REFUSED', `a\nb\t${'c'.repeat(500)}`);
  assert.equal(sentence.length, 300);
  assert.match(sentence, /^a b c+…$/);
});

test('no credentials stand in what is quoted', () => {
  assert.equal(quoted('s3://key:secret@bucket/a and http://h/b?token=c d.'), 's3://bucket/a and http://h/b d');
});
