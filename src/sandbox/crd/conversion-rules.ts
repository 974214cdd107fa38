/** How a definition says that its versions are converted: by nothing, or by a webhook. */
import { fieldError } from '../api/status.ts';
import type { FieldError } from '../api/status.ts';
import { isDNS1035Label, isDNS1123Subdomain, isValidPortNum } from '../schema/names.ts';
import type { Conversion, ConversionWebhook } from './types.ts';

const recognised = ['v1', 'v1beta1'];

/** `strict` wants a review version that the server understands; an old definition without one may keep its own. */
export function conversionErrors(
  conversion: Partial<Conversion> | undefined,
  path: string,
  strict: boolean,
): FieldError[] {
  if (conversion === undefined) return [];
  const errors: FieldError[] = [];
  const { strategy = '', webhook } = conversion;
  if (strategy === '') errors.push(fieldError.required(`${path}.strategy`, ''));
  else if (strategy !== 'None' && strategy !== 'Webhook') {
    errors.push(fieldError.notSupported(`${path}.strategy`, strategy, ['None', 'Webhook']));
  }
  if (strategy === 'Webhook') webhookErrors(errors, webhook, path, strict);
  else {
    const text = 'should not be set when strategy is not set to Webhook';
    if (webhook?.clientConfig !== undefined) errors.push(fieldError.forbidden(`${path}.webhookClientConfig`, text));
    if ((webhook?.conversionReviewVersions ?? []).length > 0) {
      errors.push(fieldError.forbidden(`${path}.conversionReviewVersions`, text));
    }
  }
  return errors;
}

export function hasRecognisedVersion(conversion: Conversion | undefined): boolean {
  const versions = conversion?.webhook?.conversionReviewVersions ?? [];
  return versions.length === 0 || versions.some((version) => recognised.includes(version));
}

function webhookErrors(
  errors: FieldError[],
  webhook: ConversionWebhook | undefined,
  path: string,
  strict: boolean,
): void {
  const field = `${path}.webhookClientConfig`;
  const config = webhook?.clientConfig;
  if (config === undefined) errors.push(fieldError.required(field, 'required when strategy is set to Webhook'));
  else if ((config.url === undefined) === (config.service === undefined)) {
    errors.push(fieldError.required(field, 'exactly one of url or service is required'));
  } else if (config.url !== undefined) errors.push(...webhookUrlErrors(config.url, `${field}.url`));
  else if (config.service !== undefined) {
    const { name = '', namespace = '', path: urlPath, port = 443 } = config.service;
    errors.push(...webhookServiceErrors({ name, namespace, port, path: urlPath }, `${field}.service`));
  }
  reviewVersionErrors(errors, webhook?.conversionReviewVersions ?? [], `${path}.conversionReviewVersions`, strict);
}

function reviewVersionErrors(errors: FieldError[], versions: readonly string[], path: string, strict: boolean): void {
  if (versions.length === 0) {
    errors.push(fieldError.required(path, ''));
    return;
  }
  versions.forEach((version, i) => {
    if (versions.indexOf(version) < i) {
      errors.push(fieldError.invalid(`${path}[${i}]`, version, 'duplicate version'));
      return;
    }
    for (const message of isDNS1035Label(version)) errors.push(fieldError.invalid(`${path}[${i}]`, version, message));
  });
  if (strict && !versions.some((version) => recognised.includes(version))) {
    errors.push(fieldError.invalid(path, [...versions], `must include at least one of ${recognised.join(', ')}`));
  }
}

const urlForm = '; desired format: https://host[/path]';

export function webhookUrlErrors(text: string, path: string): FieldError[] {
  const match =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^/?#@]*)@)?([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/.exec(text);
  if (match === null) return [fieldError.required(path, `url must be a valid URL: ${text}${urlForm}`)];
  const [, scheme = '', user, host = '', query = '', fragment = ''] = match;
  const errors: FieldError[] = [];
  if (scheme.toLowerCase() !== 'https') {
    errors.push(fieldError.invalid(path, scheme.toLowerCase(), `'https' is the only allowed URL scheme${urlForm}`));
  }
  if (host === '') errors.push(fieldError.invalid(path, host, `host must be specified${urlForm}`));
  if (user !== undefined) {
    errors.push(fieldError.invalid(path, user, 'user information is not permitted in the URL'));
  }
  if (fragment !== '') errors.push(fieldError.invalid(path, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(fieldError.invalid(path, query, 'query parameters are not permitted in the URL'));
  return errors;
}

export interface WebhookService {
  readonly name: string;
  readonly namespace: string;
  readonly port: number;
  readonly path: string | undefined;
}

export function webhookServiceErrors(service: WebhookService, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (service.name === '') errors.push(fieldError.required(`${path}.name`, ''));
  if (service.namespace === '') errors.push(fieldError.required(`${path}.namespace`, ''));
  const problems = isValidPortNum(service.port);
  if (problems.length > 0) {
    errors.push(fieldError.invalid(`${path}.port`, service.port, `port is not valid: ${problems.join(', ')}`));
  }
  urlPathErrors(errors, service.path ?? '', `${path}.path`);
  return errors;
}

function urlPathErrors(errors: FieldError[], text: string, path: string): void {
  if (text === '' || text === '/') return;
  if (text === '//') {
    errors.push(fieldError.invalid(path, text, 'segment[0] may not be empty'));
    return;
  }
  if (!text.startsWith('/')) errors.push(fieldError.invalid(path, text, "must start with a '/'"));
  const segments = text.slice(1).replace(/\/$/, '').split('/');
  segments.forEach((segment, i) => {
    if (segment === '') errors.push(fieldError.invalid(path, text, `segment[${i}] may not be empty`));
    else {
      for (const message of isDNS1123Subdomain(segment)) {
        errors.push(fieldError.invalid(path, text, `segment[${i}]: ${message}`));
      }
    }
  });
}
