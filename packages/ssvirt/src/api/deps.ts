/** The dependencies of the API. None is created here, so that tests and processes can combine them. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { UrlFilter } from '@ssvirt/base/net/url-filter';
import type { Database } from '../db/connection/database.ts';
import type { CatalogSource } from './catalogs/catalogs/source.ts';
import type { ClusterDirectory } from './clusters/directory.ts';
import type { ConsoleSource } from './console/source.ts';
import type { ApiSettings } from './settings.ts';
import type { SupervisorSource } from './supervisor/source.ts';
import type { TaskWaiter } from './tasks/waiter.ts';

export interface ApiDeps {
  readonly database: Pick<Database, 'db' | 'pool' | 'client'>;
  readonly settings: ApiSettings;
  /** Templates and images of the clusters. */
  readonly catalogSource: CatalogSource;
  /** The fleet, as far as the API shows it. */
  readonly clusters: ClusterDirectory;
  /** Consoles of VMs. */
  readonly consoles: ConsoleSource;
  /** Where images of disks may be imported from. */
  readonly images: UrlFilter;
  /** Machines and orders. */
  readonly supervisor: SupervisorSource;
  readonly log: Logger;
  readonly registry: Registry;
  /** What the server is waiting for before it can answer requests; undefined when it is ready. */
  readonly waitsFor?: () => string | undefined;
}

/** What resources get: the dependencies, and what the app creates for all resources. */
export interface ApiContext extends ApiDeps {
  readonly tasks: TaskWaiter;
}
