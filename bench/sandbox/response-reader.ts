/**
 * `ResponseReader` parses HTTP/1.1 answers from a stream of bytes. Node's own client needs so much processor time per
 * request that it would blur the servers' share on a host where both use the same two cores. This one does only what
 * the bench needs (a length or chunks, no trailers, no continuation lines).
 */
export interface ResponseHandler {
  head(status: number): void;
  body(part: Buffer): void;
  end(): void;
}

type State = 'head' | 'fixed' | 'size' | 'chunk' | 'chunk-end' | 'last';

const EMPTY = Buffer.alloc(0);

export class ResponseReader {
  readonly #handler: ResponseHandler;
  #state: State = 'head';
  #left = 0;
  #kept: Buffer = EMPTY;

  constructor(handler: ResponseHandler) {
    this.#handler = handler;
  }

  push(bytes: Buffer): void {
    let data = this.#kept.length === 0 ? bytes : Buffer.concat([this.#kept, bytes]);
    this.#kept = EMPTY;
    while (data.length > 0) {
      const used = this.#step(data);
      if (used === 0) break;
      data = data.subarray(used);
    }
    this.#kept = data;
  }

  /** Returns how many bytes were consumed; 0 means that more are needed. */
  #step(data: Buffer): number {
    switch (this.#state) {
      case 'head':
        return this.#head(data);
      case 'fixed':
      case 'chunk':
        return this.#content(data);
      case 'size':
        return this.#size(data);
      case 'chunk-end':
        return this.#line(data, 'size');
      case 'last':
        return this.#lastLine(data);
    }
  }

  #head(data: Buffer): number {
    const end = data.indexOf('\r\n\r\n');
    if (end < 0) return 0;
    const text = data.toString('latin1', 0, end);
    this.#handler.head(Number(text.slice(9, 12)));
    if (/\r\ntransfer-encoding: *chunked/i.test(text)) this.#state = 'size';
    else {
      this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0);
      this.#state = 'fixed';
      if (this.#left === 0) this.#finish();
    }
    return end + 4;
  }

  #content(data: Buffer): number {
    const part = data.length <= this.#left ? data : data.subarray(0, this.#left);
    this.#left -= part.length;
    this.#handler.body(part);
    if (this.#left === 0) {
      if (this.#state === 'chunk') this.#state = 'chunk-end';
      else this.#finish();
    }
    return part.length;
  }

  #size(data: Buffer): number {
    const end = data.indexOf('\r\n');
    if (end < 0) return 0;
    this.#left = Number.parseInt(data.toString('latin1', 0, end), 16);
    this.#state = this.#left === 0 ? 'last' : 'chunk';
    return end + 2;
  }

  #line(data: Buffer, next: State): number {
    if (data.length < 2) return 0;
    this.#state = next;
    return 2;
  }

  #lastLine(data: Buffer): number {
    const used = this.#line(data, 'head');
    if (used > 0) this.#finish();
    return used;
  }

  #finish(): void {
    this.#state = 'head';
    this.#handler.end();
  }
}
