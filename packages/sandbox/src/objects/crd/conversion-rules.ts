/** Validates the conversion strategy of a definition: None or Webhook. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { isDNS1035Label } from '../schema/names.ts';
import { webhookServiceErrors, webhookUrlErrors } from '../schema/webhook-client.ts';
import type { Conversion, ConversionWebhook } from './types.ts';

const recognised = ['v1', 'v1beta1'];

/**
 * With `strict`, one review version must be known to the server. An old definition without one may keep its versions.
 */
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
    const { name = '', namespace = '', path: urlPath = '', port = 443 } = config.service;
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
