import { Type } from 'typebox';
import { powerOperations } from '../../kubevirt/power/table.ts';
import type { ApiContext } from '../deps.ts';
import { callerOf, operation, type ApiApp } from '../http/app-types.ts';
import { baseUrl } from '../http/base-url.ts';
import { listRequest, sendPage } from '../http/pages.ts';
import { ListQuery, UrnSchema } from '../http/schemas.ts';
import { preferHeaders as headers } from '../tasks/answer.ts';
import { idOf } from '../urn.ts';
import * as vmAnswers from '../vms/answer.ts';
import { powerDescription, powerSummaries } from '../vms/power-routes.ts';
import { vmBody } from '../vms/render.ts';
import { ChangedVm, NewMachine, VmPage } from '../vms/schemas.ts';
import { vmListDescription } from '../vms/vm-path.ts';
import { answerChanged, answerCreated, answerDeleted } from './answer.ts';
import { powerVapp } from './power.ts';
import { listedVapp, vappDetail } from './render.ts';
import { ChangedVapp, NewVapp, VappChange, VappDetail, VappPage } from './schemas.ts';
import * as service from './service.ts';

const tags = ['vApps'];
const base = '/cloudapi/1.0.0';
const params = Type.Object({ vappId: UrnSchema('vapp', 'The vApp') });
const vdcParams = Type.Object({ vdcId: UrnSchema('vdc', 'The virtual data center') });

export function vappRoutes(app: ApiApp, context: ApiContext): void {
  addLists(app, context);
  addOne(app, context);
  addPower(app, context);
  addMachines(app, context);
}

function addLists(app: ApiApp, context: ApiContext): void {
  const { settings } = context;
  const { db } = context.database;

  app.get(
    `${base}/vapps`,
    {
      config: operation('vapps.list'),
      schema: {
        operationId: 'listVapps',
        tags,
        summary: 'List the vApps',
        querystring: ListQuery,
        response: { 200: VappPage },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const page = await service.vappsPage(db, callerOf(request), asked);
      const [caller, url] = [callerOf(request), baseUrl(request, settings)];
      return sendPage({ request, reply, model: 'VApps' }, asked, page, (row) => listedVapp(row, caller, url));
    },
  );

  app.get(
    `${base}/vdcs/:vdcId/vapps`,
    {
      config: operation('vapps.listInVdc'),
      schema: {
        operationId: 'listVappsOfVdc',
        tags,
        summary: 'List the vApps of a virtual data center',
        params: vdcParams,
        querystring: ListQuery,
        response: { 200: VappPage },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const vdc = idOf('vdc', request.params.vdcId, 'vdcId');
      const page = await service.vappsPage(db, callerOf(request), asked, vdc);
      const [caller, url] = [callerOf(request), baseUrl(request, settings)];
      return sendPage({ request, reply, model: 'VApps' }, asked, page, (row) => listedVapp(row, caller, url));
    },
  );

  app.post(
    `${base}/vdcs/:vdcId/vapps`,
    {
      config: operation('vapps.create'),
      schema: {
        operationId: 'createVapp',
        tags,
        summary: 'Create an empty vApp',
        description: 'An empty vApp needs nothing in a cluster, so it exists at once, without a task.',
        params: vdcParams,
        body: NewVapp,
        response: { 201: ChangedVapp },
      },
    },
    async (request, reply) => {
      const vdc = idOf('vdc', request.params.vdcId, 'vdcId');
      const vapp = await service.createVapp(db, callerOf(request), vdc, request.body);
      return answerCreated({ request, reply, context }, { vapp });
    },
  );
}

function addOne(app: ApiApp, context: ApiContext): void {
  const { db } = context.database;

  app.get(
    `${base}/vapps/:vappId`,
    {
      config: operation('vapps.get'),
      schema: {
        operationId: 'getVapp',
        tags,
        summary: 'Get a vApp with its VMs',
        params,
        response: { 200: VappDetail },
      },
    },
    async (request) => {
      const id = idOf('vapp', request.params.vappId, 'vappId');
      const seen = await service.vappWithMachines(db, callerOf(request), id);
      return vappDetail(seen, callerOf(request), baseUrl(request, context.settings));
    },
  );

  app.put(
    `${base}/vapps/:vappId`,
    {
      config: operation('vapps.update'),
      schema: {
        operationId: 'updateVapp',
        tags,
        summary: 'Rename a vApp, or change its description',
        description:
          'The task in the response applies a new name to the VMs in the cluster; if there is nothing to apply, the response is 200 without a task.',
        params,
        headers,
        body: VappChange,
        response: { 200: ChangedVapp, 202: ChangedVapp },
      },
    },
    async (request, reply) => {
      const id = idOf('vapp', request.params.vappId, 'vappId');
      const changed = await service.updateVapp(db, callerOf(request), id, request.body);
      return answerChanged({ request, reply, context }, changed);
    },
  );

  app.delete(
    `${base}/vapps/:vappId`,
    {
      config: operation('vapps.delete'),
      schema: {
        operationId: 'deleteVapp',
        tags,
        summary: 'Delete a vApp with its VMs and their disks',
        description:
          'Rejected while VMs in it run or their status is not current, unless forced. A repeated request during the deletion returns the same task. The name is free again when the task has ended.',
        params,
        headers,
        querystring: Type.Object({
          force: Type.Optional(Type.Boolean({ description: 'Even while VMs in it run' })),
        }),
        response: { 202: ChangedVapp, 204: Type.Null({ description: 'The vApp is deleted' }) },
      },
    },
    async (request, reply) => {
      const id = idOf('vapp', request.params.vappId, 'vappId');
      const started = await service.deleteVapp(db, callerOf(request), id, request.query.force ?? false);
      return answerDeleted({ request, reply, context }, started);
    },
  );
}

function addPower(app: ApiApp, context: ApiContext): void {
  const { clusters } = context;
  for (const word of powerOperations)
    app.post(
      `${base}/vapps/:vappId/actions/${word}`,
      {
        config: operation(`vapps.${word}`),
        schema: {
          operationId: `${word}Vapp`,
          tags,
          summary: `${powerSummaries[word]} (all VMs of a vApp)`,
          description: `Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. ${powerDescription}`,
          params,
          headers,
          response: { 200: ChangedVapp, 202: ChangedVapp },
        },
      },
      async (request, reply) => {
        const id = idOf('vapp', request.params.vappId, 'vappId');
        const asked = { operation: word, clusters };
        const started = await powerVapp(context.database.db, callerOf(request), id, asked);
        return answerChanged({ request, reply, context }, started);
      },
    );
}

function addMachines(app: ApiApp, context: ApiContext): void {
  app.get(
    `${base}/vapps/:vappId/vms`,
    {
      config: operation('vms.list'),
      schema: {
        operationId: 'listVmsOfVapp',
        description: vmListDescription,
        tags,
        summary: 'List the VMs of a vApp',
        params,
        querystring: ListQuery,
        response: { 200: VmPage },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const caller = callerOf(request);
      const id = idOf('vapp', request.params.vappId, 'vappId');
      const page = await service.machinesPage(context.database.db, caller, id, asked);
      const url = baseUrl(request, context.settings);
      return sendPage({ request, reply, model: 'Vms' }, asked, page, (vm) => vmBody(vm, caller, url));
    },
  );

  app.post(
    `${base}/vapps/:vappId/vms`,
    {
      config: operation('vms.create'),
      schema: {
        operationId: 'addVmToVapp',
        tags,
        summary: 'Add a VM to a vApp',
        description: 'The task in the response and in Location creates it in the cluster.',
        params,
        headers,
        body: NewMachine,
        response: { 201: ChangedVm, 202: ChangedVm },
      },
    },
    async (request, reply) => {
      const id = idOf('vapp', request.params.vappId, 'vappId');
      const started = await service.addMachine(context, callerOf(request), id, request.body);
      return vmAnswers.answerCreated({ request, reply, context }, started);
    },
  );
}
