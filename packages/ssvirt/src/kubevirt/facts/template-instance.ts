/** What is kept of an OpenShift TemplateInstance. */
import { saying, type Saying } from './condition.ts';
import { fields, known, text } from './reading.ts';
import { uuid, VAPP_LABEL } from './vm.ts';

export interface TemplateInstanceFacts {
  readonly uid: string;
  readonly name: string;
  readonly deleting?: true;
  readonly vappId?: string;
  readonly ready?: true;
  readonly failure?: Saying;
}

export function templateInstanceFacts(object: unknown): TemplateInstanceFacts {
  const { metadata, status } = fields(object);
  const { uid, name, labels, deletionTimestamp } = fields(metadata);
  const { conditions } = fields(status);
  return known<TemplateInstanceFacts>({
    uid: text(uid) ?? '',
    name: text(name) ?? '',
    deleting: deletionTimestamp === undefined ? undefined : true,
    vappId: uuid(fields(labels)[VAPP_LABEL]),
    ready: saying(conditions, 'Ready', 'True') === undefined ? undefined : true,
    failure: saying(conditions, 'InstantiateFailure', 'True'),
  });
}
