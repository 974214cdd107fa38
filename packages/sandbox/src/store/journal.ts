/**
 * The store on disk: one append-only file of records with checksums. A record is passed to the kernel before the write
 * is acknowledged, so a killed process loses nothing; a truncated record is detected by its checksum and dropped. When
 * the file has grown to several times its live content, it is rewritten to a new file that replaces the old one by
 * renaming.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { StartError, systemWords } from '../cli/start-error.ts';
import type { Entry } from './entry.ts';

type Record =
  | { op: 'revision'; revision: number }
  | { op: 'put'; table: string; entry: Entry }
  | { op: 'remove'; table: string; key: string; revision: number };

export interface JournalReader {
  revision(revision: number): void;
  put(table: string, entry: Entry): void;
  remove(table: string, key: string): void;
}

const HEADER = 16; // eight hex digits of length, eight of checksum
const NEWLINE = 0x0a;
const REWRITE_ABOVE = 64 * 1024 * 1024;

export interface JournalOptions {
  /** The file is rewritten when it is larger than this (in bytes) and has doubled. */
  readonly rewriteAbove?: number;
}

export class Journal {
  readonly #path: string;
  readonly #rewriteAbove: number;
  #fd = -1;
  #size = 0;
  #rewriteAt: number;
  #dump: () => Iterable<{ table: string; entry: Entry }> = () => [];
  #revision = 0;

  constructor(directory: string, options: JournalOptions = {}) {
    this.#rewriteAbove = options.rewriteAbove ?? REWRITE_ABOVE;
    this.#rewriteAt = this.#rewriteAbove;
    this.#path = join(directory, 'journal');
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw new StartError(`cannot use the data folder "${directory}": ${systemWords(cause)}`, { cause });
    }
  }

  /** Reads the existing records; a truncated tail is cut off when the journal is opened. */
  replay(reader: JournalReader): void {
    const data = this.#read();
    if (data === undefined) return;
    let offset = 0;
    for (let record = readRecord(data, offset); record !== undefined; record = readRecord(data, offset)) {
      offset = record.end;
      this.#apply(record.value, reader);
    }
    this.#refuseDamage(data, offset);
    this.#size = offset;
    if (this.#revision > 0) reader.revision(this.#revision);
  }

  open(dump: () => Iterable<{ table: string; entry: Entry }>): void {
    this.#dump = dump;
    try {
      this.#fd = openSync(this.#path, existsSync(this.#path) ? 'r+' : 'w+', 0o600);
      ftruncateSync(this.#fd, this.#size);
      rmSync(`${this.#path}.new`, { force: true });
    } catch (cause) {
      throw new StartError(`cannot write to "${this.#path}": ${systemWords(cause)}`, { cause });
    }
    // The threshold follows the live content, not the file size. Otherwise a process that restarts often would never
    // rewrite the file.
    this.#rewriteAt = Math.max(this.#rewriteAbove, this.#liveSize() * 2);
  }

  revision(revision: number): void {
    this.#append({ op: 'revision', revision });
    this.#revision = revision;
  }

  put(table: string, entry: Entry): void {
    this.#append({ op: 'put', table, entry });
    this.#revision = entry.revision;
  }

  remove(table: string, key: string, revision: number): void {
    this.#append({ op: 'remove', table, key, revision });
    this.#revision = revision;
  }

  close(): void {
    if (this.#fd < 0) return;
    fsyncSync(this.#fd);
    closeSync(this.#fd);
    this.#fd = -1;
  }

  #apply(record: Record, reader: JournalReader): void {
    switch (record.op) {
      case 'revision':
        this.#revision = record.revision;
        return;
      case 'put':
        this.#revision = Math.max(this.#revision, record.entry.revision);
        reader.put(record.table, record.entry);
        return;
      case 'remove':
        this.#revision = Math.max(this.#revision, record.revision);
        reader.remove(record.table, record.key);
    }
  }

  #read(): Buffer | undefined {
    try {
      return existsSync(this.#path) ? readFileSync(this.#path) : undefined;
    } catch (cause) {
      throw new StartError(`cannot read "${this.#path}": ${systemWords(cause)}`, { cause });
    }
  }

  /**
   * Every record ends with its only newline, so a truncated write has none. A record with a newline before its end is
   * damaged, and skipping it would lose acknowledged writes.
   */
  #refuseDamage(data: Buffer, offset: number): void {
    const newline = data.indexOf(NEWLINE, offset);
    if (newline < 0 || newline === data.length - 1) return;
    throw new StartError(
      `cannot read "${this.#path}": it is damaged at byte ${offset}; restore a good copy, or delete the folder to start over`,
    );
  }

  #append(record: Record): void {
    if (this.#fd < 0) throw new Error(`cannot write to "${this.#path}": it is closed`);
    if (this.#size > this.#rewriteAt) this.#tryRewrite();
    const bytes = encode(record);
    try {
      writeAll(this.#fd, bytes, this.#size);
    } catch (cause) {
      // A partial record would hide all later ones, so it is cut off before the next append.
      ftruncateSync(this.#fd, this.#size);
      throw new Error(`cannot write to "${this.#path}": ${systemWords(cause)}`, { cause });
    }
    this.#size += bytes.length;
  }

  /** When rewriting fails (for example, for lack of space), records can still be appended. */
  #tryRewrite(): void {
    const path = `${this.#path}.new`;
    let fd = -1;
    try {
      fd = openSync(path, 'w', 0o600);
      const size = this.#writeAnew(fd);
      renameSync(path, this.#path);
      closeSync(this.#fd);
      this.#fd = fd;
      this.#size = size;
    } catch {
      if (fd >= 0) closeSync(fd);
      rmSync(path, { force: true });
    }
    this.#rewriteAt = Math.max(this.#rewriteAbove, this.#size * 2);
  }

  #liveSize(): number {
    let size = 0;
    for (const { entry } of this.#dump()) size += entry.json.length;
    return size;
  }

  #writeAnew(fd: number): number {
    let size = 0;
    const write = (record: Record): void => {
      const bytes = encode(record);
      writeAll(fd, bytes, size);
      size += bytes.length;
    };
    for (const { table, entry } of this.#dump()) write({ op: 'put', table, entry });
    // Written last, because the newest revision may belong to a deleted object.
    write({ op: 'revision', revision: this.#revision });
    fsyncSync(fd);
    return size;
  }
}

function encode(record: Record): Buffer {
  const body = Buffer.from(`${JSON.stringify(record)}\n`);
  const header = body.length.toString(16).padStart(8, '0') + crc32(body).toString(16).padStart(8, '0');
  return Buffer.concat([Buffer.from(header, 'latin1'), body]);
}

function readRecord(data: Buffer, offset: number): { value: Record; end: number } | undefined {
  if (offset + HEADER > data.length) return undefined;
  const length = Number.parseInt(data.toString('latin1', offset, offset + 8), 16);
  const sum = Number.parseInt(data.toString('latin1', offset + 8, offset + HEADER), 16);
  const end = offset + HEADER + length;
  if (!(end <= data.length)) return undefined;
  const body = data.subarray(offset + HEADER, end);
  if (crc32(body) !== sum) return undefined;
  return { value: JSON.parse(body.toString('utf8')) as Record, end };
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done, position + done);
}
