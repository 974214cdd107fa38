/** The errors that plug-ins return: rejections of the request's object, and failures of the server itself. */
import { errors, StatusError } from '../../server/api/status.ts';
import type { AdmissionRequest } from './admission.ts';

/** 403 about the object of the request, which may not have a name yet. */
export function refuse(request: AdmissionRequest, why: string): StatusError {
  const { metadata } = request.object ?? {};
  const names = [request.name, metadata?.name, metadata?.generateName];
  return errors.forbidden(request.resource, names.find((name) => name !== undefined && name !== '') ?? 'Unknown', why);
}

/** 500 in the form that every unexpected error of the server has. */
export function internalError(why: string): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });
}

/** Several errors as Go's aggregate prints them: one without brackets, several in brackets, duplicates once. */
export function aggregate(problems: readonly string[]): string {
  const unique = [...new Set(problems)];
  return unique.length === 1 ? (unique[0] as string) : `[${unique.join(', ')}]`;
}
