/** Requests from the API everything that explains a VM. */
import { defined } from '@ssvirt/base/values/defined';
import type { ApiClient } from '../api/client.ts';
import type { ListedSyncFailure, ListedTask, ListedVapp, ListedVdc } from '../api/entities.ts';
import { pathTo } from '../api/kind.ts';
import { syncFailures, tasks, vapps, vdcs, vms } from '../api/entity-kinds.ts';
import { listOf } from '../api/pages.ts';
import { Refusal } from '../api/refusal.ts';
import type { Report } from '../cluster/report.ts';
import { exitCodes } from '../output/exit-code.ts';
import { tenantAdvice } from './tenant-advice.ts';
import type { TenantCase } from './tenant-case.ts';
import { tenantPage } from './tenant-page.ts';

const mostTasks = 5;
const mostFailures = 3;

export async function tenantReport(client: ApiClient, urn: string): Promise<Report> {
  const seen = await gatherTenant(client, urn);
  const advice = tenantAdvice(seen);
  const { now: _, ...facts } = seen;
  return {
    code: advice.verdict === 'wrong' ? exitCodes.failed : exitCodes.done,
    page: tenantPage(seen, advice),
    facts: { ...advice, ...facts },
  };
}

async function gatherTenant(client: ApiClient, urn: string): Promise<TenantCase> {
  const vm = await client.get<TenantCase['vm']>(pathTo(vms, urn));
  const ofBoth = `owner.id==${vm.id},owner.id==${vm.vapp.id}`;
  const [vapp, vdc, done, failures] = await Promise.all([
    allowed(client.get<ListedVapp>(pathTo(vapps, vm.vapp.id))),
    allowed(client.get<ListedVdc>(pathTo(vdcs, vm.vdc.id))),
    allowed(listOf<ListedTask>(client, tasks.path, { filter: ofBoth, limit: mostTasks })),
    allowed(
      listOf<ListedSyncFailure>(client, syncFailures.path, {
        filter: `vm.id==${vm.id};isResolved==false`,
        limit: mostFailures,
      }),
    ),
  ]);
  return {
    now: Date.now(),
    vm,
    ...defined({ vapp, vdc }),
    tasks: done ?? [],
    ...defined({ syncFailures: failures }),
  };
}

/** Resolves to undefined if the user has no permission, or if the object is gone by now. */
async function allowed<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof Refusal && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}
