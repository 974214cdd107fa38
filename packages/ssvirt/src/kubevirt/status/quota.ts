/** Rewrites the API server's quota messages for people. */
import { quantity } from '@ssvirt/base/values/quantity';
import { fault, type Fault } from './faults.ts';

const pattern = /exceeded quota: ([^,]+), requested: (.+?), used: (.+?), limited: (.+?)(?:$|[;\s])/;

const names: readonly (readonly [RegExp, string])[] = [
  [/^(requests|limits)\.memory$|^memory$/, 'memory'],
  [/^(requests|limits)\.cpu$|^cpu$/, 'CPU'],
  [/storage$/, 'storage'],
  [/^(count\/)?persistentvolumeclaims$|^count\/datavolumes\./, 'disks'],
  [/^count\/virtualmachineinstances\.|^(count\/)?pods$/, 'running machines'],
  [/^count\/virtualmachines\./, 'machines'],
];

/** `quotaFault` returns undefined if the message is not about a quota. */
export function quotaFault(message: string): Fault | undefined {
  if (!message.includes('exceeded quota')) return undefined;
  const [, quota = '', requested = '', used = '', limited = ''] = pattern.exec(message) ?? [];
  const [resource, amount] = firstOf(requested);
  if (resource === '')
    return fault('QUOTA_EXCEEDED', 'A quota of its virtual data center is used up: free some of it, or ask for more.');
  const name = nameOf(resource);
  const [need, taken, limit] = [amount, valueOf(used, resource), valueOf(limited, resource)].map((one) =>
    shown(resource, one),
  );
  return fault(
    'QUOTA_EXCEEDED',
    `The quota "${quota}" of its virtual data center has no room for it (${name}: needs ${need}, ${taken} of ${limit} in use): free some of it, or ask for more.`,
  );
}

function firstOf(pairs: string): readonly [string, string] {
  const [resource = '', amount = ''] = (pairs.split(',')[0] ?? '').split('=');
  return [resource, amount];
}

function valueOf(pairs: string, resource: string): string {
  const pair = pairs.split(',').find((one) => one.startsWith(`${resource}=`));
  return pair?.slice(resource.length + 1) ?? '?';
}

function nameOf(resource: string): string {
  return names.find(([form]) => form.test(resource))?.[1] ?? resource;
}

/** Bytes as MiB or GiB. */
function shown(resource: string, amount: string): string {
  const value = quantity(amount);
  if (value === undefined || !/memory|storage$/.test(resource)) return amount;
  const [unit, size] = value >= 2 ** 30 ? ['GiB', 2 ** 30] : ['MiB', 2 ** 20];
  return `${Math.round((value / size) * 10) / 10} ${unit}`;
}
