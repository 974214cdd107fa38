/** Lists of Machines and orders, for the provider. They are created and changed in the supervisor only. */
import { Type } from 'typebox';
import { BadListRequest, type ListPage, type ListRequest } from '../../db/lists/contracts.ts';
import type { ApiContext } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { operation, type ApiApp } from '../http/app-types.ts';
import { listRequest, sendPage } from '../http/pages.ts';
import { ListQuery, named, orNull, PageOf, Timestamp } from '../http/schemas.ts';
import type { SupervisorListing } from './source.ts';

const common = {
  namespace: Type.String(),
  name: Type.String(),
  createdAt: Timestamp,
  isBeingDeleted: Type.Boolean(),
  reason: orNull(Type.String(), 'A constant of the operator'),
  message: orNull(Type.String(), 'Of the operator: what it waits for, or what is wrong'),
  ipAddresses: Type.Array(Type.String()),
  stale: Type.Boolean({ description: 'The supervisor does not answer at the moment: this is the last known state' }),
};

const MachineBody = named(
  'Machine',
  Type.Object({
    ...common,
    phase: orNull(Type.String()),
    isReady: orNull(Type.Boolean(), 'Null before the machine-operator has reported'),
    restartRequired: Type.Boolean({ description: 'A change takes effect when it restarts' }),
    cluster: orNull(Type.String(), 'Null if it is not placed'),
    vmName: orNull(Type.String(), 'Of the VirtualMachine'),
    nodeName: orNull(Type.String()),
  }),
);

const OrderBody = named(
  'Order',
  Type.Object({
    ...common,
    templateId: Type.String(),
    phase: orNull(Type.String()),
    provisionedBy: orNull(Type.String(), 'controller or aap; null before that is decided'),
    isAvailable: orNull(Type.Boolean(), 'Null before the cloudkit-operator has reported'),
    desiredConfigVersion: orNull(Type.String()),
    reconciledConfigVersion: orNull(Type.String()),
    vmNamespace: orNull(Type.String()),
    vmName: orNull(Type.String(), 'Of the VirtualMachine'),
  }),
);

const description =
  'Sorted by namespace and name, and read from the memory of the server, which watches them. 503 if the supervisor does not serve the kind, the server may not list it, or has not read it yet; the message says which.';

export function supervisorRoutes(app: ApiApp, { supervisor }: ApiContext): void {
  app.get(
    '/cloudapi/1.0.0/machines',
    {
      config: operation('machines.list'),
      schema: {
        operationId: 'listMachines',
        tags: ['machines'],
        summary: 'List the Machines of the supervisor',
        description,
        querystring: ListQuery,
        response: { 200: PageOf(MachineBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const page = pageOf('Machines', supervisor.machines(), asked);
      return sendPage({ request, reply, model: 'Machines' }, asked, page, (one) => ({
        ...one,
        ipAddresses: [...one.ipAddresses],
      }));
    },
  );

  app.get(
    '/cloudapi/1.0.0/orders',
    {
      config: operation('orders.list'),
      schema: {
        operationId: 'listOrders',
        tags: ['orders'],
        summary: 'List the orders of the supervisor',
        description,
        querystring: ListQuery,
        response: { 200: PageOf(OrderBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const page = pageOf('orders', supervisor.orders(), asked);
      return sendPage({ request, reply, model: 'Orders' }, asked, page, (one) => ({
        ...one,
        ipAddresses: [...one.ipAddresses],
      }));
    },
  );
}

interface Placed {
  readonly namespace: string;
  readonly name: string;
}

function pageOf<T extends Placed>(
  noun: string,
  listing: SupervisorListing<T>,
  { page, pageSize, filter, sort }: ListRequest,
): ListPage<T & { readonly stale: boolean }> {
  if (filter !== undefined) throw new BadListRequest(`filter: ${noun} cannot be filtered; leave it out.`);
  if (sort !== undefined)
    throw new BadListRequest(`sortAsc, sortDesc: ${noun} are sorted by namespace and name; leave it out.`);
  if ('unavailable' in listing)
    throw new ApiError('SERVICE_UNAVAILABLE', `The ${noun} cannot be listed: ${listing.unavailable}.`, {
      retryAfter: 15,
    });
  const { entries, stale } = listing;
  const sorted = entries.toSorted((a, b) => compare(a.namespace, b.namespace) || compare(a.name, b.name));
  const rows = sorted.slice((page - 1) * pageSize, page * pageSize).map((one) => ({ ...one, stale }));
  return { rows, total: sorted.length };
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
