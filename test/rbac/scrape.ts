/** Reads the metrics of a process as Prometheus does: encrypted, with an untrusted certificate, with a token. */
import { Agent, fetch, type Response } from 'undici';

/** The certificate is not verified; the server is on this host. */
const trusting = new Agent({ connect: { rejectUnauthorized: false } });

export function scrape(port: number, token?: string): Promise<Response> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetch(`https://127.0.0.1:${port}/metrics`, { headers, dispatcher: trusting });
}
