/** Reviews: questions that are answered and not stored. In the sandbox every known caller may do everything. */
import type { Authenticator } from '../api/auth.ts';
import { checkTypeMeta, decodeBody, readBody } from '../api/body.ts';
import type { Context, User } from '../api/context.ts';
import { negotiate } from '../api/negotiate.ts';
import { writeOptions } from '../api/options.ts';
import { sendJson } from '../api/render.ts';
import type { Resource } from '../api/resource.ts';
import type { SpecialHandler } from '../api/server.ts';
import { errors, StatusError } from '../api/status.ts';
import { isObject, type JsonObject, type KubeObject } from '../json.ts';

type Answer = (object: KubeObject, context: Context) => JsonObject | Promise<JsonObject>;

function review(answer: Answer): SpecialHandler {
  return async (context, resource, path) => {
    if (context.method !== 'POST') throw errors.methodNotAllowed();
    const output = negotiate(context.request.headers.accept, false);
    const object = await decodeReview(context, resource);
    writeOptions(context.query, 'CreateOptions');
    if (resource.namespaced) object.metadata.namespace ??= path.namespace;
    const problems = resource.strategy.validate(object).filter(({ field }) => !field.startsWith('metadata'));
    if (problems.length > 0) throw errors.invalid(resource.group, '', '', problems);
    await sendJson(context, 201, { ...object, status: await answer(object, context) }, output);
  };
}

async function decodeReview(context: Context, resource: Resource): Promise<KubeObject> {
  const { raw } = decodeBody(context.request, await readBody(context.request), resource.schema);
  checkTypeMeta(raw, resource);
  return resource.strategy.decode(raw, false).object;
}

const allowed: Answer = () => ({ allowed: true });

const rules: Answer = () => ({
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
});

export function userInfo(user: User): JsonObject {
  return {
    username: user.name,
    ...(user.uid === '' ? {} : { uid: user.uid }),
    groups: [...user.groups],
    ...(user.extra === undefined ? {} : { extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]])) }),
  };
}

function tokenReview(authenticator: Authenticator): Answer {
  return async (object) => {
    const spec = isObject(object['spec']) ? object['spec'] : {};
    try {
      const user = await authenticator.verifyToken(String(spec['token'] ?? ''));
      return { authenticated: true, user: userInfo(user) };
    } catch (error) {
      if (error instanceof StatusError) return { user: {}, error: '[invalid bearer token]' };
      throw error;
    }
  };
}

export function reviewHandlers(authenticator: Authenticator): Map<string, SpecialHandler> {
  return new Map([
    ['authorization.k8s.io/subjectaccessreviews', review(allowed)],
    ['authorization.k8s.io/selfsubjectaccessreviews', review(allowed)],
    ['authorization.k8s.io/localsubjectaccessreviews', review(allowed)],
    ['authorization.k8s.io/selfsubjectrulesreviews', review(rules)],
    ['authentication.k8s.io/tokenreviews', review(tokenReview(authenticator))],
    ['authentication.k8s.io/selfsubjectreviews', review((_object, context) => ({ userInfo: userInfo(context.user) }))],
  ]);
}
