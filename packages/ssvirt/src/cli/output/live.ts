/**
 * Prints changes as they happen: first the existing rows, then one row per change, like `kubectl get -w`. Columns are
 * as wide as the widest cell so far. JSON is one object per line and YAML one document per object, so that programs can
 * read both as a stream.
 */
import { stringify } from 'yaml';
import { inColumns, widthsOf } from './columns.ts';
import { plain } from './plain.ts';
import { note, say } from './streams.ts';
import { cells, headers, type Format, type View } from './view.ts';

/** Leaves room for a longer word in a later row. */
const leastWidth = 8;

export class LiveOutput<T> {
  readonly #view: View<T>;
  readonly #format: Format;
  #widths: readonly number[] | undefined;

  constructor(view: View<T>, format: Format) {
    this.#view = view;
    this.#format = format;
  }

  /** Prints the current objects; may be called again after a relist. */
  begin(all: readonly T[]): void {
    const format = this.#format;
    if (format === 'table' || format === 'wide') this.#rows(format, all);
    else for (const one of all) this.changed(one);
  }

  changed(one: T): void {
    const format = this.#format;
    if (format === 'json') say(`${JSON.stringify(one)}\n`);
    else if (format === 'yaml') say(`---\n${stringify(one, { lineWidth: 0 })}`);
    else if (format === 'name') say(`${plain(this.#view.name(one))}\n`);
    else this.#rows(format, [one]);
  }

  gone(one: T): void {
    note(`gone: ${this.#view.name(one)}`);
    if (this.#view.gone !== undefined) this.changed(this.#view.gone(one));
  }

  #rows(format: 'table' | 'wide', all: readonly T[]): void {
    const rows = all.map((one) => cells(this.#view, format, one).map(plain));
    const before = this.#widths;
    const isFirst = before === undefined;
    const head = headers(this.#view, format);
    // A longer word widens its column for the following rows.
    this.#widths = widthsOf([head, ...rows]).map((width, at) => Math.max(width, before?.[at] ?? leastWidth));
    for (const line of inColumns(isFirst ? [head, ...rows] : rows, this.#widths)) say(`${line}\n`);
  }
}
