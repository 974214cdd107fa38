/** The recorded answers of a real server, one file for each topic. */
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compactJson } from './compact.ts';
import type { Transcript } from './transcript.ts';

const folder = fileURLToPath(new URL('./golden/', import.meta.url));

export type Golden = Record<string, Transcript>;

export async function readGolden(topic: string): Promise<Golden> {
  try {
    return JSON.parse(await readFile(`${folder}${topic}.json`, 'utf8')) as Golden;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

export async function writeGolden(topic: string, golden: Golden): Promise<void> {
  await writeFile(`${folder}${topic}.json`, `${compactJson(golden)}\n`);
}

/** Removes the files of topics that are gone. */
export async function pruneGolden(topics: readonly string[]): Promise<void> {
  for (const file of await readdir(folder)) {
    if (file.endsWith('.json') && !topics.includes(file.slice(0, -5))) await rm(folder + file);
  }
}
