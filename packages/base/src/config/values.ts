/**
 * The types of config values: how each is parsed from text. The file, the environment and the flags all give text, so a
 * value means the same in each of them.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { formatAddress, parseAddress, type Address } from './address.ts';
import {
  BadDatabaseUrl,
  isLocalDatabase,
  parseDatabaseUrl,
  showDatabaseUrl,
  type DatabaseUrl,
} from './database-url.ts';
import { quantity as parseQuantity } from '../values/quantity.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { Secret } from './secret.ts';
import { formatSize, parseSize } from './size.ts';

/**
 * `BadValue` says what is wrong with a value, as the rest of the sentence `"x" …`, such as `is not a duration: write
 * 30s or 1m30s`.
 */
export class BadValue extends Error {
  override readonly name = 'BadValue';
}

export interface ValueType<T> {
  /** The name of the type in documentation, such as `duration`. */
  readonly name: string;
  /** The placeholder for the value in help texts, such as `HOST:PORT`. */
  readonly placeholder: string;
  /** The value must not be shown, not even in an error about it. */
  readonly secret?: boolean;
  /** Why the value must not be given as a flag, as the rest of a sentence like that of BadValue; undefined if it may. */
  refusedAsFlag?(value: T): string | undefined;
  /** Parses the text; throws BadValue. A relative path is relative to `folder`. */
  parse(text: string, folder: string): T;
  /**
   * Parses a list from the file item by item, so that an item may contain a comma. Absent if the value is not a list.
   */
  parseItems?(items: readonly string[], folder: string): T;
  /** The text to show to a person; never a secret. */
  show(value: T): string;
}

export const text: ValueType<string> = {
  name: 'string',
  placeholder: 'TEXT',
  parse: (value) => value,
  show: (value) => value,
};

/** `label` is a DNS label: valid as one part of a Kubernetes name and as a folder name in every file system. */
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
    throw new BadValue('is neither true nor false: write true or false');
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

/** `wait` is the interval of a repeated action. Zero is refused, because it would be a busy loop. */
export const wait: ValueType<number> = {
  ...duration,
  parse(value, folder) {
    const milliseconds = duration.parse(value, folder);
    if (milliseconds < 1) throw new BadValue('is less than 1ms, which would retry without a pause: write 1ms or more');
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

/**
 * A file or folder. A relative path is relative to the config file if written there, otherwise to the working folder.
 */
export const path: ValueType<string> = {
  name: 'path',
  placeholder: 'PATH',
  parse(value, folder) {
    if (value === '') throw new BadValue('is not a path: write the name of a file or folder');
    return resolve(folder, value);
  },
  show: (value) => value,
};

/**
 * The name of a file that holds a secret, so that the secret itself is not in a config file, the environment or the
 * process list.
 */
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

/** The password is never shown, and neither is a text that is not a URL, because it may hold one. */
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
  refusedAsFlag: (value) =>
    isLocalDatabase(value)
      ? undefined
      : 'is visible to every user of this machine in the process list: write it to the config file, or set SSVIRT_DATABASE_URL',
  show: showDatabaseUrl,
};

/** `webUrl` is the URL of a remote service. The user, the password and the query, which may hold a token, are never shown. */
export const webUrl: ValueType<URL> = {
  name: 'URL',
  placeholder: 'URL',
  secret: true,
  parse(value) {
    const url = URL.parse(value);
    if (url === null || !/^https?:$/.test(url.protocol))
      throw new BadValue('is not an HTTP URL: write https://HOST/PATH');
    return url;
  },
  show: ({ origin, pathname }) => `${origin}${pathname}`,
};

/** A host name, `*.DOMAIN` for all names below a domain, or `*` for all hosts. */
export const hostPattern: ValueType<string> = {
  name: 'host',
  placeholder: 'HOST',
  parse(value) {
    if (!/^(?:\*|(?:\*\.)?[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9])?|[0-9a-f:.]*:[0-9a-f:.]*)$/i.test(value))
      throw new BadValue(
        'is not a host: write its name without a scheme and a port, such as images.example.org, *.example.org for all names below it, or * for all hosts',
      );
    return value.toLowerCase();
  },
  show: (value) => value,
};

/** `cidr` is a network in CIDR notation. */
export const cidr: ValueType<string> = {
  name: 'CIDR',
  placeholder: 'CIDR',
  parse(value) {
    const [address = '', prefix = '', ...more] = value.split('/');
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    if (more.length > 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits)
      throw new BadValue('is not a network: write an address and the length of its prefix, such as 10.1.0.0/16');
    return value.toLowerCase();
  },
  show: (value) => value,
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
    // Neither the name nor the cause is repeated: a common mistake is to write the secret itself instead of its file
    // name.
    throw new BadValue(`${why}: write the secret to a file, and give the name of that file here`);
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

/** `factor` is a positive factor, not necessarily an integer. */
export const factor: ValueType<number> = {
  name: 'number above 0',
  placeholder: 'N',
  parse(value) {
    const number = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : NaN;
    if (!(number > 0 && Number.isFinite(number)))
      throw new BadValue('is not a number above 0: write a number such as 10 or 0.5');
    return number;
  },
  show: String,
};

/** `quantity` is a positive Kubernetes quantity, kept as text, as objects have it. */
export const quantity: ValueType<string> = {
  name: 'quantity',
  placeholder: 'QUANTITY',
  parse(value) {
    if (!((parseQuantity(value) ?? 0) > 0))
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
