/** Reads the body of a request up to a limit. */
import type { IncomingMessage } from 'node:http';
import { StatusAnswer } from './contracts.ts';

/** Kubernetes' own limit for client requests. */
export const CLIENT_LIMIT = 3 * 1024 * 1024;
/** A review contains two such objects, and their envelope. */
export const REVIEW_LIMIT = 8 * 1024 * 1024;

/** `readLimited` throws a Status of 413 above the limit; the rest is not read. */
export async function readLimited(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit)
      throw new StatusAnswer(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
