/** Reads, decompresses and parses response bodies. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { header, type Headers } from './call.ts';

/** Far more than a page of 500 objects of maximum size; below the limit of a string. */
const maxBytes = 256 * 1024 * 1024;

const unzip = promisify(gunzip);

export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
}

export async function readBody(body: Dispatcher.ResponseData['body'], headers: Headers): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new UnreadableBody(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
  return unpacked(bytes, header(headers, 'content-encoding'));
}

async function unpacked(bytes: Buffer, encoding = 'identity'): Promise<Buffer> {
  if (encoding === 'identity' || bytes.length === 0) return bytes;
  if (encoding !== 'gzip') throw new UnreadableBody(`the answer has the encoding ${encoding}, which was not requested`);
  try {
    return await unzip(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    throw new UnreadableBody('the answer cannot be decompressed', { cause: error });
  }
}

/** The parser's error quotes the text, which may be a Secret: it is not passed on. */
export function parseJson(bytes: Buffer, headers: Headers = {}): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    const type = isJson(headers) ? undefined : header(headers, 'content-type')?.slice(0, 100);
    throw new UnreadableBody(
      `the answer of ${bytes.length} bytes is ${type === undefined ? 'not JSON' : `${type}, not JSON`}`,
    );
  }
}

export function isJson(headers: Headers): boolean {
  return /^application\/([\w.-]+\+)?json\b/i.test(header(headers, 'content-type') ?? '');
}
