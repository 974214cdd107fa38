/** All migrations by name, in numeric order. A released migration is never changed; a new one follows it. */
import type { Migration } from 'kysely/migration';
import * as tenants from './0001-tenants.ts';
import * as machines from './0002-machines.ts';
import * as operations from './0003-operations.ts';
import * as changeLogTriggers from './0004-change-log-triggers.ts';
import * as apiServer from './0005-api-server.ts';
import * as lists from './0006-lists.ts';
import * as machineWork from './0007-machine-work.ts';
import * as machineLists from './0008-machine-lists.ts';
import * as repeatedCreations from './0009-repeated-creations.ts';
import * as statusCurrency from './0010-status-currency.ts';
import * as vmOwners from './0011-vm-owners.ts';
import * as knownLogIns from './0012-known-log-ins.ts';
import * as vmTroubles from './0013-vm-troubles.ts';
import * as clusterDetails from './0014-cluster-details.ts';
import * as vmListKeys from './0015-vm-list-keys.ts';

export const migrations: Readonly<Record<string, Migration>> = {
  '0001-tenants': tenants,
  '0002-machines': machines,
  '0003-operations': operations,
  '0004-change-log-triggers': changeLogTriggers,
  '0005-api-server': apiServer,
  '0006-lists': lists,
  '0007-machine-work': machineWork,
  '0008-machine-lists': machineLists,
  '0009-repeated-creations': repeatedCreations,
  '0010-status-currency': statusCurrency,
  '0011-vm-owners': vmOwners,
  '0012-known-log-ins': knownLogIns,
  '0013-vm-troubles': vmTroubles,
  '0014-cluster-details': clusterDetails,
  '0015-vm-list-keys': vmListKeys,
};
