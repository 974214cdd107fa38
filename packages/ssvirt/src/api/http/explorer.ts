/** The explorer page of the API at /docs: Swagger UI with our name, and with a log-in. */
import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const explorerPath = '/docs';

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><text x="0" y="28" font-family="sans-serif" font-size="26" font-weight="bold" fill="#fff">ssvirt</text></svg>';

export function explorer(): FastifySwaggerUiOptions {
  const filename = 'explorer-log-in.js';
  const content = readFileSync(resolve(import.meta.dirname, 'browser', filename), 'utf8');
  return {
    routePrefix: explorerPath,
    staticCSP: true,
    theme: { title: 'ssvirt API', js: [{ filename, content }] },
    logo: { type: 'image/svg+xml', content: logo, href: explorerPath, target: '_self' },
    // Otherwise the page sends our URL to a validation service on the internet.
    uiConfig: { validatorUrl: null, persistAuthorization: false, docExpansion: 'none' },
  };
}
