import type { Case } from '../script.ts';
import { apply } from './apply.ts';
import { auth } from './auth.ts';
import { builtin } from './builtin.ts';
import { collection } from './collection.ts';
import { crds } from './crds.ts';
import { discovery } from './discovery.ts';
import { extension } from './extension.ts';
import { input } from './input.ts';
import { negotiation } from './negotiation.ts';
import { patch } from './patch.ts';
import { quotas } from './quota.ts';
import { storage } from './storage.ts';
import { watch } from './watch.ts';
import { writes } from './writes.ts';

/** Every case, by the name of its golden file. */
export const topics: Readonly<Record<string, readonly Case[]>> = {
  apply,
  auth,
  builtin,
  collection,
  crds,
  discovery,
  extension,
  input,
  negotiation,
  patch,
  quotas,
  storage,
  watch,
  writes,
};
