/**
 * ResourceQuota. The check belongs to the validating phase, as in kube-apiserver. The charge is made together with the
 * write, after a second check, so that concurrent creates cannot exceed the quota together.
 */
import type { Registry } from '../../../server/api/registry.ts';
import { objectAt } from '../../../objects/kinds/values/fields.ts';
import { entryKey, type Entry } from '../../../store/entry.ts';
import type { Store } from '../../../store/store.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { amountsJson } from './amounts.ts';
import { checkQuotas, type Charge } from './quota-check.ts';
import { QUOTAS, writeQuotaStatus } from './quota-status.ts';
import { storedIn } from '../stored.ts';

export function resourceQuota(store: Store, registry: Registry): AdmissionPlugin {
  const check = (request: AdmissionRequest): Charge[] => {
    const { namespace, operation, resource } = request;
    if (namespace === '' || operation === 'DELETE' || store.table(QUOTAS).size === 0) return [];
    if (operation === 'CREATE' && resource.group === '' && resource.plural === 'namespaces') return [];
    return checkQuotas(request, () => storedIn(store, QUOTAS, namespace));
  };
  return {
    name: 'ResourceQuota',
    validate(request) {
      check(request);
    },
    commit(request) {
      const charges = check(request);
      if (charges.length === 0) return;
      const quotas = registry.find('', 'v1', 'resourcequotas');
      if (quotas === undefined) throw new Error('resourcequotas are not served');
      for (const { quota, used } of charges) {
        const entry = store
          .table(QUOTAS)
          .get(entryKey(quota.metadata.namespace ?? '', quota.metadata.name ?? '')) as Entry;
        writeQuotaStatus(
          store,
          quotas,
          entry,
          { ...objectAt(quota, 'status'), used: amountsJson(used) },
          'kube-apiserver',
        );
      }
    },
  };
}
