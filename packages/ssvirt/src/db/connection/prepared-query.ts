/**
 * Prepared statements whose columns are described once per connection. The driver requests the description each time
 * and builds rows by the names it has just read. For statements that find one or two rows, this takes longer than
 * everything else. PostgreSQL rejects a prepared statement whose columns have changed (see `isOutdated`), so the stored
 * description stays valid.
 */
import pg from 'pg';

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  readonly format: 'text' | 'binary';
}

type Row = Record<string, unknown>;
type Values = readonly (string | null)[];
type Parse = (text: string) => unknown;
type Answered = (error: Error | null, result?: pg.QueryResult) => void;

/** Parts of the driver that are used here but missing in its types. */
interface Wire {
  bind(bound: { readonly portal: string; readonly statement: string; readonly values: readonly unknown[] }): void;
}
interface Query extends pg.Submittable {
  name: string;
  readonly values: readonly unknown[] | undefined;
  readonly _result: { fields: readonly Field[]; readonly _types: typeof pg.types; addRow(row: Row): void };
  _canceledDueToError: unknown;
  hasBeenParsed(wire: Wire): boolean;
  prepare(wire: Wire): void;
  _getRows(wire: Wire): void;
  handleRowDescription(described: { readonly fields: readonly Field[] }): void;
  handleDataRow(row: { readonly fields: Values }): void;
}
const DriverQuery = pg.Query as unknown as new (text: string, values: unknown, answered: Answered) => Query;
const { utils } = pg as unknown as { readonly utils: { readonly prepareValue: (value: unknown) => unknown } };

/** The columns of one statement, and how to build a row from their texts. */
class Columns {
  readonly fields: readonly Field[];
  readonly #names: readonly string[];
  readonly #parsers: readonly Parse[];
  /** Rows start as copies of this object, so they all have the same shape. */
  readonly #empty: Readonly<Row>;

  constructor(fields: readonly Field[], types: typeof pg.types) {
    this.fields = fields;
    this.#names = fields.map(({ name }) => name);
    this.#parsers = fields.map(({ dataTypeID, format }) => types.getTypeParser(dataTypeID, format) as Parse);
    this.#empty = Object.fromEntries(this.#names.map((name) => [name, null]));
  }

  row(values: Values): Row {
    const row: Row = { ...this.#empty };
    for (let at = 0; at < values.length; at += 1) {
      const text = values[at];
      const name = this.#names[at];
      const parse = this.#parsers[at];
      if (typeof text === 'string' && name !== undefined && parse !== undefined) row[name] = parse(text);
    }
    return row;
  }
}

/** By statement name. */
type Described = Map<string, Columns>;

class PreparedQuery extends DriverQuery {
  readonly #described: Described;
  #columns: Columns | undefined;

  constructor(described: Described, { name, text, values }: Named, answered: Answered) {
    super(text, values, answered);
    this.name = name;
    this.#described = described;
  }

  override prepare(wire: Wire): void {
    const known = this.hasBeenParsed(wire) ? this.#described.get(this.name) : undefined;
    const values = known === undefined ? undefined : this.#sendable();
    if (known === undefined || values === undefined) return super.prepare(wire);
    this.#columns = known;
    this._result.fields = known.fields;
    wire.bind({ portal: '', statement: this.name, values });
    this._getRows(wire);
  }

  override handleRowDescription(described: { readonly fields: readonly Field[] }): void {
    super.handleRowDescription(described);
    this.#columns = new Columns(described.fields, this._result._types);
    this.#described.set(this.name, this.#columns);
  }

  override handleDataRow(row: { readonly fields: Values }): void {
    if (this.#columns === undefined) return super.handleDataRow(row);
    if (this._canceledDueToError) return;
    try {
      this._result.addRow(this.#columns.row(row.fields));
    } catch (error) {
      // A value that cannot be parsed: the driver reports it at the end of the answer.
      this._canceledDueToError = error;
    }
  }

  /** Undefined when a value cannot be serialized; the driver has its own way to report that. */
  #sendable(): readonly unknown[] | undefined {
    try {
      return (this.values ?? []).map((value) => utils.prepareValue(value));
    } catch {
      return undefined;
    }
  }
}

type Ask = (what: unknown, values?: unknown, answered?: unknown) => unknown;

/** From now on, named statements of this connection are described once. */
export function describeOnce(client: pg.Client): void {
  const described: Described = new Map();
  const ask = client.query.bind(client) as Ask;
  const named = (config: Named, answered: unknown): unknown => {
    if (typeof answered === 'function') return ask(new PreparedQuery(described, config, answered as Answered));
    return new Promise((resolve, reject) => {
      const settle: Answered = (error, result) => (error ? reject(error) : resolve(result));
      ask(new PreparedQuery(described, config, settle));
    });
  };
  const query: Ask = (what, values, answered) =>
    isNamed(what) && values === undefined ? named(what, answered) : ask(what, values, answered);
  client.query = query as typeof client.query;
}

interface Named {
  readonly name: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Rows as objects, with the values in the configuration. Every other form of query goes to the driver unchanged. */
function isNamed(what: unknown): what is Named {
  if (typeof what !== 'object' || what === null || 'submit' in what || 'rowMode' in what) return false;
  return 'name' in what && typeof what.name === 'string' && 'text' in what && typeof what.text === 'string';
}
