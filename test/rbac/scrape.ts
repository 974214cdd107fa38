/** Reads the metrics of a process as Prometheus does: encrypted, by a certificate that nobody vouches for, with a token. */
import { Agent, fetch, type Response } from 'undici';

/** Nobody asks who vouches for the certificate; it is this machine. */
const trusting = new Agent({ connect: { rejectUnauthorized: false } });

export function scrape(port: number, token?: string): Promise<Response> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetch(`https://127.0.0.1:${port}/metrics`, { headers, dispatcher: trusting });
}
