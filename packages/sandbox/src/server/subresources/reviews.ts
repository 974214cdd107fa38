/** Reviews are answered and not stored. In the sandbox every authenticated user may do everything. */
import type { Authenticator } from '../api/request/auth.ts';
import type { Context, User } from '../api/context.ts';
import { negotiate } from '../api/request/negotiate.ts';
import { sendJson } from '../api/render.ts';
import type { SpecialHandler } from '../api/serve-resource.ts';
import { errors } from '../api/status.ts';
import { timestamp } from '../api/write/write.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { objectAt, textAt, textsAt } from '../../objects/kinds/values/fields.ts';
import { TokenRefused } from '../service-account-claims.ts';
import { ISSUER, type ServiceAccountTokens, type Verified } from '../service-account-tokens.ts';
import { receive } from './received.ts';

/** Builds the whole answer from the request. */
type Answer = (asked: KubeObject, context: Context) => KubeObject | Promise<KubeObject>;

function review(answer: Answer): SpecialHandler {
  return async (context, resource, path) => {
    const output = negotiate(context.request.headers.accept, false);
    const { object } = await receive(context, resource, path, () => resource);
    // Reviews have no names, which the common rules for metadata require.
    const problems = resource.strategy.validate(object).filter(({ field }) => !field.startsWith('metadata.'));
    if (problems.length > 0) throw errors.invalid(resource.group, '', '', problems);
    await sendJson(context, 201, await answer(object, context), output);
  };
}

const allowed: Answer = (asked) => ({ ...asked, status: { allowed: true } });

const EVERYBODY = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
const DISCOVERY = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/openapi',
  '/openapi/*',
  '/readyz',
  '/version',
  '/version/',
];

/** The rules of an administrator in a cluster with RBAC's default roles. */
const RULES: JsonObject = {
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    {
      verbs: ['create'],
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
    },
    { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
  ],
  nonResourceRules: [
    { verbs: ['*'], nonResourceURLs: ['*'] },
    { verbs: ['get'], nonResourceURLs: EVERYBODY },
    { verbs: ['get'], nonResourceURLs: DISCOVERY },
  ],
  incomplete: false,
};

const rules: Answer = ({ apiVersion, kind, ...asked }) => {
  if (textAt(objectAt(asked, 'spec'), 'namespace') === '') throw errors.badRequest('no namespace on request');
  return { apiVersion, kind, metadata: {}, spec: {}, status: RULES };
};

const self: Answer = ({ apiVersion, kind }, { user }) => ({
  apiVersion,
  kind,
  metadata: { creationTimestamp: timestamp() },
  status: { userInfo: userInfo(user) },
});

export function userInfo(user: User): JsonObject {
  return {
    username: user.name,
    ...(user.uid === '' ? {} : { uid: user.uid }),
    groups: [...user.groups],
    ...(user.extra === undefined
      ? {}
      : { extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]])) }),
  };
}

function tokenReview(authenticator: Authenticator, tokens: ServiceAccountTokens): Answer {
  return async (asked) => {
    const spec = objectAt(asked, 'spec');
    const token = textAt(spec, 'token');
    if (token === '') throw errors.badRequest('token is required for TokenReview in authentication');
    const named = textsAt(spec, 'audiences');
    return { ...asked, status: await tokenStatus(authenticator, tokens, token, named.length === 0 ? [ISSUER] : named) };
  };
}

async function tokenStatus(
  authenticator: Authenticator,
  tokens: ServiceAccountTokens,
  token: string,
  wanted: readonly string[],
): Promise<JsonObject> {
  try {
    const known = wanted.includes(ISSUER) ? authenticator.knownToken(token) : undefined;
    const verified: Verified | undefined =
      known === undefined ? await tokens.review(token, wanted) : { user: known, audiences: [ISSUER] };
    if (verified === undefined) return { user: {}, error: 'invalid bearer token' };
    return { authenticated: true, user: userInfo(verified.user), audiences: [...verified.audiences] };
  } catch (error) {
    if (error instanceof TokenRefused) return { user: {}, error: `[invalid bearer token, ${error.message}]` };
    throw error;
  }
}

export function reviewHandlers(
  authenticator: Authenticator,
  tokens: ServiceAccountTokens,
): Map<string, SpecialHandler> {
  return new Map([
    ['authorization.k8s.io/subjectaccessreviews', review(allowed)],
    ['authorization.k8s.io/selfsubjectaccessreviews', review(allowed)],
    ['authorization.k8s.io/localsubjectaccessreviews', review(allowed)],
    ['authorization.k8s.io/selfsubjectrulesreviews', review(rules)],
    ['authentication.k8s.io/tokenreviews', review(tokenReview(authenticator, tokens))],
    ['authentication.k8s.io/selfsubjectreviews', review(self)],
  ]);
}
