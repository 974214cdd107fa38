/** Kubernetes' quantity library: `quantity('1Gi').isGreaterThan(quantity('512Mi'))`. */
import {
  type Quantity,
  addQuantity,
  compareQuantity,
  parseQuantity,
  quantityAsFloat,
  quantityAsInt64,
  quantityError,
  subQuantity,
} from '../../schema/quantity.ts';
import { type Overload, fail, global, member } from './functions.ts';
import { LibraryValue, NO_SUCH_OVERLOAD, type Value } from '../values.ts';

const TYPE = 'kubernetes.Quantity';

class QuantityValue extends LibraryValue {
  readonly typeName = TYPE;
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  equals(other: Value): boolean {
    return other instanceof QuantityValue && compareQuantity(this.quantity, other.quantity) === 0;
  }
}

const on = (value: LibraryValue, answer: (quantity: Quantity) => Value): Value =>
  value instanceof QuantityValue ? answer(value.quantity) : NO_SUCH_OVERLOAD;

const onBoth = (a: LibraryValue, b: LibraryValue, answer: (a: Quantity, b: Quantity) => Value): Value =>
  on(a, (left) => on(b, (right) => answer(left, right)));

/** A plain number beside a quantity is treated as one with an exponent. */
const plain = (value: bigint): Quantity => ({ value, scale: 0, format: 'DecimalExponent', int64: true });

export const QUANTITY: readonly Overload[] = [
  global('quantity', ['string'], TYPE, (text) => {
    const parsed = parseQuantity(text);
    return parsed === undefined ? fail(quantityError(text) ?? '') : new QuantityValue(parsed);
  }),
  global('isQuantity', ['string'], 'bool', (text) => parseQuantity(text) !== undefined),
  global('sign', [TYPE], 'int', (q) => on(q, ({ value }) => (value === 0n ? 0n : value < 0n ? -1n : 1n))),
  member('isGreaterThan', [TYPE, TYPE], 'bool', (a, b) => onBoth(a, b, (x, y) => compareQuantity(x, y) > 0)),
  member('isLessThan', [TYPE, TYPE], 'bool', (a, b) => onBoth(a, b, (x, y) => compareQuantity(x, y) < 0)),
  member('compareTo', [TYPE, TYPE], 'int', (a, b) => onBoth(a, b, (x, y) => BigInt(compareQuantity(x, y)))),
  member('asApproximateFloat', [TYPE], 'double', (a) => on(a, quantityAsFloat)),
  member('asInteger', [TYPE], 'int', (a) =>
    on(a, (q) => quantityAsInt64(q) ?? fail('cannot convert value to integer')),
  ),
  member('isInteger', [TYPE], 'bool', (a) => on(a, (q) => quantityAsInt64(q) !== undefined)),
  member('add', [TYPE, TYPE], TYPE, (a, b) => onBoth(a, b, (x, y) => new QuantityValue(addQuantity(x, y)))),
  member('add', [TYPE, 'int'], TYPE, (a, b) => on(a, (x) => new QuantityValue(addQuantity(x, plain(b))))),
  member('sub', [TYPE, TYPE], TYPE, (a, b) => onBoth(a, b, (x, y) => new QuantityValue(subQuantity(x, y)))),
  member('sub', [TYPE, 'int'], TYPE, (a, b) => on(a, (x) => new QuantityValue(subQuantity(x, plain(b))))),
];
