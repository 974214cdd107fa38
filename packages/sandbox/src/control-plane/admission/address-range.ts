/** `AddressRange` is a range of IPv4 addresses, as numbers. */
export interface AddressRange {
  readonly base: number;
  readonly size: number;
  /** The distance of an address from the start of the range; undefined outside the range. */
  offsetOf(address: string): number | undefined;
}

export function parseRange(cidr: string): AddressRange {
  const [address = '', bits = ''] = cidr.split('/');
  const start = parseAddress(address);
  const size = 2 ** (32 - Number(bits));
  if (start === undefined || !Number.isInteger(size)) throw new Error(`${cidr} is no range of IPv4 addresses`);
  const base = start - (start % size);
  const offsetOf = (text: string): number | undefined => {
    const number = parseAddress(text);
    return number === undefined || number < base || number >= base + size ? undefined : number - base;
  };
  return { base, size, offsetOf };
}

export function parseAddress(text: string): number | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255)) return undefined;
  return parts.reduce((number, part) => number * 256 + Number(part), 0);
}

export function formatAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
