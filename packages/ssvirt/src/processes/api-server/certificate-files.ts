/**
 * The API's certificate, from two files that another process renews. They are polled, and a new pair is used at once.
 */
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import { ConfigError } from '@ssvirt/base/config/setting';

export interface Files {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export const minVersion = 'TLSv1.2';

/** `readPair` throws a ConfigError: nothing is served without a certificate. */
export async function readPair(files: Files): Promise<Pair> {
  const pair = {
    cert: await read('api.tls.certFile', files.certFile),
    key: await read('api.tls.keyFile', files.keyFile),
  };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new ConfigError([
      `api.tls: "${files.certFile}" and "${files.keyFile}" are not a certificate and its key in PEM: ${reasonOf(error)}`,
    ]);
  }
  return pair;
}

export interface Follow {
  readonly files: Files;
  readonly current: Pair;
  readonly use: (pair: Pair) => void;
  readonly log: Logger;
  readonly everyMs: number;
}

/**
 * Polls the files. File system notifications are not reliable here: mounted Secrets are symbolic links that are
 * swapped, and some mounts send no notifications.
 */
export async function followPair({ files, current, use, log, everyMs }: Follow, signal: AbortSignal): Promise<void> {
  let inUse = current;
  let complaint = '';
  while (!signal.aborted) {
    await sleep(systemClock, everyMs, signal);
    if (signal.aborted) return;
    try {
      const found = await readPair(files);
      complaint = '';
      if (found.cert === inUse.cert && found.key === inUse.key) continue;
      use(found);
      inUse = found;
      log.info({ certFile: files.certFile }, 'certificate reloaded');
    } catch (error) {
      // Between the two writes of a renewal the files do not match.
      const said = reasonOf(error);
      if (said !== complaint) log.warn({ err: error }, 'cannot use the new certificate, keeping the previous one');
      complaint = said;
    }
  }
}

async function read(key: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new ConfigError([`${key}: cannot read "${file}": ${reasonOf(error)}`]);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
