/**
 * The OpenAPI document without a server. It does not depend on where it runs, so it needs neither a database nor a
 * cluster.
 */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { buildApp } from '../../api/app.ts';
import { nothingOffered } from '../../api/catalogs/catalogs/source.ts';
import { noConsoles } from '../../api/console/source.ts';
import { noSupervisor } from '../../api/supervisor/source.ts';
import { openDatabase } from '../../db/connection/database.ts';
import { imageFilter } from '../image-filter.ts';
import { version } from '@ssvirt/base/config/version';

/** `openApiText` returns the text in the form that docs/openapi.json has. */
export async function openApiText(): Promise<string> {
  // Connects with the first statement, and there is none.
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
  const app = await buildApp({
    database,
    settings: {
      siteName: 'ssvirt',
      sessionIdleMs: 0,
      sessionMaxMs: 0,
      accessTokenMs: 0,
      loginFailures: 1,
      defaultCluster: 'local',
      version,
    },
    catalogSource: nothingOffered,
    clusters: { list: () => [], get: () => undefined },
    consoles: noConsoles,
    images: imageFilter({ allowedHosts: [], allowedCidrs: [] }),
    supervisor: noSupervisor,
    log: pino({ level: 'silent' }),
    registry: new Registry(),
  });
  try {
    return `${JSON.stringify(app.swagger(), undefined, 1)}\n`;
  } finally {
    await app.close();
    await database.close();
  }
}
