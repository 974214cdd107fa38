/**
 * Faults as text: `import-fails`, `crash-loop,shop/db` (or all of a namespace: `crash-loop,shop`), `node-lost,node01`.
 */
import { stringify } from 'yaml';
import { nearest } from '@ssvirt/base/config/nearest';
import { BadValue, type ValueType } from '@ssvirt/base/config/values';
import { isObject, type Json } from '../values/json.ts';
import { parseYaml } from '../values/yaml.ts';
import { faultKinds, type DialFault, type SimulatedFault } from './dials.ts';

export const FAULT_FORM = 'KIND[,NAMESPACE[/NAME]], or node-lost[,NODE]';

/** `parseFault` throws BadValue. */
export function parseFault(text: string): SimulatedFault {
  const [word = '', where, ...more] = text.split(',').map((part) => part.trim());
  const kind = parseKind(word);
  if (where === undefined) return { kind };
  const [first = '', second, ...rest] = where.split('/');
  if (more.length > 0 || rest.length > 0 || first === '' || second === '')
    throw new BadValue(`is not a fault: write ${FAULT_FORM}`);
  if (kind === 'node-lost') {
    if (second !== undefined) throw new BadValue('is not a fault: a node has no namespace: write node-lost,NODE');
    return { kind, node: first };
  }
  return { kind, namespace: first, ...(second === undefined ? {} : { name: second }) };
}

export function parseKind(word: string): DialFault {
  const kind = faultKinds.find((name) => name === word);
  if (kind !== undefined) return kind;
  const meant = nearest(word, faultKinds);
  throw new BadValue(
    `is not a fault: ${meant === undefined ? `write one of ${faultKinds.join(', ')}` : `did you mean ${meant}?`}`,
  );
}

export function showFault({ kind, namespace, name, node }: SimulatedFault): string {
  const where = node ?? (name === undefined ? namespace : `${namespace ?? ''}/${name}`);
  return where === undefined ? kind : `${kind},${where}`;
}

/** A YAML list of such texts, or of objects with their parts. */
export const faultList: ValueType<readonly SimulatedFault[]> = {
  name: 'list of faults',
  placeholder: 'FAULTS',
  parse(text) {
    const list = parseList(text);
    if (list === null) return [];
    if (!Array.isArray(list)) throw new BadValue(`is not a YAML list: write a line "- ${FAULT_FORM}" for each fault`);
    return list.map(parseItem);
  },
  show: (faults) => (faults.length === 0 ? '[]\n' : stringify(faults.map(showFault))),
};

function parseList(text: string): Json {
  try {
    return parseYaml(text);
  } catch {
    throw new BadValue(`is not valid YAML: write a line "- ${FAULT_FORM}" for each fault`);
  }
}

function parseItem(item: Json): SimulatedFault {
  if (typeof item === 'string') return parseFault(item);
  if (!isObject(item)) throw new BadValue(`contains an item that is not a fault: write ${FAULT_FORM}`);
  const part = (key: 'namespace' | 'name' | 'node'): Partial<SimulatedFault> => {
    const value = item[key];
    if (value === undefined) return {};
    if (typeof value !== 'string' || value === '') throw new BadValue(`contains a fault whose ${key} is not a string`);
    return { [key]: value };
  };
  const strange = Object.keys(item).find((key) => !['kind', 'namespace', 'name', 'node'].includes(key));
  if (strange !== undefined)
    throw new BadValue(`contains a fault with "${strange}": a fault has kind, namespace, name and node`);
  return { kind: parseKind(String(item['kind'])), ...part('namespace'), ...part('name'), ...part('node') };
}
