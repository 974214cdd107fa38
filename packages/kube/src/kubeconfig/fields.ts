/** `Fields` gives typed access to a mapping of the document. As in Go, an empty string and null count as absent. */
import { KubeconfigError } from './error.ts';

type Mapping = Readonly<Record<string, unknown>>;

export class Fields {
  readonly path: string;
  readonly file: string | undefined;
  readonly #value: Mapping;

  constructor(value: unknown, path: string, file?: string) {
    this.path = path;
    this.file = file;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new KubeconfigError(path, 'it must be a mapping of fields', file);
    this.#value = value as Mapping;
  }

  get names(): readonly string[] {
    return Object.keys(this.#value).filter((name) => this.raw(name) !== undefined);
  }

  error(name: string, reason: string): KubeconfigError {
    return new KubeconfigError(this.at(name), reason, this.file);
  }

  at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  raw(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? (this.#value[name] ?? undefined) : undefined;
  }

  text(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string')
      throw this.error(name, `it must be a string, not ${kindOf(value)}: put it in quotes`);
    return value;
  }

  flag(name: string): boolean {
    const value = this.raw(name) ?? false;
    if (typeof value !== 'boolean') throw this.error(name, `it must be true or false, not ${kindOf(value)}`);
    return value;
  }

  /** The base64-decoded text of the field. */
  decoded(name: string): string | undefined {
    const encoded = this.text(name)?.replaceAll(/[\r\n]/g, '');
    if (encoded === undefined || encoded === '') return undefined;
    const bytes = Buffer.from(encoded, 'base64');
    // Node ignores invalid base64 characters; encoding the result again reveals that.
    if (bytes.toString('base64') !== encoded)
      throw this.error(name, 'it must be base64 (`base64 -w0 FILE`), not plain PEM');
    return bytes.toString('utf8');
  }

  texts(name: string): readonly string[] {
    return this.#list(name).map((item, index) => {
      if (typeof item !== 'string') throw this.error(`${name}[${index}]`, `it must be a string, not ${kindOf(item)}`);
      return item;
    });
  }

  child(name: string): Fields | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : new Fields(value, this.at(name), this.file);
  }

  children(name: string): readonly Fields[] {
    return this.#list(name).map((item, index) => new Fields(item, `${this.at(name)}[${index}]`, this.file));
  }

  #list(name: string): readonly unknown[] {
    const value = this.raw(name) ?? [];
    if (!Array.isArray(value)) throw this.error(name, `it must be a list, not ${kindOf(value)}`);
    return value;
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}
