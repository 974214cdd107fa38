/** Builds the requests to the Writer and the Deleter, with the options that admission sees. */
import type { JsonObject } from '../../../values/json.ts';
import { definition } from '../../../objects/kinds/builtin.ts';
import { decode, DecodeError } from '../../../objects/kinds/values/decode.ts';
import { checkTypeText, decodeBody, readBody, UnrecognizedBody } from '../request/body.ts';
import { fieldManagerOf, type Context } from '../context.ts';
import type { DeleteRequest } from './delete.ts';
import { deleteOptions, type DeleteOptions, type WriteKind, type WriteOptions } from '../request/options.ts';
import type { ResourcePath } from '../request/request-info.ts';
import type { Resource } from '../resource.ts';
import { errors } from '../status.ts';
import type { WriteRequest } from './write.ts';

export function writeRequest(
  context: Context,
  resource: Resource,
  path: ResourcePath,
  options: WriteOptions,
  kind: WriteKind,
): WriteRequest {
  return {
    resource,
    subresource: path.subresource,
    namespace: path.namespace,
    name: path.name,
    dryRun: options.dryRun,
    manager: fieldManagerOf(options.fieldManager, context.request),
    user: context.user,
    options: {
      kind: kind === 'PatchOptions' && options.force ? 'PatchOptions' : kind,
      apiVersion: 'meta.k8s.io/v1',
      ...(options.dryRun ? { dryRun: ['All'] } : {}),
      ...(options.fieldManager === '' ? {} : { fieldManager: options.fieldManager }),
      ...(context.query.has('fieldValidation') ? { fieldValidation: options.fieldValidation } : {}),
      ...(options.force ? { force: true } : {}),
    },
    warn: (text) => context.warnings.add(text),
  };
}

export function deleteRequest(
  context: Context,
  resource: Resource,
  path: ResourcePath,
  deletion: DeleteOptions,
): DeleteRequest {
  const request = writeRequest(
    context,
    resource,
    path,
    { dryRun: deletion.dryRun, fieldManager: '', fieldValidation: 'Warn', force: false },
    'UpdateOptions',
  );
  const preconditions = {
    ...(deletion.uid === undefined ? {} : { uid: deletion.uid }),
    ...(deletion.resourceVersion === undefined ? {} : { resourceVersion: deletion.resourceVersion }),
  };
  return {
    ...request,
    deletion,
    options: {
      kind: 'DeleteOptions',
      apiVersion: 'meta.k8s.io/v1',
      ...(deletion.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: deletion.gracePeriodSeconds }),
      ...(deletion.propagationPolicy === undefined ? {} : { propagationPolicy: deletion.propagationPolicy }),
      ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
      ...(deletion.dryRun ? { dryRun: ['All'] } : {}),
    },
  };
}

const DELETE_OPTIONS = definition('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions');

export async function readDeleteOptions(context: Context): Promise<DeleteOptions> {
  const body = await readBody(context.request);
  return deleteOptions(body.length === 0 ? undefined : readDeleteBody(context, body), context.query);
}

function refuseOtherKind(kind: string, apiVersion: string): void {
  if (apiVersion.split('/').length > 2) throw new UnrecognizedBody(`unexpected GroupVersion string: ${apiVersion}`);
  if (kind === '' || kind === 'DeleteOptions') return;
  if (kind === 'Status' && apiVersion === 'v1') {
    throw new UnrecognizedBody('converting (v1.Status) to (v1.DeleteOptions): unknown conversion');
  }
  throw new UnrecognizedBody(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

function readDeleteBody(context: Context, body: Buffer): JsonObject {
  try {
    const { raw } = decodeBody(context.request, body, DELETE_OPTIONS);
    checkTypeText(raw);
    refuseOtherKind(String(raw['kind'] ?? ''), String(raw['apiVersion'] ?? ''));
    return decode(DELETE_OPTIONS, raw, false).object;
  } catch (error) {
    if (error instanceof UnrecognizedBody || error instanceof DecodeError) throw errors.badRequest(error.message);
    throw error;
  }
}
