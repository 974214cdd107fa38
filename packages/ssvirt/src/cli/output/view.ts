/** How objects of one kind are shown: in columns, and by name. */
export interface Column<T> {
  readonly header: string;
  /** A missing value is shown as a dash. */
  readonly cell: (one: T) => string | number | boolean | null | undefined;
  /** Shown by `-o wide` only. */
  readonly wide?: boolean;
}

export interface View<T> {
  /** In the plural, for messages: "no virtual machines". */
  readonly plural: string;
  readonly columns: readonly Column<T>[];
  /** What `-o name` prints: the other verbs of the noun accept it. */
  readonly name: (one: T) => string;
  /** Returns the object as it is shown after its deletion, if it has a status for that. */
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
