/** Mistakes that are planted to see that tests notice. */
import type { ApiDefect } from '../defect.ts';
import { accessDefects } from './access.ts';
import { catalogDefects } from './catalogs.ts';
import { claimDefects } from './claims.ts';
import { httpDefects } from './http.ts';
import { listDefects } from './lists.ts';
import { scopeDefects } from './scopes.ts';
import { sessionDefects } from './sessions.ts';
import { tenancyDefects } from './tenancy.ts';
import { tokenDefects } from './tokens.ts';
import { userDefects } from './users.ts';
import { vdcDefects } from './vdcs.ts';

export const defects: readonly ApiDefect[] = [
  ...accessDefects,
  ...scopeDefects,
  ...sessionDefects,
  ...tokenDefects,
  ...userDefects,
  ...httpDefects,
  ...listDefects,
  ...vdcDefects,
  ...claimDefects,
  ...tenancyDefects,
  ...catalogDefects,
];
