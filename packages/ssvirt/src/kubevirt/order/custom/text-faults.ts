/** Checks every text of an object: whether its parameters are declared, and may be filled in there. */
import { shown } from '../shown.ts';
import type { TemplateParameter } from '../parameters/template.ts';
import { invalid, type TemplateFault } from './fault.ts';
import { freedomOf, placeAt, type Freedom, type ListedKind, type Path, type FieldPosition } from './positions.ts';
import { namesIn, onlyName, orderName, piecesOf, tenantNamespace, type Piece } from './substitution.ts';

type Declared = ReadonlyMap<string, TemplateParameter>;

/** Fields beside an address: they are sent to it, or grant access to what it names. */
const credentials = ['secretRef', 'secretExtraHeaders', 'extraHeaders', 'imagePullSecret'];
const DEEPEST = 40;
const begins = { url: /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]+\//, image: /^[^/@\s]+\// } as const;

export function textFaults(
  object: unknown,
  kind: ListedKind,
  where: string,
  declared: Declared,
): readonly TemplateFault[] {
  const faults: TemplateFault[] = [];
  const look = (value: unknown, path: Path, around: object, depth: number): void => {
    if (depth > DEEPEST) {
      faults.push(invalid(`${where} ${path.slice(0, 3).join('.')}`, `is nested more than ${DEEPEST} deep: flatten it`));
      return;
    }
    if (typeof value === 'string') {
      const wrong = textFault(value, placeAt(kind, path), around, declared);
      if (wrong !== undefined) faults.push(invalid(`${where} ${path.join('.')}`, wrong));
    } else if (Array.isArray(value)) for (const one of value) look(one, path, around, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) {
        if (key.includes('${'))
          faults.push(
            invalid(`${where} ${path.join('.')}`, `has ${shown(key)} for the name of a field: nothing is put there`),
          );
        else look(one, [...path, key], value, depth + 1);
      }
  };
  look(object, [], {}, 0);
  return faults;
}

function textFault(text: string, place: FieldPosition, around: object, declared: Declared): string | undefined {
  const pieces = piecesOf(text);
  if ('fault' in pieces) return `is wrong: ${pieces.fault}`;
  const names = namesIn(pieces);
  const unknown = names.find((name) => name !== orderName && name !== tenantNamespace && !declared.has(name));
  if (unknown !== undefined)
    return `has "\${${unknown}}", which is none of the parameters (nor ${orderName} or ${tenantNamespace}): declare it, or write "$\${${unknown}}" for these characters`;
  for (const name of names) {
    const parameter = declared.get(name);
    const freedom = parameter === undefined ? undefined : freedomOf(parameter);
    const wrong = misplaced(name, freedom, place, { pieces, around });
    if (wrong !== undefined) return `has "\${${name}}", ${wrong}`;
  }
  return undefined;
}

interface Text {
  readonly pieces: readonly Piece[];
  readonly around: object;
}

/** `freedom` is that of a parameter; names that are set for every order have none. */
function misplaced(name: string, freedom: Freedom | undefined, place: FieldPosition, text: Text): string | undefined {
  const list = 'give the parameter an enum, or write the value itself';
  switch (place.takes) {
    case 'nothing':
      return 'but nothing is put there, so that no order decides it: write the value itself';
    case 'namespace':
      return name === tenantNamespace && onlyName(text.pieces) !== undefined
        ? undefined
        : 'but no order decides on a namespace: write the value itself, or "${TENANT_NAMESPACE}"';
    case 'reference':
      if (place.of.length > 0 || freedom === 'listed' || name === tenantNamespace) return undefined;
      return `but an order must not reach what it did not make: ${list}`;
    case 'listed':
      return freedom === undefined || freedom === 'listed' ? undefined : `but others act on that place: ${list}`;
    case 'bounded':
      return freedom === 'open'
        ? 'which may be any text, but only the guest may be told any text: give the parameter an enum, a pattern or another type'
        : undefined;
    case 'url':
    case 'image':
      return freedom === 'listed' ? undefined : misaddressed(place.takes, text);
    case 'name':
    case 'text':
      return undefined;
  }
}

/** Otherwise `quay.io${p}` could become `quay.io.example.org`, and a Secret could be sent anywhere. */
function misaddressed(kind: 'url' | 'image', { pieces, around }: Text): string | undefined {
  const [first] = pieces;
  const isHostFixed = first !== undefined && 'text' in first && begins[kind].test(first.text);
  if (isHostFixed) return undefined;
  const isSecretSent = credentials.some((field) => field in around);
  if (onlyName(pieces) !== undefined && !isSecretSent) return undefined;
  return isSecretSent
    ? 'but a Secret is sent to that address: write scheme, host and "/" before it'
    : 'but part of an address is only put behind its host: write scheme, host and "/" before it, or put in the whole of it';
}
