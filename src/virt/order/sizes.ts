/** Numbers and sizes of an order. */
import { quantity } from '../facts/quantity.ts';
import { refused, type Read } from './parameter-problem.ts';

const MOST_CORES = 512;

/** As a number or as text: the fulfillment service writes whole numbers of 64 bits as texts. */
export function readCores(field: string, value: unknown, written: string): Read<number> {
  const text = asText(value, written);
  const cores = text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
  if (cores >= 1 && cores <= MOST_CORES) return { value: cores };
  return refused(field, text ?? value, {
    rule: `a whole number from 1 to ${MOST_CORES}, in digits only`,
    remedy: `Write for example "${field}": 2`,
  });
}

export interface SizeLimit {
  readonly most: number;
  readonly mostWritten: string;
  readonly example: string;
}

/** As much as processors of today can address. */
export const memoryLimit: SizeLimit = { most: 2 ** 46, mostWritten: '64Ti', example: '2Gi' };
/** Well below what a number counts exactly here. */
export const diskLimit: SizeLimit = { most: 2 ** 50, mostWritten: '1Pi', example: '10Gi' };

/** Less is always a unit that was forgotten. */
const LEAST = 2 ** 20;

/** As it was written: AAP passes it on like that, too. */
export function readSize(field: string, value: unknown, written: string, limit: SizeLimit): Read<string> {
  const text = asText(value, written);
  // Kubernetes would take a plus sign; the guest's memory and the claim would then be written in two ways.
  const amount = text !== undefined && /^[\d.]/.test(text) ? quantity(text) : undefined;
  const isWhole = amount !== undefined && Number.isInteger(amount);
  if (text !== undefined && isWhole && amount >= LEAST && amount <= limit.most) return { value: text };
  return refused(field, text ?? value, {
    rule: `a Kubernetes quantity of whole bytes from 1Mi to ${limit.mostWritten}`,
    remedy: `Write a number and a unit, for example "${field}": "${limit.example}" (a number without a unit counts bytes)`,
  });
}

/** Ansible makes texts of numbers where it wants texts, and the other way round. */
function asText(value: unknown, written: string): string | undefined {
  if (typeof value === 'number') return written;
  return typeof value === 'string' ? value : undefined;
}
