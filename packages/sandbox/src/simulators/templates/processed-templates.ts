/** `POST processedtemplates`: returns the template with its values filled in, and stores nothing. */
import { Admission, type AdmissionPlugin } from '../../control-plane/admission/admission.ts';
import { readBody, refuseUnknownFormat } from '../../server/api/request/body.ts';
import { decodeObject } from '../../server/api/request/decoding.ts';
import { negotiate } from '../../server/api/request/negotiate.ts';
import { writeOptions } from '../../server/api/request/options.ts';
import { sendJson } from '../../server/api/render.ts';
import type { SpecialHandler } from '../../server/api/serve-resource.ts';
import { errors, type FieldError } from '../../server/api/status.ts';
import { transformObject } from '../../server/api/transform.ts';
import { writeRequest } from '../../server/api/write/write-request.ts';
import { admissionRequest } from '../../server/api/write/write.ts';
import type { KubeObject } from '../../values/json.ts';
import { GROUP } from './kinds.ts';
import { processTemplate } from './process.ts';
import { parameterProblems } from './validation.ts';

export function processedTemplates(plugins: readonly AdmissionPlugin[]): SpecialHandler {
  const admission = new Admission(plugins);
  return async (context, resource, path) => {
    if (context.method !== 'POST' || path.namespace === '' || path.name !== '') throw errors.methodNotAllowed();
    const output = negotiate(context.request.headers.accept, resource.custom);
    refuseUnknownFormat(context.request);
    const options = writeOptions(context.query, 'CreateOptions');
    const template = decodeObject(context, resource, await readBody(context.request), options);
    placeIn(path.namespace, template);
    const request = writeRequest(context, resource, path, options, 'CreateOptions');
    await admission.mutate(admissionRequest(request, 'CREATE', template, undefined));
    await sendJson(context, 201, transformObject(resource, processed(template), output, context), output);
  };
}

function placeIn(namespace: string, { metadata }: KubeObject): void {
  metadata.namespace ??= namespace;
  if (metadata.namespace === namespace) return;
  throw errors.badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

function processed(template: KubeObject): KubeObject {
  const refuse = (problems: readonly FieldError[]): never => {
    throw errors.invalid(GROUP, 'Template', template.metadata.name ?? '', problems);
  };
  const unfit = parameterProblems(template);
  if (unfit.length > 0) refuse(unfit);
  const result = processTemplate(template);
  return result.problems === undefined ? (result.template as KubeObject) : refuse(result.problems);
}
