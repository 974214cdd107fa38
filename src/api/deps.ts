/** What the API is given: nothing in it is made here, so that tests and processes put it together as they need it. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from '../db/database.ts';
import type { CatalogSource } from './catalogs/source.ts';
import type { ClusterDirectory } from './clusters/directory.ts';
import type { ConsoleSource } from './console/source.ts';
import type { ApiSettings } from './settings.ts';
import type { TaskWaiter } from './tasks/waiter.ts';

export interface ApiDeps {
  readonly database: Pick<Database, 'db' | 'pool' | 'client'>;
  readonly settings: ApiSettings;
  /** Templates and images of the clusters. */
  readonly catalogSource: CatalogSource;
  /** The fleet, as far as the API shows it. */
  readonly clusters: ClusterDirectory;
  /** Consoles of machines. */
  readonly consoles: ConsoleSource;
  readonly log: Logger;
  readonly registry: Registry;
  /** What is not there yet without which nothing can be answered; undefined when all is. */
  readonly waitsFor?: () => string | undefined;
}

/** What the resources are given: that, and what the app makes for all of them. */
export interface ApiContext extends ApiDeps {
  readonly tasks: TaskWaiter;
}
