/** A task as it is shown: by itself, in lists, and with the entity that it works on. */
import { Type, type Static } from 'typebox';
import type { ShownTask } from '../../db/tasks/tasks.ts';
import { taskStatuses } from '../../db/vms/statuses.ts';
import { named, EntityRef, ErrorBody, orNull, Timestamp } from '../http/schemas.ts';
import { urnOf, type UrnKind } from '../urn.ts';

export const TaskBody = named(
  'Task',
  Type.Object({
    id: Type.String(),
    href: Type.String({ description: 'The URL of the task' }),
    type: Type.String(),
    name: Type.String(),
    operation: Type.String({ description: 'The operation as text' }),
    operationName: Type.String({ description: 'The operation as a constant' }),
    status: Type.Enum([...taskStatuses]),
    progress: Type.Integer({ description: 'In percent' }),
    step: Type.String(),
    message: Type.String({ description: 'What a task waits for, or why its last attempt failed' }),
    startTime: Timestamp,
    endTime: orNull(Timestamp),
    owner: EntityRef,
    user: orNull(EntityRef),
    org: EntityRef,
    error: orNull(ErrorBody),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'More about the request. Of a creation: powerOn says whether the VM or vApp is powered on after it; the task ends before it runs',
    }),
  }),
);

const operations: Readonly<Record<string, string>> = {
  vdcCreate: 'Creating virtual data center',
  vdcUpdate: 'Updating virtual data center',
  vdcDelete: 'Deleting virtual data center',
  vappCreate: 'Creating vApp',
  vappInstantiate: 'Instantiating vApp',
  vappUpdate: 'Updating vApp',
  vappDelete: 'Deleting vApp',
  vappPowerOn: 'Powering on vApp',
  vappPowerOff: 'Powering off vApp',
  vappShutdown: 'Shutting down vApp',
  vappReset: 'Resetting vApp',
  vappReboot: 'Rebooting vApp',
  vappSuspend: 'Suspending vApp',
  vappResume: 'Resuming vApp',
  vmCreate: 'Creating virtual machine',
  vmUpdate: 'Updating virtual machine',
  vmDelete: 'Deleting virtual machine',
  vmPowerOn: 'Powering on virtual machine',
  vmPowerOff: 'Powering off virtual machine',
  vmShutdown: 'Shutting down virtual machine',
  vmReset: 'Resetting virtual machine',
  vmReboot: 'Rebooting virtual machine',
  vmSuspend: 'Suspending virtual machine',
  vmResume: 'Resuming virtual machine',
  vmDiskAdd: 'Adding a disk to virtual machine',
  vmDiskRemove: 'Removing a disk from virtual machine',
};

/** `taskHref` returns the URL of a task: for the header `Location`. `base` is that of the server; without it the URL is relative to it. */
export function taskHref({ id }: Pick<ShownTask, 'id'>, base = ''): string {
  return `${base}/cloudapi/1.0.0/tasks/${urnOf('task', id)}`;
}

export function taskBody(task: ShownTask, base = ''): Static<typeof TaskBody> {
  const { owner_kind, owner_id, owner_name, operation } = task;
  const word = operations[operation] ?? operation;
  return {
    id: urnOf('task', task.id),
    href: taskHref(task, base),
    type: 'application/vnd.vmware.vcloud.task+json',
    name: 'task',
    operation: owner_name === '' ? word : `${word} ${owner_name}`,
    operationName: operation,
    status: task.status,
    progress: task.progress,
    step: task.step,
    message: task.waits_for,
    startTime: (task.started_at ?? task.created_at).toISOString(),
    endTime: task.ended_at?.toISOString() ?? null,
    owner: { name: owner_name, id: urnOf(owner_kind as UrnKind, owner_id as never) },
    user: task.user_id === null ? null : { name: task.user_name, id: urnOf('user', task.user_id) },
    org: { name: task.organization_name, id: urnOf('org', task.organization_id) },
    error: task.error === null ? null : errorOf(task.error),
    details: { ...task.details },
  };
}

/** The error as it was written, with missing fields filled in. */
function errorOf({ minorErrorCode, message }: NonNullable<ShownTask['error']>): Static<typeof ErrorBody> {
  return {
    minorErrorCode: typeof minorErrorCode === 'string' ? minorErrorCode : 'INTERNAL_SERVER_ERROR',
    message: typeof message === 'string' ? message : 'The task failed; the server log has the cause.',
    stackTrace: null,
  };
}
