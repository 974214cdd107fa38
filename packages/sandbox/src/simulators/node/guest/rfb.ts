/**
 * The server side of RFB 3.8 (RFC 6143) without a password: sends the whole picture in raw encoding whenever it has
 * changed.
 */

export interface PixelFormat {
  readonly bytes: 1 | 2 | 4;
  readonly bigEndian: boolean;
  /** Red, green and blue: the largest value, and the shift. */
  readonly max: readonly [number, number, number];
  readonly shift: readonly [number, number, number];
}

const plain: PixelFormat = { bytes: 4, bigEndian: false, max: [255, 255, 255], shift: [16, 8, 0] };

export interface RfbOptions {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Three bytes per pixel. */
  picture(): Uint8Array;
  /** A pressed key, as an X11 keysym. */
  key(symbol: number): void;
  send(bytes: Buffer): void;
  /** The client violates the protocol. */
  fail(reason: string): void;
}

type State = 'version' | 'security' | 'init' | 'messages' | 'failed';

/** The fixed length of each message type that the client may send. */
const lengths: Readonly<Record<number, number>> = { 0: 20, 2: 4, 3: 10, 4: 8, 5: 6, 6: 8 };
const LONGEST_TEXT = 1 << 20;

export class Rfb {
  readonly #options: RfbOptions;
  #state: State = 'version';
  #minor = 8;
  #waiting: Buffer = Buffer.alloc(0);
  #format = plain;
  /** The client has requested an update that is not answered yet. */
  #asked = false;
  #shown = false;
  #isReceiving = false;
  /** Remaining bytes of a text message to skip. */
  #skip = 0;

  constructor(options: RfbOptions) {
    this.#options = options;
    options.send(Buffer.from('RFB 003.008\n', 'latin1'));
  }

  receive(bytes: Buffer): void {
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
    this.#isReceiving = true;
    while (this.#step()) {
      // Processes one message after the other.
    }
    this.#isReceiving = false;
    this.#show();
  }

  /** The picture has changed: a pending update request is answered. */
  changed(): void {
    this.#shown = false;
    this.#show();
  }

  /** Several requests that arrive at once are answered with one picture. */
  #show(): void {
    if (this.#asked && !this.#shown && !this.#isReceiving) this.#update();
  }

  #step(): boolean {
    if (this.#skip > 0) {
      this.#skip -= this.#take(Math.min(this.#skip, this.#waiting.length))?.length ?? 0;
      return this.#skip === 0;
    }
    switch (this.#state) {
      case 'version':
        return this.#version();
      case 'security':
        return this.#security();
      case 'init':
        return this.#init();
      case 'messages':
        return this.#message();
      case 'failed':
        return false;
    }
  }

  #take(count: number): Buffer | undefined {
    if (this.#waiting.length < count) return undefined;
    const taken = this.#waiting.subarray(0, count);
    this.#waiting = this.#waiting.subarray(count);
    return taken;
  }

  #fail(reason: string): boolean {
    this.#state = 'failed';
    this.#waiting = Buffer.alloc(0);
    this.#options.fail(reason);
    return false;
  }

  #version(): boolean {
    const taken = this.#take(12);
    if (taken === undefined) return false;
    const match = /^RFB 003\.(\d{3})\n$/.exec(taken.toString('latin1'));
    if (match === null) return this.#fail('no RFB version');
    this.#minor = Number(match[1]);
    if (this.#minor < 7) {
      // Before version 3.7, the server chooses the security type.
      this.#options.send(Buffer.from([0, 0, 0, 1]));
      this.#state = 'init';
    } else {
      this.#options.send(Buffer.from([1, 1]));
      this.#state = 'security';
    }
    return true;
  }

  #security(): boolean {
    const taken = this.#take(1);
    if (taken === undefined) return false;
    if (taken[0] !== 1) return this.#fail('a security type that was not offered');
    if (this.#minor >= 8) this.#options.send(Buffer.from([0, 0, 0, 0]));
    this.#state = 'init';
    return true;
  }

  #init(): boolean {
    if (this.#take(1) === undefined) return false;
    const { width, height, name } = this.#options;
    const text = Buffer.from(name, 'utf8');
    const answer = Buffer.alloc(24 + text.length);
    answer.writeUInt16BE(width, 0);
    answer.writeUInt16BE(height, 2);
    answer.set([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0], 4);
    answer.writeUInt32BE(text.length, 20);
    answer.set(text, 24);
    this.#options.send(answer);
    this.#state = 'messages';
    return true;
  }

  #message(): boolean {
    const type = this.#waiting[0];
    if (type === undefined) return false;
    const length = lengths[type];
    if (length === undefined) return this.#fail(`message type ${type}`);
    if (this.#waiting.length < length) return false;
    if (type === 2) return this.#encodings();
    const message = this.#take(length) as Buffer;
    if (type === 0) return this.#setFormat(message);
    if (type === 3) this.#request(message[1] === 1);
    if (type === 4 && message[1] === 1) this.#options.key(message.readUInt32BE(4));
    if (type === 6) {
      this.#skip = message.readUInt32BE(4);
      if (this.#skip > LONGEST_TEXT) return this.#fail('a text that is too long');
    }
    return true;
  }

  /** Every client must support raw encoding, so its other encodings are ignored. */
  #encodings(): boolean {
    const count = this.#waiting.readUInt16BE(2);
    return this.#take(4 + 4 * count) !== undefined;
  }

  #setFormat(message: Buffer): boolean {
    const bits = message[4];
    if (bits !== 8 && bits !== 16 && bits !== 32) return this.#fail(`${bits} bits a dot`);
    if (message[7] === 0) return this.#fail('colour maps');
    this.#format = {
      bytes: (bits / 8) as 1 | 2 | 4,
      bigEndian: message[6] !== 0,
      max: [message.readUInt16BE(8), message.readUInt16BE(10), message.readUInt16BE(12)],
      shift: [message[14] ?? 0, message[15] ?? 0, message[16] ?? 0],
    };
    this.#shown = false;
    return true;
  }

  #request(incremental: boolean): void {
    this.#asked = true;
    if (!incremental) this.#shown = false;
  }

  #update(): void {
    const { width, height } = this.#options;
    this.#asked = false;
    this.#shown = true;
    const header = Buffer.alloc(16);
    header.writeUInt16BE(1, 2);
    header.writeUInt16BE(width, 8);
    header.writeUInt16BE(height, 10);
    this.#options.send(Buffer.concat([header, encode(this.#options.picture(), this.#format)]));
  }
}

export function encode(pixels: Uint8Array, format: PixelFormat): Buffer {
  const { bytes, bigEndian, max, shift } = format;
  const count = pixels.length / 3;
  const out = Buffer.alloc(count * bytes);
  for (let place = 0; place < count; place++) {
    let value = 0;
    for (let colour = 0; colour < 3; colour++) {
      const level = Math.round(((pixels[place * 3 + colour] ?? 0) * (max[colour] ?? 0)) / 255);
      value = (value | (level << (shift[colour] ?? 0))) >>> 0;
    }
    if (bigEndian) out.writeUIntBE(bytes === 4 ? value : value & (2 ** (bytes * 8) - 1), place * bytes, bytes);
    else out.writeUIntLE(bytes === 4 ? value : value & (2 ** (bytes * 8) - 1), place * bytes, bytes);
  }
  return out;
}
