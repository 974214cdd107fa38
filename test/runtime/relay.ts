/**
 * Forwards the body of one answer to the client until a fault strikes. From a stream it forwards only whole lines, so
 * that a fault can strike between two lines or within one.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { statusBody, type FaultInAnswer } from './fault.ts';
import type { SeenRequest } from './seen-request.ts';

export interface RelayOptions {
  readonly request: SeenRequest;
  readonly stream: boolean;
  readonly answer: IncomingMessage;
  readonly response: ServerResponse;
  /** The connection below TLS; only this one can be reset. */
  readonly socket: Socket | undefined;
  readonly split?: () => number;
}

const newline = 0x0a;

export class Relay {
  readonly request: SeenRequest;
  readonly #options: RelayOptions;
  #rest: Buffer = Buffer.alloc(0);
  #fault: FaultInAnswer | undefined;
  #linesBefore = 0;
  #pieces: Buffer = Buffer.alloc(0);
  #ended = false;
  /** Nothing more is forwarded. */
  #over = false;

  constructor(options: RelayOptions, fault?: FaultInAnswer) {
    this.request = options.request;
    this.#options = options;
    if (fault !== undefined) this.#arm(fault);
  }

  start(): void {
    const { answer, response } = this.#options;
    answer.on('data', (chunk: Buffer) => this.#take(chunk));
    answer.once('end', () => this.#end());
    // The server died in the middle of its answer, and the client must see it that way.
    answer.once('error', () => this.reset());
    response.once('close', () => {
      this.#over = true;
      answer.destroy();
    });
  }

  /** Plays the fault on this answer, at once if it does not depend on a line. */
  strike(fault: FaultInAnswer): void {
    this.#arm(fault);
    if (this.#linesBefore === 0) this.#strikeBetweenLines();
  }

  /** Cuts the connection like a reset by the peer. */
  reset(): void {
    this.#over = true;
    const { socket, response } = this.#options;
    if (socket === undefined) response.destroy();
    else socket.resetAndDestroy();
  }

  #arm(fault: FaultInAnswer): void {
    this.#fault = fault;
    this.#linesBefore = fault.afterLines ?? 0;
  }

  #take(chunk: Buffer): void {
    if (this.#over) return;
    if (this.#options.stream && this.#fault === undefined) return this.#takeWholeLines(chunk);
    this.#rest = Buffer.concat([this.#rest, chunk]);
    if (this.#options.stream) this.#takeLineByLine();
    else if (this.#fault === undefined) this.#flush();
  }

  #takeWholeLines(chunk: Buffer): void {
    const last = chunk.lastIndexOf(newline) + 1;
    if (last === 0) {
      this.#rest = Buffer.concat([this.#rest, chunk]);
      return;
    }
    this.#write(
      this.#rest.length === 0 ? chunk.subarray(0, last) : Buffer.concat([this.#rest, chunk.subarray(0, last)]),
    );
    this.#rest = chunk.subarray(last);
  }

  #takeLineByLine(): void {
    for (;;) {
      if (this.#linesBefore === 0) this.#strikeBetweenLines();
      const end = this.#rest.indexOf(newline) + 1;
      if (this.#over || end === 0) return;
      const line = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(end);
      if (this.#linesBefore === 0 && this.#fault !== undefined) return this.#strikeWithin(line);
      this.#linesBefore = Math.max(0, this.#linesBefore - 1);
      this.#write(line);
    }
  }

  /** Faults that do not depend on a line. */
  #strikeBetweenLines(): void {
    switch (this.#fault?.kind) {
      case 'error-event': {
        const { code, reason } = this.#fault;
        return this.#close(Buffer.from(`{"type":"ERROR","object":${statusBody(code, reason)}}\n`));
      }
      case 'end':
        return this.#close();
      case 'silence-in-stream':
        this.#over = true;
        return undefined;
      default:
        return undefined;
    }
  }

  #strikeWithin(line: Buffer): void {
    const half = line.subarray(0, Math.max(1, Math.floor(line.length / 2)));
    if (this.#fault?.kind === 'truncate') return this.#close(half);
    this.#over = true;
    // The half must have left before the reset, which discards pending data.
    this.#options.response.write(half, () => setTimeout(() => this.reset(), 5));
  }

  #end(): void {
    if (this.#over) return;
    if (!this.#options.stream && this.#fault !== undefined && this.#rest.length > 0) {
      this.#strikeBetweenLines();
      if (!this.#over) this.#strikeWithin(this.#rest);
      return;
    }
    this.#flush();
    this.#ended = true;
    if (this.#pieces.length === 0) this.#options.response.end();
  }

  #close(last?: Buffer): void {
    this.#over = true;
    const { answer, response } = this.#options;
    if (last === undefined) response.end();
    else response.end(last);
    answer.destroy();
  }

  #flush(): void {
    if (this.#rest.length > 0) this.#write(this.#rest);
    this.#rest = Buffer.alloc(0);
  }

  #write(bytes: Buffer): void {
    const { response, answer, split } = this.#options;
    if (split !== undefined) return this.#writeInPieces(bytes, split);
    if (response.write(bytes)) return;
    answer.pause();
    response.once('drain', () => answer.resume());
  }

  /** Sends each piece in an event loop iteration of its own, so that no buffer joins them again. */
  #writeInPieces(bytes: Buffer, random: () => number): void {
    const { answer, response } = this.#options;
    const idle = this.#pieces.length === 0;
    this.#pieces = Buffer.concat([this.#pieces, bytes]);
    if (!idle) return;
    answer.pause();
    const next = (): void => {
      const { length } = this.#pieces;
      if (length === 0) return void (this.#ended ? response.end() : answer.resume());
      const piece = this.#pieces.subarray(0, Math.min(length, 1 + Math.floor(random() * length)));
      response.write(piece, () => {
        this.#pieces = this.#pieces.subarray(piece.length);
        setImmediate(next);
      });
    };
    next();
  }
}
