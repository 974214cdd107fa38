/** Requests from the API everything that explains a VM. */
import { defined } from '@ssvirt/base/values/defined';
import type { ApiClient } from '../api/client.ts';
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
  const vm = await vms.get(client.api, urn);
  const ofBoth = `owner.id==${vm.id},owner.id==${vm.vapp.id}`;
  const [vapp, vdc, done, failures] = await Promise.all([
    allowed(vapps.get(client.api, vm.vapp.id)),
    allowed(vdcs.get(client.api, vm.vdc.id)),
    allowed(listOf(client, tasks.list, { filter: ofBoth, limit: mostTasks })),
    allowed(
      listOf(client, syncFailures.list, {
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
