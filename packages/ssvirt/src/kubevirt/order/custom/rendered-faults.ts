/**
 * Checks the objects after all values are filled in: names, references, addresses, and what Kubernetes would refuse
 * half-way through the order.
 */
import { fields, text as oneLine } from '../../facts/reading.ts';
import { isInsideUrl } from '../../tenant-vm/boot-source.ts';
import { decodeBase64 } from '../parameters/encoded-text.ts';
import type { Draft, FilledText, Filling, Found } from './filling.ts';
import type { ListedKind } from './positions.ts';
import { tenantNamespace } from './substitution.ts';

/** The rule for Services, at most as long as a label: RFC 1035. */
const objectName = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const labelValue = /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/;
const addressPart = /^[\w.:@+/-]*$/;
const wholeUrl = /^(?:docker|https?):\/\/[^\s/@]+(?:\/\S*)?$/;
const wholeImage = /^[\w.:@/-]+$/;
/** What a server accepts, with room for our labels and annotations. */
const LARGEST = 1_000_000;

export function renderedFaults(drafts: readonly Draft[], filling: Filling): Found {
  const own = ownNames(drafts);
  const all = drafts.flatMap((draft) => [
    ...draft.texts.flatMap((text) => textFault(draft, text, own, filling) ?? []),
    ...(sizeFault(draft, filling) ?? []),
  ]);
  const twice = repeatedNames(drafts, filling);
  return { problems: unlike([...all, ...twice]), faults: [...all, ...twice].flatMap(({ faults }) => faults) };
}

/** `unlike` keeps one problem for each parameter, which may be filled in at many places. */
export function unlike(found: readonly Found[]): Found['problems'] {
  const problems = found.flatMap((one) => one.problems);
  return problems.filter(({ field }, at) => problems.findIndex((other) => other.field === field) === at);
}

type OwnNames = ReadonlySet<string>;

function ownNames(drafts: readonly Draft[]): OwnNames {
  return new Set(drafts.map(({ kind, object }) => `${kind} ${nameOf(object)}`));
}

function nameOf(object: unknown): string {
  return oneLine(fields(fields(object)['metadata'])['name']) ?? '';
}

function textFault({ where, kind }: Draft, text: FilledText, own: OwnNames, filling: Filling): Found | undefined {
  const { path, place, value, names } = text;
  const at = `${where} ${path.join('.')}`;
  const wrong = (rule: string, fault: string): Found => filling.found(names, rule, at, fault);
  if (isEncoded(kind, path) && decodeBase64(value) === undefined && value !== '')
    return wrong('base64 with its padding', 'is not padded base64: write the text in stringData');
  if (path.at(-2) === 'labels' && !labelValue.test(value))
    return wrong(
      'the value of a label, or part of one',
      'is not a label value: at most 63 letters, digits, "-", "_", "."',
    );
  switch (place.takes) {
    case 'name':
      return objectName.test(value)
        ? undefined
        : wrong(
            'such that the name of the object has at most 63 characters of a-z, 0-9 and "-", and ends with a letter or digit',
            `comes to "${oneLine(value, 80) ?? ''}", which is not a name of at most 63 characters of a-z, 0-9 and "-"`,
          );
    case 'reference':
      return isReachable(text, place.of, own, filling)
        ? undefined
        : wrong(
            `the name of a ${kindsOf(place.of)} that the template makes for this order: an order may use only its own objects`,
            `names a ${kindsOf(place.of)} that the template does not create, by a parameter of the order: write the name itself, or let the template create it`,
          );
    case 'url':
    case 'image':
      if (text.only !== undefined && filling.freedomOf(text.only) !== 'listed' && isInsideAddress(value))
        return wrong(
          'an address outside of the cluster: an importer would read there what only the cluster itself may ask for',
          'is an address inside of the cluster',
        );
      return addressFault(text, place.takes, filling) ? wrong(addressRule(text), 'is not an address') : undefined;
    default:
      return path.at(-1) === 'type' && value === 'ExternalName' && kind === 'Service'
        ? wrong('another type of Service', 'leads traffic elsewhere')
        : undefined;
  }
}

function isEncoded(kind: ListedKind, path: readonly string[]): boolean {
  return (kind === 'Secret' && path[0] === 'data') || (kind === 'ConfigMap' && path[0] === 'binaryData');
}

/** An order can reach what the author has named, and what the template creates. */
function isReachable(
  { names, value }: FilledText,
  of: readonly ListedKind[],
  own: OwnNames,
  filling: Filling,
): boolean {
  const isAuthors = names.every((name) => name === tenantNamespace || filling.freedomOf(name) === 'listed');
  return isAuthors || of.some((kind) => own.has(`${kind} ${value}`));
}

function kindsOf(of: readonly ListedKind[]): string {
  return of.join(' or ');
}

function addressFault({ names, only, value }: FilledText, kind: 'url' | 'image', filling: Filling): boolean {
  const free = names.filter((name) => filling.freedomOf(name) !== 'listed');
  if (free.length === 0) return false;
  if (only !== undefined) return !(kind === 'url' ? wholeUrl : wholeImage).test(value);
  return free.some((name) => !addressPart.test(filling.textOf(name)) || filling.textOf(name).includes('..'));
}

function isInsideAddress(value: string): boolean {
  return /^https?:/i.test(value) && isInsideUrl(value);
}

function addressRule({ only }: FilledText): string {
  return only === undefined
    ? 'part of an address: letters, digits and . _ : @ + / - without ".."'
    : 'an address with docker://, http:// or https:// and a host, without spaces or a password';
}

function sizeFault({ where, object, texts }: Draft, filling: Filling): readonly Found[] | undefined {
  const size = Buffer.byteLength(JSON.stringify(object));
  if (size <= LARGEST) return undefined;
  const names = texts
    .flatMap((text) => text.names)
    .toSorted((a, b) => filling.textOf(b).length - filling.textOf(a).length);
  return [
    filling.found(
      names,
      `so short that the object has at most ${LARGEST} bytes`,
      where,
      `has ${size} bytes, but may have ${LARGEST}: write less`,
    ),
  ];
}

/** A DataVolume creates a claim of its own name. */
function repeatedNames(drafts: readonly Draft[], filling: Filling): readonly Found[] {
  const keys = drafts.map(
    ({ kind, object }) => `${kind === 'DataVolume' ? 'PersistentVolumeClaim' : kind} ${nameOf(object)}`,
  );
  return drafts.flatMap(({ where, texts }, at) => {
    if (keys.indexOf(keys[at] ?? '') === at) return [];
    const names = texts.filter(({ place }) => place.takes === 'name').flatMap((text) => text.names);
    return [
      filling.found(
        names,
        'such that no two objects of a kind have the same name',
        `${where} metadata.name`,
        'is also the name of another object of that kind (a DataVolume makes a PersistentVolumeClaim of its name): rename one of them',
      ),
    ];
  });
}
