/**
 * Negotiates the answer's form: the encoding, and whether the object is converted to a Table or reduced to its
 * metadata.
 */
import { errors, StatusError } from '../status.ts';

export interface Output {
  readonly encoding: 'json' | 'yaml';
  readonly as: 'Object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** The version of meta.k8s.io for a transformed object. */
  readonly metaVersion: 'v1' | 'v1beta1';
}

export const JSON_OUTPUT: Output = { encoding: 'json', as: 'Object', metaVersion: 'v1' };

interface Range {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly quality: number;
}

const TRANSFORMS = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

export function parseAccept(accept: string | undefined): Range[] {
  if (accept === undefined || accept.trim() === '') return [{ type: '*/*', parameters: {}, quality: 1 }];
  const ranges = accept.split(',').map((part) => {
    const [type = '', ...rest] = part.trim().split(';');
    const parameters: Record<string, string> = {};
    for (const pair of rest) {
      const [key = '', value = ''] = pair.trim().split('=');
      parameters[key] = value;
    }
    const quality = parameters['q'] === undefined ? 1 : Number(parameters['q']);
    return { type: type.trim(), parameters, quality: Number.isNaN(quality) ? 1 : quality };
  });
  return ranges.sort((a, b) => b.quality - a.quality);
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** Custom resources have no protobuf form; a client that asks for it gets a shorter list. */
export function acceptedMediaTypes(custom: boolean): string[] {
  const types = ['application/json', 'application/yaml'];
  return custom ? types : [...types, PROTOBUF];
}

export function negotiate(accept: string | undefined, custom: boolean, streams = false): Output {
  if (!custom && !isRoutable(accept)) throw notRoutable(streams);
  for (const range of parseAccept(accept)) {
    const encoding = encodingOf(range.type);
    if (encoding === undefined) continue;
    const as = range.parameters['as'];
    if (as === undefined) return { encoding, as: 'Object', metaVersion: 'v1' };
    const version = range.parameters['v'];
    const known =
      TRANSFORMS.has(as) && range.parameters['g'] === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1');
    if (known) return { encoding, as: as as Output['as'], metaVersion: version };
  }
  const offersProtobuf = !custom || !parseAccept(accept).some(({ type }) => type === PROTOBUF);
  throw errors.notAcceptable(acceptedMediaTypes(!offersProtobuf));
}

/** For built-in kinds the media type is checked before anything else in the request. */
function isRoutable(accept: string | undefined): boolean {
  return parseAccept(accept).some(
    ({ type }) => type === '*/*' || type === '' || acceptedMediaTypes(false).includes(type),
  );
}

export function notRoutable(streams: boolean): StatusError {
  const more = streams ? ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'] : [];
  const offered = [...acceptedMediaTypes(false), ...more].join(', ');
  return new StatusError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${offered}`, {});
}

function encodingOf(type: string): Output['encoding'] | undefined {
  if (type === 'application/yaml') return 'yaml';
  return type === 'application/json' || type === '*/*' ? 'json' : undefined;
}
