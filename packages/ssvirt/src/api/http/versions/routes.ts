/**
 * The first request of clients: the supported versions of the API and the log-in URLs. XML by default, JSON on request.
 */
import { Type } from 'typebox';
import type { ApiDeps } from '../../deps.ts';
import { apiVersions } from '../api-version.ts';
import { operation, type ApiApp } from '../app-types.ts';
import { baseUrl } from '../base-url.ts';
import { escapeXml } from '../error-answer.ts';

export function versionRoutes(app: ApiApp, { settings }: ApiDeps): void {
  app.get(
    '/api/versions',
    {
      config: operation('versions.list'),
      schema: {
        operationId: 'listApiVersions',
        tags: ['versions'],
        summary: 'List the versions of the API, in XML or in JSON',
        security: [],
        headers: Type.Object({ accept: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const base = baseUrl(request, settings);
      const { accept = '' } = request.headers;
      if (/\bjson\b/i.test(accept)) return reply.type('application/json; charset=utf-8').send(inJson(base));
      return reply.type('application/xml; charset=utf-8').send(inXml(base));
    },
  );
}

function inXml(base: string): string {
  const versions = apiVersions.map(
    (version) =>
      `  <VersionInfo deprecated="false">\n    <Version>${version}</Version>\n    <LoginUrl>${escapeXml(loginUrl(base))}</LoginUrl>\n    <ProviderLoginUrl>${escapeXml(providerLoginUrl(base))}</ProviderLoginUrl>\n  </VersionInfo>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<SupportedVersions xmlns="http://www.vmware.com/vcloud/versions">\n${versions.join('\n')}\n</SupportedVersions>\n`;
}

/** With the empty members that a client's generated types require. */
function inJson(base: string): unknown {
  const versionInfo = apiVersions.map((version) => ({
    version,
    loginUrl: loginUrl(base),
    providerLoginUrl: providerLoginUrl(base),
    mediaTypeMapping: [],
    any: [],
    deprecated: false,
    otherAttributes: {},
  }));
  return { versionInfo, any: [], otherAttributes: {} };
}

function loginUrl(base: string): string {
  return `${base}/cloudapi/1.0.0/sessions`;
}

function providerLoginUrl(base: string): string {
  return `${base}/cloudapi/1.0.0/sessions/provider`;
}
