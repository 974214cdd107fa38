/**
 * Argon2id by Node's crypto. The stored text (PHC format) contains the cost parameters, so that the cost can be raised
 * while old hashes stay readable.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';

export interface PasswordCost {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's recommendation for argon2id. */
export const recommendedCost: PasswordCost = { memoryKiB: 19_456, passes: 2, parallelism: 1 };

const saltBytes = 16;
const tagBytes = 32;

interface Stored {
  readonly cost: PasswordCost;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(saltBytes);
  return written({ cost, salt, tag: await derive(password, { cost, salt, tag: Buffer.alloc(tagBytes) }) });
}

/** `hashOfNothing` returns a hash that matches no password; comparing with it takes as long as with any other. */
export function hashOfNothing(cost: PasswordCost): string {
  return written({ cost, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) });
}

/** False also for a text that is not one of our hashes; the duration does not depend on where they differ. */
export async function isPasswordOf(password: string, hash: string): Promise<boolean> {
  const stored = read(hash);
  if (stored === undefined) return false;
  return timingSafeEqual(await derive(password, stored), stored.tag);
}

/** `isOutdated` returns whether the hash was made with a cost other than the current one. */
export function isOutdated(hash: string, { memoryKiB, passes, parallelism }: PasswordCost): boolean {
  const cost = read(hash)?.cost;
  return cost?.memoryKiB !== memoryKiB || cost.passes !== passes || cost.parallelism !== parallelism;
}

function written({ cost: { memoryKiB, passes, parallelism }, salt, tag }: Stored): string {
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${parallelism}$${bare(salt)}$${bare(tag)}`;
}

function read(hash: string): Stored | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  if (match === null) return undefined;
  const [, memoryKiB, passes, parallelism, salt = '', tag = ''] = match;
  return {
    cost: { memoryKiB: Number(memoryKiB), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function derive(password: string, { cost, salt, tag }: Stored): Promise<Buffer> {
  const parameters = {
    // The same letters typed on another system may arrive as other code points.
    message: password.normalize('NFC'),
    nonce: salt,
    memory: cost.memoryKiB,
    passes: cost.passes,
    parallelism: cost.parallelism,
    tagLength: tag.length,
  };
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

/** PHC's base64 has no padding. */
function bare(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
