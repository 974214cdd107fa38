/**
 * `template.openshift.io` as OpenShift's own API server serves it: templates and their instances, stored here and not
 * in the cluster's store.
 */
import { join } from 'node:path';
import { ExtensionApi } from '../../extension/extension-api.ts';
import type { AggregatedApi, Caller } from '../serving/contracts.ts';
import type { World } from '../world.ts';
import type { User } from '../../server/api/context.ts';
import { machineTemplateApis } from './machine-templates/api.ts';
import { GROUP, VERSION } from './kinds.ts';
import { namespaceCheck, namespaces } from './namespace-check.ts';
import { processedTemplates } from './processed-templates.ts';
import { requesterPlugin } from './requester.ts';
import { templateResources } from './resources.ts';

export interface TemplatesOptions {
  /** The folder of the store; without it, templates are lost when the process ends. */
  readonly data?: string;
}

export function templatesApis(world: World, options: TemplatesOptions = {}): readonly AggregatedApi[] {
  return [openshiftApi(world, options), ...machineTemplateApis(world)];
}

function openshiftApi(world: World, { data }: TemplatesOptions): AggregatedApi {
  const { client, informers } = world.as('template-controller');
  const inNamespace = namespaceCheck(informers.informer(namespaces), client);
  const api = new ExtensionApi({
    resources: templateResources(),
    special: new Map([[`${GROUP}/processedtemplates`, processedTemplates([inNamespace])]]),
    plugins: [inNamespace, requesterPlugin(client)],
    signal: world.signal,
    onDefect: (error, where) => world.log.error({ err: error, where }, 'defect of the simulated template API'),
    ...(data === undefined ? {} : { data: join(data, GROUP) }),
  });
  return {
    group: GROUP,
    version: VERSION,
    priority: { group: 9900, version: 15 },
    documents: api.documents,
    handle: ({ request, caller }, response) => api.answer(request, response, userOf(caller)),
  };
}

function userOf({ username, uid = '', groups, extra }: Caller): User {
  return { name: username, uid, groups, extra };
}
