/** The address of a webhook: the rules that definitions and webhook configurations share. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { isDNS1123Subdomain, isValidPortNum } from './names.ts';

const urlForm = '; desired format: https://host[/path]';
const urlParts = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/is;

export function webhookUrlErrors(text: string, path: string): FieldError[] {
  const [, scheme = '', authority = '', query = '', fragment = ''] = urlParts.exec(text) ?? [];
  const at = authority.lastIndexOf('@');
  const errors: FieldError[] = [];
  const wrong = (value: string, why: string): void => {
    errors.push(fieldError.invalid(path, value, why));
  };
  if (scheme.toLowerCase() !== 'https') wrong(scheme.toLowerCase(), `'https' is the only allowed URL scheme${urlForm}`);
  if (authority.slice(at + 1) === '') wrong('', `host must be specified${urlForm}`);
  if (at !== -1) wrong(authority.slice(0, at), 'user information is not permitted in the URL');
  if (fragment !== '') wrong(fragment, 'fragments are not permitted in the URL');
  if (query !== '') wrong(query, 'query parameters are not permitted in the URL');
  return errors;
}

export interface WebhookService {
  readonly name: string;
  readonly namespace: string;
  readonly port: number;
  readonly path: string;
}

export function webhookServiceErrors(service: WebhookService, path: string): FieldError[] {
  const wrongPort = isValidPortNum(service.port);
  return [
    ...(service.name === '' ? [fieldError.required(`${path}.name`, '')] : []),
    ...(service.namespace === '' ? [fieldError.required(`${path}.namespace`, '')] : []),
    ...(wrongPort.length === 0
      ? []
      : [fieldError.invalid(`${path}.port`, service.port, `port is not valid: ${wrongPort.join(', ')}`)]),
    ...urlPathErrors(service.path, `${path}.path`),
  ];
}

function urlPathErrors(text: string, path: string): FieldError[] {
  if (text === '' || text === '/') return [];
  const wrong = (why: string): FieldError => fieldError.invalid(path, text, why);
  if (text === '//') return [wrong('segment[0] may not be empty')];
  const segments = text.slice(1).replace(/\/$/, '').split('/');
  return [
    ...(text.startsWith('/') ? [] : [wrong("must start with a '/'")]),
    ...segments.flatMap((segment, i) =>
      segment === ''
        ? [wrong(`segment[${i}] may not be empty`)]
        : isDNS1123Subdomain(segment).map((why) => wrong(`segment[${i}]: ${why}`)),
    ),
  ];
}
