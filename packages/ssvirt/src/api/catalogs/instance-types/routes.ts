/** Instance types and preferences for VMs of a virtual data center: tenants refer to them by name. */
import { Type } from 'typebox';
import type { ListRequest } from '../../../db/lists/contracts.ts';
import { getVdc } from '../../../db/vdcs/vdcs.ts';
import type { ApiContext } from '../../deps.ts';
import { badRequest, found } from '../../errors.ts';
import { callerOf, operation, type ApiApp, type Request } from '../../http/app-types.ts';
import { listRequest, sendPage } from '../../http/pages.ts';
import { named, ListQuery, PageOf, UrnSchema } from '../../http/schemas.ts';
import { idOf } from '../../urn.ts';

const tags = ['virtual data centers'];
const params = Type.Object({ vdcId: UrnSchema('vdc', 'The virtual data center') });
const querystring = Type.Pick(ListQuery, ['page', 'pageSize']);

const PreferenceBody = named(
  'Preference',
  Type.Object({
    name: Type.String(),
    displayName: Type.Optional(Type.String()),
  }),
);
const InstanceTypeBody = named(
  'InstanceType',
  Type.Object({
    ...PreferenceBody.properties,
    cpus: Type.Integer(),
    memoryMb: Type.Integer({ description: 'In MiB' }),
  }),
);

const isComplete = Type.Boolean({
  description: 'False if the cluster has not been read yet or may not be read; the list may then be incomplete',
});

const InstanceTypePage = named('InstanceTypePage', Type.Object({ ...PageOf(InstanceTypeBody).properties, isComplete }));
const PreferencePage = named('PreferencePage', Type.Object({ ...PageOf(PreferenceBody).properties, isComplete }));

export function instanceTypeRoutes(app: ApiApp, { database: { db }, catalogSource }: ApiContext): void {
  const clusterOf = async (request: Request, vdcId: string): Promise<string> => {
    const { scope } = callerOf(request);
    return found(await getVdc(db, scope, idOf('vdc', vdcId, 'vdcId'))).cluster;
  };

  app.get(
    '/cloudapi/1.0.0/vdcs/:vdcId/instanceTypes',
    {
      config: operation('vdcs.instanceTypes'),
      schema: {
        operationId: 'listInstanceTypes',
        tags,
        summary: 'List the instance types for VMs of a virtual data center',
        description: 'Sorted by name. An instance type sets CPUs and memory, instead of cpus and memoryMb.',
        params,
        querystring,
        response: { 200: InstanceTypePage },
      },
    },
    async (request, reply) => {
      const asked = plainRequest(request);
      const cluster = await clusterOf(request, request.params.vdcId);
      const page = pageOf(catalogSource.instancetypes(cluster), asked);
      const body = sendPage({ request, reply, model: 'InstanceTypes' }, asked, page, (one) => ({ ...one }));
      return { ...body, isComplete: catalogSource.known(cluster) };
    },
  );

  app.get(
    '/cloudapi/1.0.0/vdcs/:vdcId/preferences',
    {
      config: operation('vdcs.preferences'),
      schema: {
        operationId: 'listPreferences',
        tags,
        summary: 'List the preferences for VMs of a virtual data center',
        description: 'Sorted by name. A preference fits the virtual hardware to an operating system.',
        params,
        querystring,
        response: { 200: PreferencePage },
      },
    },
    async (request, reply) => {
      const asked = plainRequest(request);
      const cluster = await clusterOf(request, request.params.vdcId);
      const page = pageOf(catalogSource.preferences(cluster), asked);
      const body = sendPage({ request, reply, model: 'Preferences' }, asked, page, (one) => ({ ...one }));
      return { ...body, isComplete: catalogSource.known(cluster) };
    },
  );
}

/** A short list in one order: ignoring a filter silently would be worse than refusing it. */
function plainRequest(request: Request): ListRequest {
  const asked = listRequest(request);
  if (asked.filter !== undefined || asked.sort !== undefined)
    throw badRequest('filter, sortAsc, sortDesc: this list supports neither filtering nor sorting; leave them out.');
  return asked;
}

function pageOf<Row>(all: readonly Row[], { page, pageSize }: ListRequest): { rows: readonly Row[]; total: number } {
  const from = (page - 1) * pageSize;
  return { rows: all.slice(from, from + pageSize), total: all.length };
}
