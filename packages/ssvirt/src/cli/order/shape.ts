/** The checks that an API server makes on an order with the CRD in deploy/crds, for users without an API server. */
import { fields, type Fields } from '../../kubevirt/facts/reading.ts';
import { invalid, type OrderFinding } from './finding.ts';

interface TextRule {
  readonly pattern?: RegExp;
  readonly longest: number;
  readonly required?: true;
  /** The text after "must be". */
  readonly rule: string;
  readonly remedy: string;
}

/** `specRules` are the rules of the CRD; a test compares them. */
export const specRules: Readonly<Record<string, TextRule>> = {
  templateID: {
    pattern: /^[a-zA-Z_][a-zA-Z0-9._]*$/,
    longest: 253,
    required: true,
    rule: 'a string of 1 to 253 letters, digits, "." and "_" that begins with a letter or "_"',
    remedy: 'Write for example templateID: osac.templates.ocp_virt_vm',
  },
  templateParameters: {
    longest: 1_048_576,
    rule: 'a string with a JSON object, at most 1048576 characters long',
    remedy: `Put quotes around it, for example templateParameters: '{"cpu_cores": 4}'`,
  },
  tenantNamespace: {
    pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
    longest: 63,
    rule: 'the name of a namespace: 1 to 63 characters of a-z, 0-9 and "-" that begin and end with a letter or digit',
    remedy: 'Name a namespace that is bound to the namespace of the order, or leave it out',
  },
  desiredConfigVersion: {
    pattern: /^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$/,
    longest: 63,
    rule: '1 to 63 letters, digits, ".", "_" and "-" that begin and end with a letter or digit',
    remedy: 'Write such a string, or leave it out: then it is computed',
  },
};

/** The rule for every object name: RFC 1123 labels separated by dots. */
const objectName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export function shapeProblems(object: unknown): readonly OrderFinding[] {
  const { metadata, spec, status = {} } = fields(object);
  const isStatus = typeof status === 'object' && status !== null && !Array.isArray(status);
  return [
    ...metadataProblems(metadata),
    ...specProblems(spec),
    ...(isStatus ? [] : [invalid('status', status, 'an object', 'Leave it out: the operator writes it')]),
  ];
}

/** Unknown fields, which have no effect. */
export function shapeWarnings(object: unknown): readonly string[] {
  const known = Object.keys(specRules);
  return Object.keys(fields(fields(object)['spec']))
    .filter((name) => !known.includes(name))
    .slice(0, 10)
    .map((name) => `The field spec.${name} is unknown and is ignored: the known fields are ${known.join(', ')}.`);
}

function metadataProblems(metadata: unknown): readonly OrderFinding[] {
  const { name, namespace, annotations = {}, finalizers = [], uid = '' } = fields(metadata);
  const isRest = Array.isArray(finalizers) && typeof uid === 'string';
  const isName = typeof name === 'string' && name.length <= 253 && objectName.test(name);
  const rule = 'lower-case letters, digits, "-" and ".", beginning and ending with a letter or digit';
  const isPlace =
    namespace === undefined ||
    (typeof namespace === 'string' && /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace));
  const wrong = Object.entries(fields(annotations)).find(([, value]) => typeof value !== 'string');
  return [
    ...(isName ? [] : [invalid('metadata.name', name, rule, 'Rename the order')]),
    ...(isPlace
      ? []
      : [
          invalid(
            'metadata.namespace',
            namespace,
            'the name of a namespace',
            'Correct it, or leave it out and give -n',
          ),
        ]),
    ...(isRest
      ? []
      : [
          invalid(
            'metadata',
            metadata,
            'valid Kubernetes metadata',
            'Leave out the fields that the server writes: uid, finalizers',
          ),
        ]),
    ...(wrong === undefined
      ? []
      : [invalid(`metadata.annotations["${wrong[0].slice(0, 60)}"]`, wrong[1], 'a string', 'Put quotes around it')]),
  ];
}

function specProblems(spec: unknown): readonly OrderFinding[] {
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec))
    return [invalid('spec', spec, 'an object', 'Write spec with a templateID')];
  return Object.entries(specRules).flatMap(([name, rule]) => fieldProblems(name, spec as Fields, rule));
}

function fieldProblems(
  name: string,
  spec: Fields,
  { pattern, longest, required, rule, remedy }: TextRule,
): readonly OrderFinding[] {
  const value = spec[name];
  if (value === undefined && required !== true) return [];
  const isGood = typeof value === 'string' && [...value].length <= longest && pattern?.test(value) !== false;
  return isGood ? [] : [invalid(`spec.${name}`, value, rule, remedy)];
}
