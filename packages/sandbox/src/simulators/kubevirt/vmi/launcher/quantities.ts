/** Sums of quantities in whole numbers, formatted as in Go. */
import {
  addQuantity,
  formatQuantity,
  parseQuantity,
  quantityCeil,
  ZERO_QUANTITY,
} from '../../../../objects/schema/quantity.ts';
import type { Quantity } from '../../../../objects/schema/quantity.ts';

/** Admitted values are quantities; any other text counts as zero. */
export function quantity(text: string | number | undefined): Quantity {
  return text === undefined ? ZERO_QUANTITY : (parseQuantity(String(text)) ?? ZERO_QUANTITY);
}

export const bytesOf = (text: string | number | undefined): number => Number(quantityCeil(quantity(text)));

export const binary = (bytes: number): Quantity => ({
  value: BigInt(bytes),
  scale: 0,
  format: 'BinarySI',
  int64: true,
});

export const binaryText = (bytes: number): string => formatQuantity(binary(bytes));

/**
 * Parses a pod's annotation, which anyone with write access to the pod may have changed: undefined if it is no number
 * of bytes.
 */
export const annotatedBytes = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? binaryText(Number(text)) : undefined;

/** In the format of the left operand, as in Go; if the left one is zero, in that of the right. */
export const plus = (left: string | number | undefined, bytes: number): string =>
  formatQuantity(addQuantity(quantity(left), binary(bytes)));

/** In the format of `like`. */
export const scaledText = (like: string, factor: number): string => {
  const { format } = quantity(like);
  return formatQuantity({ ...binary(Math.trunc(bytesOf(like) * factor)), format });
};
