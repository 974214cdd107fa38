/** Amounts as people write them: 4096 (MB), 4Gi, 512Mi. */
import { InvalidArgumentError } from 'commander';

const units: Readonly<Record<string, number>> = {
  mi: 1,
  m: 1,
  mb: 1,
  gi: 1024,
  g: 1024,
  gb: 1024,
  ti: 1024 ** 2,
  t: 1024 ** 2,
  tb: 1024 ** 2,
};

/** In MB of 1024 × 1024 bytes, which is also the unit of a bare number. */
export function megabytes(text: string): number {
  return amount(text, 1);
}

/** Also in MB, but a bare number is GB, the usual unit for disks. */
export function diskMegabytes(text: string): number {
  return amount(text, 1024);
}

function amount(text: string, bare: number): number {
  const [, digits = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]{0,2})$/i.exec(text) ?? [];
  const factor = unit === '' ? bare : units[unit.toLowerCase()];
  const mb = Number(digits) * (factor ?? Number.NaN);
  if (digits === '' || !Number.isInteger(mb) || mb < 1)
    throw new InvalidArgumentError('Write it as 4096 (MB), 4Gi or 512Mi; for a disk, 20 means 20Gi.');
  return mb;
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Write a whole number from 0 to 999999999.');
  return Number(text);
}
