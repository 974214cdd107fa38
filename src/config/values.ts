/**
 * The types of config values: how each is read from text. A file, the environment and the flags all give text, so that
 * a value means the same wherever it stands.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatAddress, parseAddress, type Address } from './address.ts';
import { BadDatabaseUrl, parseDatabaseUrl, showDatabaseUrl, type DatabaseUrl } from './database-url.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { Secret } from './secret.ts';
import { formatSize, parseSize } from './size.ts';

/** What a value breaks, as the rest of the sentence `"x" …`, such as `is not a duration: write 30s or 1m30s`. */
export class BadValue extends Error {
  override readonly name = 'BadValue';
}

export interface ValueType<T> {
  /** The name of the type in documentation, such as `duration`. */
  readonly name: string;
  /** What stands for the value in help texts, such as `HOST:PORT`. */
  readonly placeholder: string;
  /** The value itself may not be shown, not even in a complaint about it. */
  readonly secret?: boolean;
  /** Reads the text; throws BadValue. `folder` is what a relative path is relative to. */
  parse(text: string, folder: string): T;
  /** Reads a list of the file item by item, so that an item may hold a comma. Absent where the value is no list. */
  parseItems?(items: readonly string[], folder: string): T;
  /** The text that a person may read; never a secret. */
  show(value: T): string;
}

export const text: ValueType<string> = {
  name: 'string',
  placeholder: 'TEXT',
  parse: (value) => value,
  show: (value) => value,
};

/** What Kubernetes takes as one part of a name, and every file system as a folder. */
export const label: ValueType<string> = {
  name: 'name',
  placeholder: 'NAME',
  parse(value) {
    if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(value))
      throw new BadValue(
        'is not a name: write at most 63 lower-case letters, digits and dashes, with no dash at an end',
      );
    return value;
  },
  show: (value) => value,
};

export const bool: ValueType<boolean> = {
  name: 'bool',
  placeholder: 'BOOL',
  parse(value) {
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    throw new BadValue('is neither true nor false: write one of these');
  },
  show: String,
};

export const duration: ValueType<number> = {
  name: 'duration',
  placeholder: 'DURATION',
  parse(value) {
    const milliseconds = parseDuration(value);
    if (milliseconds === undefined)
      throw new BadValue('is not a duration: write a number with a unit, such as 500ms, 30s or 1m30s');
    return milliseconds;
  },
  show: formatDuration,
};

/** Of something that is done again and again: none at all would be a loop that never rests. */
export const wait: ValueType<number> = {
  ...duration,
  parse(value, folder) {
    const milliseconds = duration.parse(value, folder);
    if (milliseconds < 1)
      throw new BadValue('is less than 1ms, and what is waited for would be tried without a rest: write 1ms or more');
    return milliseconds;
  },
};

export const size: ValueType<number> = {
  name: 'size',
  placeholder: 'SIZE',
  parse(value) {
    const bytes = parseSize(value);
    if (bytes === undefined)
      throw new BadValue('is not a size: write whole bytes or a number with a unit, such as 512Ki, 64Mi or 2Gi');
    return bytes;
  },
  show: formatSize,
};

export const address: ValueType<Address> = {
  name: 'address',
  placeholder: 'HOST:PORT',
  parse(value) {
    const parsed = parseAddress(value);
    if (parsed === undefined) {
      throw new BadValue(
        'is not an address: write host:port, such as 127.0.0.1:7443, :8080 for every interface, or [::1]:7443',
      );
    }
    return parsed;
  },
  show: formatAddress,
};

/** A file or folder; relative in a config file means beside that file, elsewhere below the working folder. */
export const path: ValueType<string> = {
  name: 'path',
  placeholder: 'PATH',
  parse(value, folder) {
    if (value === '') throw new BadValue('is not a path: write the name of a file or folder');
    return resolve(folder, value);
  },
  show: (value) => value,
};

/** The name of a file that holds a secret, so that the secret itself stands in no config, environment or process list. */
export const secretFile: ValueType<Secret> = {
  name: 'secret file',
  placeholder: 'FILE',
  secret: true,
  parse(value, folder) {
    const secret = readSecret(resolve(folder, value)).trim();
    if (secret === '') throw new BadValue('names an empty file: write the secret into it');
    return new Secret(secret);
  },
  show: String,
};

/** Its password is never shown, nor is a text that is no URL: it may hold one. */
export const databaseUrl: ValueType<DatabaseUrl> = {
  name: 'database URL',
  placeholder: 'URL',
  secret: true,
  parse(value, folder) {
    try {
      return parseDatabaseUrl(value, folder);
    } catch (error) {
      if (error instanceof BadDatabaseUrl) throw new BadValue(error.message);
      throw error;
    }
  },
  show: showDatabaseUrl,
};

/** Of a service that is called; neither its user and password nor its query, which may hold a token, are ever shown. */
export const webUrl: ValueType<URL> = {
  name: 'URL',
  placeholder: 'URL',
  secret: true,
  parse(value) {
    const url = URL.parse(value);
    if (url === null || !/^https?:$/.test(url.protocol))
      throw new BadValue('is not a URL of a web service: write https://HOST/PATH');
    return url;
  },
  show: ({ origin, pathname }) => `${origin}${pathname}`,
};

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'names a file that does not exist',
      EACCES: 'names a file that this user may not read',
      EISDIR: 'names a folder',
    };
    const why = reasons[(cause as NodeJS.ErrnoException).code ?? ''] ?? 'names a file that cannot be read';
    // Neither the name nor the cause is repeated: a common mistake is to write the secret itself where its file belongs.
    throw new BadValue(`${why}: write the secret into a file, and the name of that file here`);
  }
}

export function int(min: number, max: number = Number.MAX_SAFE_INTEGER): ValueType<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
  return {
    name: `int ${range}`,
    placeholder: 'N',
    parse(value) {
      const number = /^[+-]?\d+$/.test(value) ? Number(value) : NaN;
      if (!(number >= min && number <= max)) throw new BadValue(`is not a whole number ${range}: write such a number`);
      return number;
    },
    show: String,
  };
}

/** How many times as fast, or as much: a number above zero, whole or not. */
export const factor: ValueType<number> = {
  name: 'number above 0',
  placeholder: 'N',
  parse(value) {
    const number = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : NaN;
    if (!(number > 0 && Number.isFinite(number))) throw new BadValue('is not a number above 0: write 10 or 0.5, say');
    return number;
  },
  show: String,
};

/** A Kubernetes quantity above zero, as text: that is how objects carry it. */
export const quantity: ValueType<string> = {
  name: 'quantity',
  placeholder: 'QUANTITY',
  parse(value) {
    if (!/^\d+(?:\.\d+)?(?:[mkMGTPE]|[KMGTPE]i|[eE][+-]?\d{1,2})?$/.test(value) || Number.parseFloat(value) === 0)
      throw new BadValue('is not a quantity above 0: write a number with or without a unit, such as 16, 1500m or 64Gi');
    return value;
  },
  show: (value) => value,
};

export function oneOf<const T extends string>(...choices: readonly T[]): ValueType<T> {
  return {
    name: `one of ${choices.join(', ')}`,
    placeholder: choices.join('|'),
    parse(value) {
      const found = choices.find((choice) => choice === value);
      if (found === undefined) throw new BadValue(`is not allowed: write one of ${choices.join(', ')}`);
      return found;
    },
    show: (value) => value,
  };
}

/** A YAML list in the file, a comma-separated text elsewhere. */
export function list<T>(item: ValueType<T>): ValueType<readonly T[]> {
  return {
    name: `list of ${item.name}`,
    placeholder: `${item.placeholder},…`,
    parse: (value, folder) => splitList(value).map((part) => item.parse(part, folder)),
    parseItems: (items, folder) => items.map((part) => item.parse(part, folder)),
    show: (values) => values.map((value) => item.show(value)).join(','),
  };
}

function splitList(value: string): readonly string[] {
  return value === '' ? [] : value.split(',').map((part) => part.trim());
}
