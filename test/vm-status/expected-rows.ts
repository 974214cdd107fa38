/**
 * The row of a VM after each step of a recording: `3 POWERED_ON` holds from step 3 until the next entry. After the
 * status come `busy`, the reason of the fault, and `then FAILED` if the trouble becomes a failure when it lasts. VMs
 * other than vm1 are named; `none` means that there is no VM.
 */
export const expectedRows: Readonly<Record<string, string>> = {
  'instancetype/cluster-always': '1 POWERING_ON | 5 POWERED_ON',
  'instancetype/cluster-halted': '1 POWERED_OFF | 4 POWERING_ON',
  // Off, as requested, so no failure; but the tenant learns why it could not start.
  'instancetype/deleted-before-start': '1 POWERED_OFF SIZE_MISSING | 2 POWERED_OFF | 5 POWERING_ON',
  'instancetype/missing-always': '1 POWERING_ON SIZE_MISSING then FAILED | 2 POWERING_ON',
  'instancetype/namespaced': '1 none | 3 POWERING_ON | 8 POWERED_ON | 9 POWERING_OFF | 10 POWERING_ON',
  'migration/cancel-pending': '1 POWERING_ON | 5 POWERED_ON',
  'migration/fail-during': '1 POWERING_ON | 5 POWERED_ON',
  'migration/fail-target-pod': '1 POWERING_ON | 5 POWERED_ON',
  'migration/no-vmi': '1 none | 2 POWERED_OFF | 4 POWERING_ON',
  'migration/not-migratable': '1 POWERING_ON | 5 POWERED_ON',
  'migration/subresource': '1 POWERING_ON | 5 POWERED_ON',
  'migration/success': '1 POWERING_ON | 5 POWERED_ON',
  'snapshot/online-no-csi': '1 POWERING_ON | 5 POWERED_ON | 8 POWERING_OFF',
  'storage/delete-while-provisioning': '1 POWERING_ON | 4 none',
  // The disk is created again for a VM that stays off.
  'storage/dv-deleted-under-halted': '1 POWERED_OFF busy | 5 POWERED_OFF | 6 POWERED_OFF busy',
  'storage/dv-quota': '1 none | 2 POWERING_ON QUOTA_EXCEEDED then FAILED | 3 POWERING_ON',
  // The DataVolume comes in step 2, and the import that begins in step 4 takes its time.
  'storage/dv-referenced-missing':
    '1 POWERING_ON DISK_MISSING then FAILED | 2 POWERING_ON DISK_PENDING then FAILED | 4 POWERING_ON',
  'storage/dvtemplate-always': '1 POWERING_ON | 12 POWERED_ON',
  'storage/dvtemplate-clone-unauthorized': '1 POWERING_ON SOURCE_FORBIDDEN then FAILED',
  'storage/dvtemplate-datasource-missing': '1 POWERING_ON SOURCE_MISSING then FAILED',
  'storage/dvtemplate-existing-pvc': '1 none | 3 POWERING_ON',
  'storage/dvtemplate-halted': '1 POWERED_OFF busy | 5 POWERED_OFF | 6 POWERING_ON',
  // Retried in steps 5 and 7; from step 8 on the recording shows no restart count.
  'storage/dvtemplate-import-error':
    '1 POWERING_ON | 4 POWERING_ON IMPORT_FAILED then FAILED | 5 POWERING_ON IMPORT_FAILED | 6 POWERING_ON IMPORT_FAILED then FAILED | 7 POWERING_ON IMPORT_FAILED | 8 POWERING_ON',
  'storage/dvtemplate-removed': '1 POWERED_OFF busy | 5 POWERED_OFF | 7 none',
  'storage/dvtemplate-wffc-legacy': '1 POWERING_ON | 14 POWERED_ON',
  // While the disk is being filled (5 to 7), an unschedulable pod is no failure.
  'storage/dvtemplate-wffc-populator':
    '1 POWERING_ON | 4 POWERING_ON DISK_PENDING then FAILED | 5 POWERING_ON | 8 POWERING_ON DISK_PENDING then FAILED | 9 POWERING_ON | 12 POWERED_ON',
  'storage/hotplug-declarative': '1 none | 3 POWERING_ON | 7 POWERED_ON',
  'storage/memorydump': '1 none | 3 POWERING_ON | 7 POWERED_ON',
  'storage/pvc-halted-missing': '1 POWERED_OFF',
  'storage/pvc-missing': '1 POWERING_ON DISK_MISSING then FAILED | 2 POWERING_ON',
  'vm/arch-unknown': '1 POWERING_ON',
  'vm/barest': '1 POWERING_ON',
  'vm/clone': '1 POWERED_OFF | 2 POWERED_OFF, vm2: POWERED_OFF',
  // Only Events report a failed mount; the VM does not show it.
  'vm/cloudinit-secret-missing': '1 POWERING_ON | 8 POWERED_ON',
  'vm/cpu-topology': '1 POWERING_ON',
  // FAILED between the attempts; each attempt is a start.
  'vm/crashloop-always':
    '1 POWERING_ON | 4 FAILED CRASH_LOOP | 7 POWERING_ON CRASH_LOOP | 10 FAILED CRASH_LOOP | 13 POWERING_ON CRASH_LOOP | 16 FAILED CRASH_LOOP | 19 POWERING_ON CRASH_LOOP | 23 POWERED_ON',
  // In step 6 the back-off was already over.
  'vm/crashloop-rerunonfailure':
    '1 POWERING_ON | 4 FAILED CRASH_LOOP | 6 POWERING_ON CRASH_LOOP | 10 FAILED CRASH_LOOP | 13 POWERING_ON CRASH_LOOP | 16 FAILED CRASH_LOOP | 19 POWERING_ON CRASH_LOOP | 23 POWERED_ON',
  'vm/crashloop-stop': '1 POWERING_ON | 4 FAILED CRASH_LOOP | 7 POWERED_OFF | 8 POWERING_ON',
  'vm/create-always': '1 POWERING_ON | 5 POWERED_ON',
  'vm/create-always.run2': '1 POWERING_ON | 5 POWERED_ON',
  'vm/create-always.run3': '1 POWERING_ON | 5 POWERED_ON',
  'vm/create-halted': '1 POWERED_OFF | 2 POWERING_ON | 6 POWERED_ON | 7 POWERING_OFF | 8 POWERED_OFF | 11 POWERING_ON',
  'vm/create-once': '1 POWERING_ON | 5 POWERED_ON | 8 POWERING_OFF | 9 POWERED_OFF | 12 POWERING_ON',
  'vm/create-rerunonfailure':
    '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 7 POWERED_OFF | 10 POWERING_ON | 14 POWERED_ON | 15 POWERING_OFF | 16 POWERING_ON | 22 POWERED_ON',
  'vm/create-running-true': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 7 POWERED_OFF | 10 POWERING_ON',
  'vm/delete-halted': '1 POWERED_OFF | 2 none',
  'vm/delete-pod-always': '1 POWERING_ON | 5 POWERED_ON | 7 POWERING_ON',
  'vm/delete-pod-manual': '1 POWERED_OFF | 2 POWERING_ON | 6 POWERED_ON | 8 POWERED_OFF',
  'vm/delete-pod-rerunonfailure': '1 POWERING_ON | 5 POWERED_ON | 7 POWERED_OFF',
  'vm/delete-running-background': '1 POWERING_ON | 9 POWERED_ON | 10 DELETING | 13 none',
  'vm/delete-running-foreground': '1 POWERING_ON | 9 POWERED_ON | 10 DELETING | 13 none',
  // The VMI outlives its VM as an orphan; the next VM of that name is Halted, adopts it and stops it.
  'vm/delete-running-orphan': '1 POWERING_ON | 9 POWERED_ON | 10 none | 12 POWERING_OFF',
  'vm/delete-scheduling': '1 POWERING_ON | 2 none',
  'vm/delete-vmi-always': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 7 POWERING_ON',
  // Once runs again if its VMI is deleted, so it is starting from step 7 on.
  'vm/delete-vmi-once': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 7 POWERING_ON',
  // It does not start again.
  'vm/delete-vmi-rerunonfailure': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 7 POWERED_OFF',
  'vm/delete-vmi-scheduling-manual': '1 POWERED_OFF | 2 POWERING_ON | 3 POWERED_OFF',
  // Its first VMI was deleted before it ran, which KubeVirt counts as a failed start.
  'vm/delete-vmi-scheduling-once': '1 POWERING_ON | 2 POWERING_ON CRASH_LOOP',
  'vm/dotted-name': '1 web.01: POWERING_ON',
  'vm/edit-cpu-memory-migratable': '1 POWERING_ON | 6 POWERED_ON',
  'vm/edit-label-annotation': '1 POWERING_ON | 5 POWERED_ON',
  'vm/edit-while-stopped': '1 POWERED_OFF | 4 POWERING_ON',
  'vm/evict': '1 POWERING_ON | 5 POWERED_ON',
  'vm/evict-none': '1 POWERING_ON | 5 POWERED_ON',
  'vm/guest-crash-always': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_ON | 12 POWERED_ON',
  // It never runs again, and the tenant learns why it is off.
  'vm/guest-crash-once': '1 POWERING_ON | 5 POWERED_ON | 6 POWERED_OFF CRASHED | 9 POWERED_OFF',
  'vm/guest-crash-rerunonfailure': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_ON | 12 POWERED_ON',
  'vm/guest-shutdown-always': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_ON | 12 POWERED_ON',
  'vm/guest-shutdown-manual': '1 POWERED_OFF | 2 POWERING_ON | 6 POWERED_ON | 7 POWERED_OFF | 9 POWERING_ON',
  'vm/guest-shutdown-once': '1 POWERING_ON | 5 POWERED_ON | 6 POWERED_OFF',
  // FAILED as soon as KubeVirt backs off; in step 6 a row that was FAILED stays so.
  'vm/image-pull-error':
    '1 POWERING_ON | 4 POWERING_ON IMAGE_UNAVAILABLE then FAILED | 5 FAILED IMAGE_UNAVAILABLE | 6 POWERING_ON IMAGE_UNAVAILABLE then FAILED | 8 POWERING_ON | 9 POWERED_ON',
  'vm/long-name': '1 a…: POWERING_ON | 2 a…: POWERING_ON, b…: POWERING_ON',
  'vm/multus-missing': '1 POWERING_ON',
  // KubeVirt tries to start it again until it is gone.
  'vm/namespace-delete': '1 POWERING_ON | 5 POWERED_ON | 7 POWERING_ON | 9 none',
  'vm/pause': '1 POWERING_ON | 5 POWERED_ON | 7 SUSPENDED | 11 POWERED_ON',
  'vm/pod-vanishes': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_ON',
  'vm/podsecurity-restricted': '1 POWERING_ON POLICY_FORBIDS then FAILED',
  'vm/quota-limits': '1 none | 2 POWERING_ON',
  'vm/quota-pod': '1 none | 2 POWERING_ON QUOTA_EXCEEDED then FAILED | 3 POWERING_ON',
  'vm/quota-vmi': '1 none | 2 POWERING_ON QUOTA_EXCEEDED then FAILED | 3 POWERING_ON',
  'vm/restart-always': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 8 POWERING_ON | 14 POWERED_ON',
  'vm/restart-force': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 7 POWERING_ON | 13 POWERED_ON',
  'vm/restart-required': '1 POWERING_ON | 5 POWERED_ON | 9 POWERING_OFF | 10 POWERING_ON | 16 POWERED_ON',
  'vm/restore-in-progress': '1 POWERED_OFF | 6 none',
  'vm/same-mac':
    '1 POWERED_OFF | 2 POWERED_OFF, vm2: POWERED_OFF | 3 POWERING_ON, vm2: POWERED_OFF | 4 POWERING_ON, vm2: POWERING_ON',
  'vm/service-account-missing': '1 POWERING_ON ACCOUNT_MISSING then FAILED',
  'vm/snapshot-in-progress': '1 POWERED_OFF | 7 none',
  // It is stopped while paused.
  'vm/snapshot-in-progress-running': '1 POWERED_OFF | 2 POWERING_ON | 6 POWERED_ON | 7 SUSPENDED | 11 POWERING_OFF',
  'vm/start-paused-halted': '1 POWERED_OFF | 2 POWERING_ON | 6 POWERED_ON | 7 SUSPENDED | 10 POWERED_ON',
  'vm/start-paused-rerunonfailure':
    '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 7 POWERED_OFF | 10 POWERING_ON | 14 POWERED_ON | 15 SUSPENDED | 18 POWERED_ON',
  // Always starts again after a stop that was only requested.
  'vm/start-request-always': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 7 POWERING_ON',
  // Off, and the tenant learns that the start failed.
  'vm/startfail-manual': '1 POWERED_OFF | 2 POWERING_ON | 5 POWERED_OFF START_FAILED | 7 POWERING_ON',
  // Never retried, not even on request.
  'vm/startfail-once': '1 POWERING_ON | 4 FAILED CRASH_LOOP',
  'vm/statechange-by-status-patch': '1 POWERED_OFF | 2 POWERING_ON | 6 POWERED_ON | 7 POWERING_OFF | 8 POWERED_OFF',
  'vm/stop-always-by-patch': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 7 POWERED_OFF | 10 POWERING_ON',
  'vm/stop-always-subresource': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 7 POWERED_OFF',
  'vm/stop-force': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 7 POWERED_OFF',
  'vm/stop-guest-ignores-acpi': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 7 POWERED_OFF',
  'vm/stop-paused': '1 POWERING_ON | 5 POWERED_ON | 6 SUSPENDED | 8 POWERING_OFF | 9 POWERED_OFF',
  'vm/stop-while-scheduling': '1 POWERING_ON | 2 POWERED_OFF',
  'vm/stop-while-scheduling-manual': '1 POWERED_OFF | 2 POWERING_ON | 3 POWERED_OFF | 5 POWERING_ON',
  // KubeVirt shows CrashLoopBackOff for a VM that its user stopped: it is off, and has not failed.
  'vm/stop-while-scheduling-rerunonfailure': '1 POWERING_ON | 2 POWERED_OFF | 4 POWERING_ON',
  'vm/switch-always-manual': '1 POWERING_ON | 5 POWERED_ON',
  'vm/switch-always-rerunonfailure': '1 POWERING_ON | 5 POWERED_ON',
  'vm/switch-halted-manual': '1 POWERED_OFF',
  'vm/switch-halted-once': '1 POWERED_OFF | 2 POWERING_ON',
  'vm/switch-halted-rerunonfailure': '1 POWERED_OFF | 2 POWERING_ON',
  // The events of step 1 were recorded late.
  'vm/switch-manual-always': '1 none | 2 POWERING_ON',
  'vm/switch-rerunonfailure-halted': '1 POWERING_ON | 5 POWERED_ON | 6 POWERING_OFF | 7 POWERED_OFF',
  'vm/two-nics-cloudinit': '1 none | 2 POWERING_ON | 6 POWERED_ON',
  'vm/unschedulable': '1 POWERING_ON | 2 POWERING_ON NO_ROOM then FAILED | 3 POWERING_ON | 6 POWERED_ON',
  // The deletion of vm2 waits for virt-api.
  'vm/virt-api-down':
    '1 POWERING_ON | 5 POWERED_ON | 6 POWERED_ON, vm2: POWERED_OFF | 13 POWERED_ON, vm2: DELETING | 18 POWERING_ON',
  'vm/vmi-denied-no-memory': '1 POWERING_ON REFUSED then FAILED | 2 POWERING_ON',
  'vm/vmi-label-bad': '1 POWERING_ON REFUSED then FAILED',
  'vm/vmi-memory-tiny': '1 POWERING_ON',
  'vm/vmi-memory-zero': '1 POWERING_ON',
  'vm/volume-without-disk': '1 POWERING_ON',
  // A VMI without a VM is not ours.
  'vmi/standalone': '1 none',
  'vmi/status-write-by-user': '1 POWERING_ON',
};
