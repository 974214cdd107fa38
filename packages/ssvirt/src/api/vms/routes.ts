/** VMs of a virtual data center, standalone or in a vApp. */
import { Type, type Static } from 'typebox';
import type { VdcId } from '../../db/schema/schema.ts';
import type { Vm } from '../../db/vms/vms.ts';
import type { ApiContext } from '../deps.ts';
import { callerOf, operation, type ApiApp, type Request } from '../http/app-types.ts';
import { baseUrl } from '../http/base-url.ts';
import { listRequest, sendPage } from '../http/pages.ts';
import { ListQuery, UrnSchema } from '../http/schemas.ts';
import { preferHeaders } from '../tasks/answer.ts';
import { idOf } from '../urn.ts';
import { limitOf, resources } from '../vdcs/limits.ts';
import { answerChanged, answerCreated, answerDeleted } from './answer.ts';
import { diskRoutes } from './disk-routes.ts';
import { powerRoutes } from './power-routes.ts';
import { vmBody } from './render.ts';
import {
  ChangedVm,
  NewMachine,
  VmBody,
  VmChange,
  VmPage,
  VmValidation,
  type VmBodyShape,
  type VmChangeInput,
} from './schemas.ts';
import * as service from './service.ts';
import { vmIdOf, vmListDescription, vmParams, vmPath, vmTags } from './vm-path.ts';

const inVdc = '/cloudapi/1.0.0/vdcs/:vdcId/vms';
const vdcParams = Type.Object({ vdcId: UrnSchema('vdc', 'The virtual data center') });

export function vmRoutes(app: ApiApp, context: ApiContext): void {
  addReads(app, context);
  addCreation(app, context);
  addValidation(app, context);
  addChanges(app, context);
  powerRoutes(app, context);
  diskRoutes(app, context);
}

function vdcIdOf({ vdcId }: { readonly vdcId: string }): VdcId {
  return idOf('vdc', vdcId, 'vdcId');
}

function addReads(app: ApiApp, { database: { db }, settings }: ApiContext): void {
  const render = (request: Request): ((vm: Vm) => VmBodyShape) => {
    const caller = callerOf(request);
    const base = baseUrl(request, settings);
    return (vm) => vmBody(vm, caller, base);
  };

  app.get(
    vmPath,
    {
      config: operation('vms.list'),
      schema: {
        operationId: 'listVms',
        tags: vmTags,
        summary: 'List the virtual machines of your organization',
        description: vmListDescription,
        querystring: ListQuery,
        response: { 200: VmPage },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const page = await service.vmsPage(db, callerOf(request), asked);
      return sendPage({ request, reply, model: 'Vms' }, asked, page, render(request));
    },
  );

  app.get(
    inVdc,
    {
      config: operation('vms.listInVdc'),
      schema: {
        operationId: 'listVmsOfVdc',
        tags: vmTags,
        summary: 'List the virtual machines of a virtual data center',
        description: vmListDescription,
        params: vdcParams,
        querystring: ListQuery,
        response: { 200: VmPage },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const page = await service.vmsOfVdc(db, callerOf(request), vdcIdOf(request.params), asked);
      return sendPage({ request, reply, model: 'Vms' }, asked, page, render(request));
    },
  );

  app.get(
    `${vmPath}/:vmId`,
    {
      config: operation('vms.get'),
      schema: {
        operationId: 'getVm',
        tags: vmTags,
        summary: 'Get a virtual machine',
        params: vmParams,
        response: { 200: VmBody },
      },
    },
    async (request) => render(request)(await service.vm(db, callerOf(request), vmIdOf(request.params))),
  );
}

function addCreation(app: ApiApp, context: ApiContext): void {
  app.post(
    inVdc,
    {
      config: operation('vms.create'),
      schema: {
        operationId: 'createVm',
        tags: vmTags,
        summary: 'Create a standalone virtual machine',
        description:
          'The VM is recorded at once. The task in the response and in Location creates it in its cluster and ends when the cluster has accepted it; the status of the VM then follows as it boots. If the cluster rejects the VM, everything is rolled back, and the task ends with the reason. With Prefer: wait=N the response is 201 if the VM is created within N seconds. 503 if the cluster is unavailable. Snapshots are not supported yet.',
        params: vdcParams,
        headers: preferHeaders,
        body: NewMachine,
        response: { 201: ChangedVm, 202: ChangedVm },
      },
    },
    async (request, reply) => {
      const { body: asked } = request;
      const started = await service.createAlone(context.database.db, callerOf(request), vdcIdOf(request.params), {
        asked,
        around: context,
      });
      return answerCreated({ request, reply, context }, started);
    },
  );
}

function addValidation(app: ApiApp, context: ApiContext): void {
  app.post(
    '/cloudapi/1.0.0/vdcs/:vdcId/actions/validateVm',
    {
      config: operation('vms.validate'),
      schema: {
        operationId: 'validateVm',
        tags: vmTags,
        summary: 'Check whether a standalone virtual machine could be created, without creating it',
        description:
          'Refuses the request with the status and the message with which the creation would refuse it now. Otherwise the response has the quotas of the virtual data center before and after the creation. What only the cluster knows, such as whether an image exists, shows when the VM is created.',
        params: vdcParams,
        body: NewMachine,
        response: { 200: VmValidation },
      },
    },
    async (request): Promise<Static<typeof VmValidation>> => {
      const id = vdcIdOf(request.params);
      const asked = { asked: request.body, around: context };
      const { vdc, before, after } = await service.validateAlone(context.database.db, callerOf(request), id, asked);
      const quotas = resources.map((resource) => ({
        resource,
        limit: limitOf(vdc, resource) ?? null,
        usedBefore: before[resource],
        usedAfter: after[resource],
      }));
      return { quotas };
    },
  );
}

function addChanges(app: ApiApp, context: ApiContext): void {
  const { db } = context.database;

  app.put(
    `${vmPath}/:vmId`,
    {
      config: operation('vms.update'),
      schema: {
        operationId: 'updateVm',
        tags: vmTags,
        summary: 'Change name, description, CPUs, memory or instance type of a virtual machine',
        description:
          'Absent fields stay; if nothing differs, the response is 200 without a task. CPUs and memory of a running VM change at once if the cluster supports it; otherwise restartRequired is true. While the cluster is unavailable, the change is recorded, and its task says what it waits for.',
        params: vmParams,
        headers: preferHeaders,
        body: VmChange,
        response: { 200: ChangedVm, 202: ChangedVm },
      },
    },
    async (request, reply) => {
      const asked = request.body as VmChangeInput;
      const changed = await service.updateMachine(db, callerOf(request), vmIdOf(request.params), {
        asked,
        around: context,
      });
      return answerChanged({ request, reply, context }, changed);
    },
  );

  app.delete(
    `${vmPath}/:vmId`,
    {
      config: operation('vms.delete'),
      schema: {
        operationId: 'deleteVm',
        tags: vmTags,
        summary: 'Delete a virtual machine with its disks',
        description:
          'Rejected while it runs or its status is not current, unless forced. A repeated request during the deletion returns the same task. With Prefer: wait=N the response is 204 if the VM is gone within N seconds.',
        params: vmParams,
        headers: preferHeaders,
        querystring: Type.Object({
          force: Type.Optional(
            Type.Boolean({ description: 'Even while it runs: the guest stops as in a power failure' }),
          ),
        }),
        response: { 202: ChangedVm, 204: Type.Null({ description: 'The VM is deleted' }) },
      },
    },
    async (request, reply) => {
      const { force = false } = request.query;
      const started = await service.deleteMachine(db, callerOf(request), vmIdOf(request.params), force);
      return answerDeleted({ request, reply, context }, started);
    },
  );
}
