/**
 * The JSON patch that distinguishes a copy from its original: values that must be unique, and metadata that is not
 * copied.
 */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import type { JsonObject } from '../../../values/json.ts';
import { listAt, objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import type { VirtualMachine } from '../objects.ts';
import type { VirtualMachineClone } from './kinds.ts';

/** `Source` holds the parts of a VM that a snapshot contains. */
export type Source = Pick<VirtualMachine, 'metadata' | 'spec'>;

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * Each operation is a text, as restores take them. Missing addresses, serial numbers and uuids are generated for the
 * new VM.
 */
export function patchesOf(vm: Source, { spec }: VirtualMachineClone): readonly string[] {
  const operations = [
    ...unlisted('labels', vm.metadata.labels, spec.labelFilters),
    ...unlisted('annotations', vm.metadata.annotations, spec.annotationFilters),
    ...interfacesOf(vm, spec.newMacAddresses ?? {}),
    ...firmwareOf(vm, spec.newSMBiosSerial ?? ''),
  ];
  return [...operations.map(textOf), ...(spec.patches ?? [])];
}

/** virt-api splits patches at commas and colons: those in a value must be escaped. */
function textOf({ op, path, value }: JsonPatchOperation): string {
  const start = `"op":${JSON.stringify(op)},"path":${JSON.stringify(path)}`;
  if (value === undefined) return `{${start}}`;
  const hidden = JSON.stringify(value).replaceAll(',', '\\u002c').replaceAll(':', '\\u003a');
  return `{${start},"value":${hidden}}`;
}

function unlisted(
  what: 'labels' | 'annotations',
  values: Readonly<Record<string, string>> = {},
  filters: readonly string[] | undefined,
): readonly JsonPatchOperation[] {
  if (filters === undefined) return [];
  const dropped = Object.keys(values).filter((key) => !isCopied(key, filters));
  return dropped.map((key) => ({ op: 'remove', path: `/metadata/${what}/${escaped(key)}` }));
}

/** A filter with `!` wins over filters that include the key. */
function isCopied(key: string, filters: readonly string[]): boolean {
  const fits = (filter: string): boolean =>
    filter.endsWith('*') ? key.startsWith(filter.slice(0, -1)) : key === filter;
  const forbidden = filters.filter((filter) => filter.startsWith('!')).map((filter) => filter.slice(1));
  return !forbidden.some(fits) && filters.some((filter) => !filter.startsWith('!') && fits(filter));
}

const domainOf = ({ spec }: Source): JsonObject => spec.template.spec.domain;

function interfacesOf(vm: Source, given: Readonly<Record<string, string>>): readonly JsonPatchOperation[] {
  return listAt(objectAt(domainOf(vm), 'devices'), 'interfaces').flatMap((one, index): JsonPatchOperation[] => {
    const path = `/spec/template/spec/domain/devices/interfaces/${index}/macAddress`;
    const address = given[textAt(one, 'name')];
    if (address !== undefined) return [{ op: 'add', path, value: address }];
    return textAt(one, 'macAddress') === '' ? [] : [{ op: 'remove', path }];
  });
}

function firmwareOf(vm: Source, serial: string): readonly JsonPatchOperation[] {
  const firmware = objectAt(domainOf(vm), 'firmware');
  const path = '/spec/template/spec/domain/firmware';
  if (firmware === undefined)
    return serial === ''
      ? []
      : [
          { op: 'add', path, value: {} },
          { op: 'add', path: `${path}/serial`, value: serial },
        ];
  return [
    ...(firmware['uuid'] === undefined ? [] : [{ op: 'remove', path: `${path}/uuid` } as const]),
    ...(serial !== '' ? [{ op: 'add', path: `${path}/serial`, value: serial } as const] : []),
    ...(serial === '' && firmware['serial'] !== undefined ? [{ op: 'remove', path: `${path}/serial` } as const] : []),
  ];
}
