/**
 * Checks what a disk or a VM may be created from, whatever names it: a request, a catalog item, a template with its
 * parameters, an order.
 */

const component = '[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*';
const host = '(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:]+\\])(?::[0-9]{1,5})?';
const reference = new RegExp(
  `^(?:${host}/)?${component}(?:/${component})*(?::\\w[\\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
);

/** `isImageReference` accepts the name of a container image, without a scheme. */
export function isImageReference(text: string): boolean {
  return reference.test(text);
}

export type ImportUrlProblem = 'scheme' | 'credentials';

const secretParameter = /sig|token|key|secret|passw|credential|auth/i;

/** `importUrlProblem` returns what is wrong with the form of an image's URL; undefined if it is good. */
export function importUrlProblem(text: string): ImportUrlProblem | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'scheme';
  if (
    url.username !== '' ||
    url.password !== '' ||
    [...url.searchParams.keys()].some((name) => secretParameter.test(name))
  )
    return 'credentials';
  return undefined;
}

/** `isInsideUrl` says whether the host of the URL is, by its form, one that only the cluster itself may ask. */
export function isInsideUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && isInside(url.hostname);
}

/**
 * `importUrlsIn` returns the URLs that the disks of an object are imported from: a DataVolume, or a VirtualMachine with
 * dataVolumeTemplates.
 */
export function importUrlsIn(object: unknown): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown, isInSource: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [field, one] of Object.entries(value))
      if (isInSource && typeof one === 'string' && /url$/i.test(field)) found.add(one);
      else walk(one, isInSource || field === 'source');
  };
  walk(object, false);
  return [...found];
}

const insideNames = /(?:^|\.)(?:localhost|svc|local|internal)$/;

/**
 * Importers run inside the clusters: a user who could name an inside address would make them read what only the cluster
 * itself may request. `hostname` has the form that URL gives it: lower case, and addresses in canonical form, however
 * they were written.
 */
function isInside(hostname: string): boolean {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return isInsideV4(hostname.split('.').map(Number));
  const [, v6] = /^\[(.*)\]$/.exec(hostname) ?? [];
  if (v6 !== undefined) return isInsideV6(groupsOf(v6));
  const name = hostname.replace(/\.$/, '');
  // A single label is looked up in the namespace first.
  return !name.includes('.') || insideNames.test(name);
}

/** This host, loopback, and link-local, which has the metadata service of clouds. */
function isInsideV4([a = 0, b = 0]: readonly number[]): boolean {
  return a === 0 || a === 127 || (a === 169 && b === 254);
}

function isInsideV6(groups: readonly number[]): boolean {
  const [first = 0, , , , , sixth = 0, seventh = 0, last = 0] = groups;
  if ((first & 0xffc0) === 0xfe80) return true;
  const embedded = [seventh >> 8, seventh & 0xff, last >> 8, last & 0xff];
  // ::ffff:a.b.c.d, and the addresses that NAT64 translates.
  const isNat64 = first === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
  if (isNat64) return isInsideV4(embedded);
  if (!groups.slice(0, 5).every((group) => group === 0)) return false;
  if (sixth === 0xffff) return isInsideV4(embedded);
  return sixth === 0 && seventh === 0 && last <= 1;
}

function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = address.split('::');
  const parse = (part: string): readonly number[] =>
    part === '' ? [] : part.split(':').map((hex) => parseInt(hex, 16));
  const before = parse(head);
  if (tail === undefined) return before;
  const after = parse(tail);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}
