/** The source of a disk: as CDI needs it, and in words for people. */
import { fields, text, type Fields } from '../facts/reading.ts';
import type { MachineIdentity } from './identity.ts';
import type { DiskSource } from './resource.ts';

type Json = Readonly<Record<string, unknown>>;

/** `source` or `sourceRef` of a DataVolume. */
export function filledFrom(
  { namespace }: Pick<MachineIdentity, 'namespace'>,
  { containerDisk, http, pvc, dataSource }: DiskSource,
): Json {
  if (containerDisk !== undefined) return { source: { registry: { url: imageUrl(containerDisk.image) } } };
  if (http !== undefined) return { source: { http: { url: http.url } } };
  if (pvc !== undefined) return { source: { pvc: { namespace: pvc.namespace ?? namespace, name: pvc.name } } };
  return {
    sourceRef: { kind: 'DataSource', namespace: dataSource?.namespace ?? namespace, name: dataSource?.name ?? '' },
  };
}

function imageUrl(image: string): string {
  return /^(docker|oci-archive):\/\//.test(image) ? image : `docker://${image}`;
}

const LONGEST_ADDRESS = 2048;

/**
 * Describes the source in the spec of a DataVolume, such as `http "https://…"`; undefined if it is of no kind that
 * Machines use.
 */
export function sourceWords(spec: unknown): string | undefined {
  const { source, sourceRef } = fields(spec);
  const { registry, http, pvc } = fields(source);
  const address = (object: unknown): string | undefined => text(fields(object)['url'], LONGEST_ADDRESS);
  const named = (object: Fields): string | undefined => {
    const name = text(object['name']);
    return name === undefined ? undefined : `"${text(object['namespace']) ?? ''}/${name}"`;
  };
  const said = [
    ['containerDisk', quoted(address(registry)?.replace(/^docker:\/\//, ''))],
    ['http', quoted(address(http))],
    ['pvc', named(fields(pvc))],
    ['dataSource', named(fields(sourceRef))],
  ] as const;
  const [kind, what] = said.find(([, one]) => one !== undefined) ?? [];
  return what === undefined ? undefined : `${kind} ${what}`;
}

function quoted(value: string | undefined): string | undefined {
  return value === undefined ? undefined : `"${value}"`;
}
