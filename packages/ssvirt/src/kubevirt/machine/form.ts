/**
 * Checks the types in a Machine that came over the wire. The CRD guarantees them, unless it was loosened or the object
 * is older than its rules: then a number may be a string, or a list an object. Fields of a wrong type are removed and
 * reported here, so that the code behind never meets them: it could fail for other Machines too.
 */
import { fields } from '../facts/reading.ts';
import type { MachineSpec } from './resource.ts';

/** The type of a value and of everything nested in it. */
type Form =
  | 'text'
  | 'number'
  | 'flag'
  | { readonly list: Form }
  | { readonly object: Readonly<Record<string, Form>>; readonly needs?: string };

const named = { name: 'text', namespace: 'text' } as const;

const disk: Form = {
  object: {
    name: 'text',
    size: 'text',
    type: 'text',
    storageClass: 'text',
    accessMode: 'text',
    volumeMode: 'text',
    existingClaim: 'text',
    source: {
      object: {
        containerDisk: { object: { image: 'text' }, needs: 'image' },
        http: { object: { url: 'text' }, needs: 'url' },
        pvc: { object: named, needs: 'name' },
        dataSource: { object: named, needs: 'name' },
      },
    },
  },
  needs: 'name',
};

const network: Form = {
  object: { name: 'text', networkName: 'text', model: 'text', macAddress: 'text' },
  needs: 'name',
};

const spec: Form = {
  object: {
    template: 'text',
    instanceType: 'text',
    kubevirtConfigRef: 'text',
    running: 'flag',
    resources: {
      object: {
        cpu: { object: { cores: 'number', threads: 'number', sockets: 'number' } },
        memory: { object: { size: 'text' } },
      },
    },
    disks: { list: disk },
    networks: { list: network },
    bootOrder: { list: 'text' },
    cloudInit: {
      object: {
        userData: 'text',
        networkData: 'text',
        secretRef: { object: { name: 'text', key: 'text' }, needs: 'name' },
      },
    },
    domain: {
      object: {
        machine: { object: { type: 'text' } },
        features: { object: { acpi: 'flag', apic: 'flag', hyperv: 'flag' } },
        firmware: { object: { bootloader: { object: { efi: 'flag', secureBoot: 'flag' } } } },
      },
    },
  },
};

/**
 * Returns the spec unchanged if all types are right; else without the malformed fields, and with a sentence about the
 * first of them.
 */
export function formedSpec(value: unknown): MachineSpec {
  const complaints: string[] = [];
  const formed = shaped(value ?? {}, spec, 'spec', complaints);
  const [malformed] = complaints;
  if (malformed === undefined) return value ?? {};
  return { ...(formed as MachineSpec | undefined), malformed };
}

/** Returns undefined for a value of the wrong type. */
function shaped(value: unknown, form: Form, at: string, complaints: string[]): unknown {
  const wrong = (should: string): undefined =>
    void complaints.push(`${at} is ${shown(value, at)}: it must be ${should}`);
  if (form === 'text') return typeof value === 'string' ? value : wrong('a text, in quotes');
  if (form === 'number') return typeof value === 'number' ? value : wrong('a number, without quotes');
  if (form === 'flag') return typeof value === 'boolean' ? value : wrong('true or false, without quotes');
  if ('list' in form)
    return Array.isArray(value)
      ? value
          .map((one, index) => shaped(one, form.list, `${at}[${index}]`, complaints))
          .filter((one) => one !== undefined)
      : wrong('a list');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('an object with fields');
  const object = fields(value);
  const kept = Object.entries(form.object).flatMap(([name, inner]) => {
    const one = object[name];
    // A null field counts as left out.
    const formed = one === undefined || one === null ? undefined : shaped(one, inner, `${at}.${name}`, complaints);
    return formed === undefined ? [] : [[name, formed] as const];
  });
  const result = Object.fromEntries(kept);
  if (form.needs === undefined || form.needs in result) return result;
  if (object[form.needs] === undefined || object[form.needs] === null)
    complaints.push(`${at}.${form.needs} is missing: it is needed`);
  return undefined;
}

/** Cloud-init data may be secret. */
function shown(value: unknown, at: string): string {
  if (at.startsWith('spec.cloudInit')) return `of type ${typeof value}`;
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 64 ? text : `${text.slice(0, 63)}…`;
}
