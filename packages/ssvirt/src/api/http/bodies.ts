/**
 * Request bodies: JSON under the media types of VCD's clients, forms for OAuth. An empty body counts as none, whatever
 * its type.
 */
import type { FastifyRequest } from 'fastify';
import type { ApiApp } from './app-types.ts';

const form = 'application/x-www-form-urlencoded';

/** `maxBodyBytes` is the limit of routes that set none. */
export const maxBodyBytes = 1024 * 1024;

type Done = (error: Error | null, body?: unknown) => void;

export function addBodyParsers(app: ApiApp): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const json = (request: FastifyRequest, body: string, done: Done): void => {
    if (body.trim() === '') done(null);
    else void parse(request, body, done);
  };
  app.addContentTypeParser(/^application\/(?:[\w.*+-]+\+)?json\s*(?:;|$)/i, { parseAs: 'string' }, json);
  app.addContentTypeParser(
    form,
    { parseAs: 'string' },
    ({ routeOptions }: FastifyRequest, body: string, done: Done) => {
      // A form is refused where JSON is expected: all of its values are strings.
      if (body !== '' && routeOptions.schema?.consumes?.includes(form) !== true) done(unsupported());
      else done(null, Object.fromEntries(new URLSearchParams(body)));
    },
  );
  // Clients send a Content-Type with an empty body; with a body, an unknown type is refused.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request: FastifyRequest, body: string, done: Done) => {
    if (body === '') done(null);
    else done(unsupported());
  });
}

function unsupported(): Error {
  return Object.assign(new Error('unsupported'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 });
}
