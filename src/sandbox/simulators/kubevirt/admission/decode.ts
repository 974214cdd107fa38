/** What virt-api does with an object before it looks at its content: check it against the schema, then decode it. */
import type { JsonObject } from '../../../json.ts';
import { objectAt } from '../../../kinds/fields.ts';
import type { Schema } from '../../../schema/schema.ts';
import type { AdmissionAnswer } from '../../serving/contracts.ts';
import { failed, refused } from './answer.ts';
import { quantityFault } from './go-shape.ts';
import { unsignedFault } from './numbers.ts';
import { schemaCauses } from './schema-check.ts';

/** The refusal, or undefined where the spec can be read. */
export function unreadable(object: JsonObject, schema: Schema | undefined): AdmissionAnswer | undefined {
  const spec = objectAt(object, 'spec') ?? {};
  const causes = schema === undefined ? [] : schemaCauses(schema, spec, 'spec');
  if (causes.length > 0) return refused(causes);
  const fault = numberFault(object, spec) ?? quantityFault(schema, spec);
  return fault === undefined ? undefined : failed(fault);
}

function numberFault(object: JsonObject, spec: JsonObject): string | undefined {
  if (object['kind'] === 'VirtualMachineInstance') return unsignedFault(spec, 'VirtualMachineInstance.spec');
  const template = objectAt(objectAt(spec, 'template'), 'spec');
  // The struct that Go names is the innermost that decodes itself; the path is that from the outermost.
  return template && unsignedFault(template, 'VirtualMachineInstanceTemplateSpec.spec.template.spec');
}
