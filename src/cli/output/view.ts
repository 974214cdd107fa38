/** How things of one kind are shown: in columns, and by name. */
export interface Column<T> {
  readonly header: string;
  /** Nothing is shown as a dash. */
  readonly cell: (one: T) => string | number | boolean | null | undefined;
  /** Shown by `-o wide` only. */
  readonly wide?: boolean;
}

export interface View<T> {
  /** In the plural, for people: "no virtual machines". */
  readonly plural: string;
  readonly columns: readonly Column<T>[];
  /** What `-o name` prints: it can be given to the other verbs of the noun. */
  readonly name: (one: T) => string;
  /** How one is shown that is gone, where that can be told by a status of its own. */
  readonly gone?: (one: T) => T;
}

export type TableFormat = 'table' | 'wide';
export type Format = TableFormat | 'json' | 'yaml' | 'name';
export const formats: readonly Format[] = ['table', 'wide', 'json', 'yaml', 'name'];

export function headers<T>(view: View<T>, format: TableFormat): readonly string[] {
  return shown(view, format).map(({ header }) => header);
}

export function cells<T>(view: View<T>, format: TableFormat, one: T): readonly string[] {
  return shown(view, format).map(({ cell }) => {
    const value = cell(one) ?? '';
    const text = typeof value === 'boolean' ? yesNo(value) : String(value);
    return text === '' ? '-' : text;
  });
}

function shown<T>(view: View<T>, format: TableFormat): readonly Column<T>[] {
  return format === 'wide' ? view.columns : view.columns.filter(({ wide }) => wide !== true);
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
