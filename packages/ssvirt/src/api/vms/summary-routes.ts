/** How many VMs and vApps have each status, in one call. */
import { Type, type Static } from 'typebox';
import { shownVappStatuses, shownVmStatuses } from '../../db/vms/statuses.ts';
import { countVappsByStatus, countVmsByStatus, type StatusCount } from '../../db/vms/status-counts.ts';
import { getVdc } from '../../db/vdcs/vdcs.ts';
import type { ApiContext } from '../deps.ts';
import { found } from '../errors.ts';
import { callerOf, operation, type ApiApp } from '../http/app-types.ts';
import { named, UrnSchema } from '../http/schemas.ts';
import { idOf } from '../urn.ts';
import { vmTags } from './vm-path.ts';

const Counts = named(
  'StatusCounts',
  Type.Object({
    total: Type.Integer(),
    stale: Type.Integer({ description: 'Those whose status is not current' }),
    byStatus: Type.Record(Type.String(), Type.Integer(), {
      description: 'The number for each status that occurs, stale ones included',
    }),
  }),
);

const SummaryBody = named('Summary', Type.Object({ vms: Counts, vapps: Counts }));

export function summaryRoutes(app: ApiApp, { database: { db } }: ApiContext): void {
  app.get(
    '/cloudapi/1.0.0/summary',
    {
      config: operation('summary.get'),
      schema: {
        operationId: 'getSummary',
        tags: vmTags,
        summary: 'Count the virtual machines and vApps by status',
        description:
          'Counts what the lists of virtual machines and vApps show without a filter: not the vApps of standalone VMs, and no VMs that are DELETED.',
        querystring: Type.Object({ vdc: Type.Optional(UrnSchema('vdc', 'Only those of this virtual data center')) }),
        response: { 200: SummaryBody },
      },
    },
    async (request): Promise<Static<typeof SummaryBody>> => {
      const { scope } = callerOf(request);
      const vdc = request.query.vdc === undefined ? undefined : idOf('vdc', request.query.vdc, 'vdc');
      if (vdc !== undefined) found(await getVdc(db, scope, vdc));
      const [vms, vapps] = await Promise.all([countVmsByStatus(db, scope, vdc), countVappsByStatus(db, scope, vdc)]);
      return { vms: countsOf(vms, shownVmStatuses), vapps: countsOf(vapps, shownVappStatuses) };
    },
  );
}

/** In the order of `statuses`. */
function countsOf<Status extends string>(
  counts: readonly StatusCount<Status>[],
  statuses: readonly Status[],
): Static<typeof Counts> {
  const sum = (of: 'total' | 'stale'): number => counts.reduce((before, count) => before + count[of], 0);
  const byStatus = statuses.flatMap((status) =>
    counts.filter((count) => count.status === status).map((count) => [status, count.total] as const),
  );
  return { total: sum('total'), stale: sum('stale'), byStatus: Object.fromEntries(byStatus) };
}
