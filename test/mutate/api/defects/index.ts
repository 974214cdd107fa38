/** Mistakes that are planted to see that tests notice. */
import type { ApiDefect } from '../defect.ts';
import { accessDefects } from './access.ts';
import { catalogDefects } from './catalogs.ts';
import { claimDefects } from './claims.ts';
import { consoleDefects } from './consoles.ts';
import { eventDefects } from './events.ts';
import { httpDefects } from './http.ts';
import { instantiationDefects } from './instantiation.ts';
import { listDefects } from './lists.ts';
import { machineDefects } from './machines.ts';
import { machineWorkDefects } from './machine-work.ts';
import { scopeDefects } from './scopes.ts';
import { sessionDefects } from './sessions.ts';
import { tenancyDefects } from './tenancy.ts';
import { tokenDefects } from './tokens.ts';
import { userDefects } from './users.ts';
import { vappWorkDefects } from './vapp-work.ts';
import { vappDefects } from './vapps.ts';
import { vdcDefects } from './vdcs.ts';
import { vmDefects } from './vms.ts';

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
  ...machineDefects,
  ...vmDefects,
  ...vappDefects,
  ...instantiationDefects,
  ...machineWorkDefects,
  ...vappWorkDefects,
  ...eventDefects,
  ...consoleDefects,
];
