/** What a server looks at when an order is written, by its definition in deploy/crds: here for those who have no server. */
import { fields, type Fields } from '../../virt/facts/reading.ts';
import { invalid, type Finding } from './finding.ts';

interface TextRule {
  readonly pattern?: RegExp;
  readonly longest: number;
  readonly required?: true;
  /** Goes on after "must be". */
  readonly rule: string;
  readonly remedy: string;
}

/** As the definition has them; a test compares. */
export const specRules: Readonly<Record<string, TextRule>> = {
  templateID: {
    pattern: /^[a-zA-Z_][a-zA-Z0-9._]*$/,
    longest: 253,
    required: true,
    rule: 'a text of 1 to 253 letters, digits, "." and "_", with a letter or "_" first',
    remedy: 'Write for example templateID: osac.templates.ocp_virt_vm',
  },
  templateParameters: {
    longest: 1_048_576,
    rule: 'the text of a JSON object, at most 1048576 characters long',
    remedy: `Put quotes around it, for example templateParameters: '{"cpu_cores": 4}'`,
  },
  tenantNamespace: {
    pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
    longest: 63,
    rule: 'the name of a namespace: 1 to 63 characters of a-z, 0-9 and "-", with a letter or digit first and last',
    remedy: 'Name a namespace that is bound to that of the order, or leave it out',
  },
  desiredConfigVersion: {
    pattern: /^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$/,
    longest: 63,
    rule: '1 to 63 letters, digits, ".", "_" and "-", with a letter or digit first and last',
    remedy: 'Write such a text, or leave it out: then it is computed',
  },
};

/** As for every object: labels of RFC 1123 with dots between. */
const objectName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export function shapeProblems(object: unknown): readonly Finding[] {
  const { metadata, spec, status = {} } = fields(object);
  const isStatus = typeof status === 'object' && status !== null && !Array.isArray(status);
  return [
    ...metadataProblems(metadata),
    ...specProblems(spec),
    ...(isStatus ? [] : [invalid('status', status, 'an object', 'Leave it out: the operator writes it')]),
  ];
}

/** Fields that are written down and do nothing. */
export function shapeWarnings(object: unknown): readonly string[] {
  const known = Object.keys(specRules);
  return Object.keys(fields(fields(object)['spec']))
    .filter((name) => !known.includes(name))
    .slice(0, 10)
    .map((name) => `The field spec.${name} is not known and does nothing: known are ${known.join(', ')}.`);
}

function metadataProblems(metadata: unknown): readonly Finding[] {
  const { name, namespace, annotations = {}, finalizers = [], uid = '' } = fields(metadata);
  const isRest = Array.isArray(finalizers) && typeof uid === 'string';
  const isName = typeof name === 'string' && name.length <= 253 && objectName.test(name);
  const rule = 'lower case letters, digits, "-" and ".", with a letter or digit first and last';
  const isPlace =
    namespace === undefined ||
    (typeof namespace === 'string' && /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace));
  const wrong = Object.entries(fields(annotations)).find(([, value]) => typeof value !== 'string');
  return [
    ...(isName ? [] : [invalid('metadata.name', name, rule, 'Give the order such a name')]),
    ...(isPlace
      ? []
      : [
          invalid('metadata.namespace', namespace, 'the name of a namespace', 'Correct it, or leave it out and say -n'),
        ]),
    ...(isRest
      ? []
      : [invalid('metadata', metadata, 'as Kubernetes has it', 'Leave out what the server writes: uid, finalizers')]),
    ...(wrong === undefined
      ? []
      : [invalid(`metadata.annotations["${wrong[0].slice(0, 60)}"]`, wrong[1], 'a text', 'Put quotes around it')]),
  ];
}

function specProblems(spec: unknown): readonly Finding[] {
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec))
    return [invalid('spec', spec, 'an object', 'Write spec with a templateID')];
  return Object.entries(specRules).flatMap(([name, rule]) => fieldProblems(name, spec as Fields, rule));
}

function fieldProblems(
  name: string,
  spec: Fields,
  { pattern, longest, required, rule, remedy }: TextRule,
): readonly Finding[] {
  const value = spec[name];
  if (value === undefined && required !== true) return [];
  const isGood = typeof value === 'string' && [...value].length <= longest && pattern?.test(value) !== false;
  return isGood ? [] : [invalid(`spec.${name}`, value, rule, remedy)];
}
