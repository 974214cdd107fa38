import { Type } from 'typebox';
import type { ApiContext } from '../deps.ts';
import { callerOf, operation, type ApiApp } from '../http/app-types.ts';
import { sendPage } from '../http/pages.ts';
import { preferHeaders } from '../tasks/answer.ts';
import { answerChanged } from './answer.ts';
import { addDisk, removeDisk } from './disks.ts';
import { ChangedVm, DiskPage, NewDisk } from './schemas.ts';
import { vm } from './service.ts';
import { shownDisks } from './shown-disks.ts';
import { vmIdOf, vmParam, vmParams, vmPath, vmTags } from './vm-path.ts';

const path = `${vmPath}/:vmId/disks`;

export function diskRoutes(app: ApiApp, context: ApiContext): void {
  const { db } = context.database;

  app.get(
    path,
    {
      config: operation('vms.disks'),
      schema: {
        operationId: 'listDisks',
        tags: vmTags,
        summary: 'List the disks of a virtual machine, on one page',
        params: vmParams,
        response: { 200: DiskPage },
      },
    },
    async (request, reply) => {
      const rows = shownDisks(await vm(db, callerOf(request), vmIdOf(request.params)));
      const onePage = { page: 1, pageSize: Math.max(1, rows.length) };
      return sendPage({ request, reply, model: 'Disks' }, onePage, { rows, total: rows.length }, (disk) => disk);
    },
  );

  app.post(
    path,
    {
      config: operation('vms.addDisk'),
      schema: {
        operationId: 'addDisk',
        tags: vmTags,
        summary: 'Add an empty disk to a virtual machine, running or not',
        params: vmParams,
        headers: preferHeaders,
        body: NewDisk,
        response: { 200: ChangedVm, 202: ChangedVm },
      },
    },
    async (request, reply) =>
      answerChanged(
        { request, reply, context },
        await addDisk(db, callerOf(request), vmIdOf(request.params), { asked: request.body, around: context }),
      ),
  );

  app.delete(
    `${path}/:disk`,
    {
      config: operation('vms.removeDisk'),
      schema: {
        operationId: 'removeDisk',
        tags: vmTags,
        summary: 'Remove a disk from a virtual machine, with its data',
        description:
          'The boot disk cannot be removed. A disk that was created with the VM can be removed only while the VM is off; a disk that was added later can be removed at any time.',
        params: Type.Object({ ...vmParam, disk: Type.String({ maxLength: 63, description: 'Its name' }) }),
        headers: preferHeaders,
        response: { 200: ChangedVm, 202: ChangedVm },
      },
    },
    async (request, reply) =>
      answerChanged(
        { request, reply, context },
        await removeDisk(db, callerOf(request), vmIdOf(request.params), request.params.disk),
      ),
  );
}
