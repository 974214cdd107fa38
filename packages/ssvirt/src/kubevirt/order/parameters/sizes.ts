/** Numbers and sizes of an order. */
import { quantity } from '@ssvirt/base/values/quantity';
import { refused, type Read } from './parameter-problem.ts';

const MOST_CORES = 512;

/** `readCores` accepts a number or a string: the fulfillment service writes 64-bit integers as strings. */
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

/** As much as current processors can address. */
export const memoryLimit: SizeLimit = { most: 2 ** 46, mostWritten: '64Ti', example: '2Gi' };
/** Well below the largest integer that JavaScript represents exactly. */
export const diskLimit: SizeLimit = { most: 2 ** 50, mostWritten: '1Pi', example: '10Gi' };

/** A smaller size always means a forgotten unit. */
const LEAST = 2 ** 20;

/** `readSize` returns the size as it was written: AAP passes it on unchanged, too. */
export function readSize(field: string, value: unknown, written: string, limit: SizeLimit): Read<string> {
  const text = asText(value, written);
  // Kubernetes accepts a plus sign; guest memory and claim would then be written in different ways.
  const amount = text !== undefined && /^[\d.]/.test(text) ? quantity(text) : undefined;
  const isWhole = amount !== undefined && Number.isInteger(amount);
  if (text !== undefined && isWhole && amount >= LEAST && amount <= limit.most) return { value: text };
  return refused(field, text ?? value, {
    rule: `a Kubernetes quantity of whole bytes from 1Mi to ${limit.mostWritten}`,
    remedy: `Write a number and a unit, for example "${field}": "${limit.example}" (a number without a unit counts bytes)`,
  });
}

/** Ansible turns numbers into strings where it expects strings, and vice versa. */
function asText(value: unknown, written: string): string | undefined {
  if (typeof value === 'number') return written;
  return typeof value === 'string' ? value : undefined;
}
