import type { Case } from '../script.ts';
import { apply } from './apply.ts';
import { discovery } from './discovery.ts';
import { input } from './input.ts';
import { patch } from './patch.ts';
import { storage } from './storage.ts';
import { watch } from './watch.ts';
import { writes } from './writes.ts';

/** Every case, by the name of its golden file. */
export const topics: Readonly<Record<string, readonly Case[]>> = { apply, discovery, input, patch, storage, watch, writes };
