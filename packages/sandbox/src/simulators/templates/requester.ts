/**
 * The requester of a TemplateInstance is the user who creates it, unless a user with the right `assign` names another.
 */
import type { Client } from '@ssvirt/kube/client/client';
import type { AdmissionPlugin, AdmissionRequest } from '../../control-plane/admission/admission.ts';
import type { User } from '../../server/api/context.ts';
import { errors, fieldError } from '../../server/api/status.ts';
import { isObject, jsonEqual, type JsonObject, type KubeObject } from '../../values/json.ts';
import { refusalOf } from './access.ts';
import { GROUP, templateInstances } from './kinds.ts';

export function requesterPlugin(client: Client): AdmissionPlugin {
  return {
    name: 'TemplateInstanceRequester',
    mutate({ resource, operation, object, user }) {
      if (resource.plural !== templateInstances.plural || operation !== 'CREATE' || object === undefined) return;
      const spec = isObject(object['spec']) ? object['spec'] : {};
      object['spec'] = { ...spec, requester: spec['requester'] ?? requesterOf(user) };
    },
    async validate(request) {
      if (!concernsRequester(request)) return;
      const { object, user, namespace, name } = request;
      if (usernameOf(object) === user.name) return;
      const asked = { verb: 'assign', group: GROUP, resource: templateInstances.plural, namespace, name };
      const refused = await refusalOf(client, requesterOf(user), asked);
      if (refused === undefined) return;
      throw errors.invalid(GROUP, templateInstances.kind, name, [
        fieldError.forbidden('spec.requester.username', 'you do not have permission to set username'),
      ]);
    },
  };
}

export function requesterOf({ name, uid, groups, extra = {} }: User): JsonObject {
  const said: JsonObject = Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
  return {
    username: name,
    ...(uid === '' ? {} : { uid }),
    groups: [...groups],
    ...(Object.keys(said).length === 0 ? {} : { extra: said }),
  };
}

/** The garbage collector may update the instances of other users. */
function concernsRequester({ resource, operation, subresource, object, oldObject }: AdmissionRequest): boolean {
  if (resource.plural !== templateInstances.plural || subresource !== '' || object === undefined) return false;
  if (operation === 'CREATE') return true;
  return operation === 'UPDATE' && oldObject !== undefined && !isOfCollectorOnly(object, oldObject);
}

function isOfCollectorOnly(object: KubeObject, old: KubeObject): boolean {
  return jsonEqual(withoutCollected(object), withoutCollected(old));
}

function withoutCollected({ metadata, ...rest }: KubeObject): JsonObject {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managed, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

function usernameOf(object: KubeObject | undefined): string {
  const spec = isObject(object?.['spec']) ? object['spec'] : {};
  const requester = isObject(spec['requester']) ? spec['requester'] : {};
  return typeof requester['username'] === 'string' ? requester['username'] : '';
}
