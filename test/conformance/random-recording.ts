/** The recorded answers of a real server to the random scripts, packed: seeds 1 to n in one file. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Transcript } from './transcript.ts';

const file = fileURLToPath(new URL('./golden/random.json.br', import.meta.url));

export const randomSeeds: readonly number[] = Array.from({ length: 500 }, (_, i) => i + 1);

export async function writeRandomRecording(transcripts: readonly Transcript[]): Promise<number> {
  const plain = Buffer.from(JSON.stringify(transcripts));
  const packed = brotliCompressSync(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  });
  await writeFile(file, packed);
  return packed.length;
}

/** In the order of `randomSeeds`. */
export async function readRandomRecording(): Promise<Transcript[]> {
  return JSON.parse(brotliDecompressSync(await readFile(file)).toString()) as Transcript[];
}
