/** Returns what is wrong with `spec.source` of a DataVolume. */
import { isObject, type JsonObject } from '../../../values/json.ts';
import { objectAt, textAt, valueAt } from '../../../objects/kinds/values/fields.ts';
import type { Cause } from '../../serving/contracts.ts';
import { invalid } from './invalid.ts';

type SourceCheck = (source: JsonObject, contentType: string) => Cause | undefined;

export function sourceFault(source: JsonObject, contentType: string): Cause | undefined {
  const given = Object.keys(source).filter((key) => isObject(source[key]));
  if (given.length === 0) return invalid('Missing Data volume source', 'spec.source');
  if (given.length > 1) return invalid('Multiple Data volume sources', 'spec.source');
  if (!['', 'kubevirt', 'archive'].includes(contentType))
    return invalid('ContentType not one of: kubevirt, archive', 'spec.contentType');
  const [name = ''] = given;
  return valueAt(checks, name)?.(objectAt(source, name) ?? {}, contentType);
}

const address =
  (field: string): SourceCheck =>
  (source) => {
    const wrong = addressFault(textAt(source, 'url'));
    return wrong === undefined ? undefined : invalid(`spec.source ${wrong}`, `spec.source.${field}.url`);
  };

function addressFault(url: string): string | undefined {
  if (url === '') return 'source URL is empty';
  if (!URL.canParse(url)) return `Invalid source URL: ${url}`;
  return /^https?:/i.test(url) ? undefined : `Invalid source URL scheme: ${url}`;
}

const complete =
  (field: string, ...needed: string[]): SourceCheck =>
  (source, contentType) =>
    address(field)(source, contentType) ??
    (needed.every((one) => textAt(source, one) !== '')
      ? undefined
      : invalid(`spec.source.${field} source ${field} is not valid`, `spec.source.${field}`));

const copied =
  (field: string): SourceCheck =>
  (source) =>
    textAt(source, 'name') === '' || textAt(source, 'namespace') === ''
      ? invalid(`spec.source.${field} source ${field} is not valid`, `spec.source.${field}`)
      : undefined;

const registry: SourceCheck = (source, contentType) => {
  const at = 'spec.source.Registry';
  if (contentType === 'archive')
    return invalid('ContentType must be kubevirt when Source is Registry', 'spec.contentType');
  const url = source['url'];
  const stream = source['imageStream'];
  if ((url === undefined) === (stream === undefined))
    return invalid('Source registry should have either URL or ImageStream', at);
  if (typeof url === 'string' && !/^(docker|oci-archive):/i.test(url))
    return invalid(`Illegal registry source URL scheme ${url}`, `${at}.URL`);
  const method = textAt(source, 'pullMethod');
  if (!['', 'pod', 'node'].includes(method))
    return invalid(`ImportMethod ${method} is neither pod, node or ""`, `${at}.importMethod`);
  if (stream === '') return invalid('Source registry ImageStream is not valid', `${at}.importMethod`);
  return stream !== undefined && method !== 'node'
    ? invalid('Source registry ImageStream is supported only with node pull import method', `${at}.importMethod`)
    : undefined;
};

const checks: Readonly<Record<string, SourceCheck>> = {
  http: address('HTTP'),
  s3: address('S3'),
  gcs: (source) =>
    textAt(source, 'url') === '' ? invalid('spec.source source URL is empty', 'spec.source.GCS.url') : undefined,
  imageio: complete('Imageio', 'secretRef', 'certConfigMap', 'diskId'),
  vddk: complete('VDDK', 'secretRef', 'uuid', 'backingFile', 'thumbprint'),
  registry,
  pvc: copied('PVC'),
  snapshot: copied('Snapshot'),
  blank: (_, contentType) =>
    contentType === 'archive'
      ? invalid('SourceType cannot be blank and the contentType be archive', 'spec.contentType')
      : undefined,
};
