/**
 * The store on disk: one append-only file of checked records. A record is handed to the kernel before the write is acknowledged,
 * so a killed process loses nothing; a record that was cut short is found by its checksum and dropped. When the file has
 * grown to several times its live content it is written anew beside the old one and renamed over.
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
import { StartError, systemWords } from '../start-error.ts';
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
  /** The size in bytes from which on the file is written anew when it has doubled. */
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

  /** Reads what is there; a torn tail is cut off when the journal is opened. */
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
    // By what is live and not by the size: otherwise a process that is often restarted would never write it anew.
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
   * Every record ends with its only newline, so a write that was cut short has none. Whatever has one before its end is not
   * torn but damaged, and to go on without it would lose what was acknowledged.
   */
  #refuseDamage(data: Buffer, offset: number): void {
    const newline = data.indexOf(NEWLINE, offset);
    if (newline < 0 || newline === data.length - 1) return;
    throw new StartError(
      `cannot read "${this.#path}": it is damaged at byte ${offset}; put back a good copy, or remove the folder to begin anew`,
    );
  }

  #append(record: Record): void {
    if (this.#fd < 0) throw new Error(`cannot write to "${this.#path}": it is closed`);
    if (this.#size > this.#rewriteAt) this.#tryRewrite();
    const bytes = encode(record);
    try {
      writeAll(this.#fd, bytes, this.#size);
    } catch (cause) {
      // A half-written record would hide every later one: cut it off before anybody appends again.
      ftruncateSync(this.#fd, this.#size);
      throw new Error(`cannot write to "${this.#path}": ${systemWords(cause)}`, { cause });
    }
    this.#size += bytes.length;
  }

  /** A journal that cannot be written anew, for want of space perhaps, still takes records at its end. */
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
    // Last, because the newest revision may belong to an object that is gone.
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
