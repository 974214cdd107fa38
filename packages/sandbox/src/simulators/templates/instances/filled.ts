/** The template of an instance with the values of its Secret, ready to be processed. */
import { isObject, type JsonObject } from '../../../values/json.ts';
import type { Secret } from '../kinds.ts';

/** `filledTemplate` returns a value in the Secret wins even if it is empty: nothing is generated then. Other keys are ignored. */
export function filledTemplate(template: JsonObject, secret: Secret | undefined, namespace: string): JsonObject {
  const metadata = isObject(template['metadata']) ? template['metadata'] : {};
  const parameters = Array.isArray(template['parameters']) ? template['parameters'].filter(isObject) : [];
  return {
    ...template,
    apiVersion: 'template.openshift.io/v1',
    kind: 'Template',
    metadata: { ...metadata, namespace: metadata['namespace'] ?? namespace },
    parameters: parameters.map((parameter) => filledParameter(parameter, secret?.data ?? {})),
  };
}

function filledParameter(parameter: JsonObject, data: Readonly<Record<string, string>>): JsonObject {
  const name = String(parameter['name'] ?? '');
  if (!Object.hasOwn(data, name)) return parameter;
  const { generate: _generate, ...rest } = parameter;
  return { ...rest, value: Buffer.from(data[name] ?? '', 'base64').toString('utf8') };
}

export const OWNER_LABEL = 'template.openshift.io/template-instance-owner';

export function withOwnerLabel(object: JsonObject, uid: string): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const labels = isObject(metadata['labels']) ? metadata['labels'] : {};
  return { ...object, metadata: { ...metadata, labels: { ...labels, [OWNER_LABEL]: uid } } };
}
