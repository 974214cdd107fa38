/**
 * Refusals with the messages of Kubernetes' API machinery. virt-api names kinds in the singular and under
 * `kubevirt.io`, even PVCs.
 */
import type { JsonObject } from '../../../values/json.ts';
import { serverWords } from '../../server-words.ts';
import { StatusAnswer } from '../../serving/contracts.ts';

export type RefusedKind = 'virtualmachine' | 'virtualmachineinstance' | 'persistentvolumeclaim';

const detailsOf = (kind: RefusedKind, name: string): { name: string; group: string; kind: string } => ({
  name,
  group: 'kubevirt.io',
  kind,
});

export const notFound = (kind: RefusedKind, name: string): StatusAnswer =>
  new StatusAnswer(404, 'NotFound', `${kind}.kubevirt.io "${name}" not found`, detailsOf(kind, name));

export const conflict = (kind: RefusedKind, name: string, why: string): StatusAnswer =>
  new StatusAnswer(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${kind}.kubevirt.io "${name}": ${why}`,
    detailsOf(kind, name),
  );

export const forbidden = (kind: RefusedKind, name: string, why: string): StatusAnswer =>
  new StatusAnswer(403, 'Forbidden', `${kind}.kubevirt.io "${name}" is forbidden: ${why}`, detailsOf(kind, name));

export const badRequest = (why: string, details?: JsonObject): StatusAnswer =>
  new StatusAnswer(400, 'BadRequest', why, details);

export const internal = (why: string): StatusAnswer =>
  new StatusAnswer(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });

/** A refusal is passed on; any other error becomes an internal error. */
export const refusalOf = (error: unknown, prefix = ''): StatusAnswer =>
  error instanceof StatusAnswer ? error : internal(`${prefix}${serverWords(error)}`);
