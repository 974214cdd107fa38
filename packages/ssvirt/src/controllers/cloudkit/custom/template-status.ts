/**
 * The controller of OrderTemplates: reports whether orders can use one, and why not. Orders check for themselves and do
 * not wait for this status.
 */
import { defined } from '@ssvirt/base/values/defined';
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped } from '@ssvirt/kube/controller/handlers';
import type { Request } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import { keyOfObject } from '@ssvirt/kube/object';
import { Conditions } from '@ssvirt/kube/reconcile/conditions';
import { patchStatus } from '@ssvirt/kube/reconcile/status-patch';
import { acceptanceFaults } from '../../../kubevirt/order/custom/acceptance.ts';
import { faultSummary } from '../../../kubevirt/order/custom/fault.ts';
import { conditions as types } from '../../../kubevirt/order/resource.ts';
import { orderTemplates, type OrderTemplate } from '../operator/order-types.ts';
import type { OrderOperatorContext } from '../operator/operator.ts';
import { withId } from './templates.ts';

interface Validity {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export function templateController(operator: OrderOperatorContext): Controller {
  return createController({
    ...operator.instruments,
    name: 'OrderTemplate',
    concurrency: 1,
    onSyncTimeout: 'wait',
    sources: (cluster) => {
      const { templates } = operator.caches(cluster);
      // When a template is deleted, another one with the same id may become the valid one.
      const namesakes = enqueueMapped(({ spec }: OrderTemplate) => withId(templates, spec.templateID).map(keyOfObject));
      return [watches(templates, namesakes)];
    },
    reconcile: (request, context) => reconcile(operator, request, context),
  });
}

async function reconcile(
  operator: OrderOperatorContext,
  { name }: Request,
  { cluster, signal }: ClusterContext,
): Promise<void> {
  const template = operator.caches(cluster).templates.get({ name });
  if (template === undefined) return;
  const { generation } = template.metadata;
  const conditions = new Conditions(template.status?.conditions, { date: new Date(), generation });
  const { status, reason, message } = validity(
    operator,
    template,
    withId(operator.caches(cluster).templates, template.spec.templateID),
  );
  conditions.set(types.accepted, status, reason, message);
  const after = {
    ...template.status,
    conditions: conditions.list(),
    ...defined({ observedGeneration: generation }),
  };
  await patchStatus(cluster.client, orderTemplates, template, after, { signal });
}

function validity(
  { config }: OrderOperatorContext,
  { metadata, spec }: OrderTemplate,
  namesakes: readonly OrderTemplate[],
): Validity {
  const { templateID } = spec;
  const no = (reason: string, message: string): Validity => ({ status: 'False', reason, message });
  if ([...config.nativeTemplates, ...config.floatingIpTemplates].includes(templateID))
    return no(
      'IdTaken',
      `spec.templateID "${templateID}" is built in and takes precedence: create the OrderTemplate with another id.`,
    );
  const [oldest] = namesakes;
  if (oldest !== undefined && oldest.metadata.name !== metadata.name)
    return no(
      'IdTaken',
      `spec.templateID "${templateID}" is also that of OrderTemplate "${oldest.metadata.name ?? ''}", which is older and takes precedence: delete one of them, or create one with another id.`,
    );
  const faults = acceptanceFaults(spec, config.imageNamespaces);
  const [worst] = faults.toSorted(
    (a, b) => Number(b.reason === 'ForbiddenKind') - Number(a.reason === 'ForbiddenKind'),
  );
  if (worst !== undefined) return no(worst.reason, faultSummary(faults));
  return { status: 'True', reason: 'AsExpected', message: 'Orders can use it.' };
}
