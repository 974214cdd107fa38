import type { Case } from '../script.ts';
import { discovery } from './discovery.ts';
import { input } from './input.ts';
import { storage } from './storage.ts';
import { watch } from './watch.ts';
import { writes } from './writes.ts';

/** Every case, by the name of its golden file. */
export const topics: Readonly<Record<string, readonly Case[]>> = { discovery, input, storage, watch, writes };
