/** Asks the API to explain a tenant's VM. */
import type { Schemas } from '@ssvirt/api-client/client';
import { dataOf } from '../api/data-of.ts';
import type { ApiClient } from '../api/client.ts';
import type { Report } from '../cluster/report.ts';
import { exitCodes } from '../output/exit-code.ts';
import { tenantPage } from './tenant-page.ts';

export async function tenantReport(client: ApiClient, urn: string): Promise<Report> {
  const explained = await explanationOf(client, urn);
  return {
    code: explained.verdict === 'wrong' ? exitCodes.failed : exitCodes.done,
    page: tenantPage(explained, Date.now()),
    facts: explained,
  };
}

function explanationOf({ api }: ApiClient, vmId: string): Promise<Schemas['VmExplanation']> {
  return dataOf(api.GET('/cloudapi/1.0.0/vms/{vmId}/explanation', { params: { path: { vmId } } }));
}
