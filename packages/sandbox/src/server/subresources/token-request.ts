/**
 * TokenRequest: issues a token for a ServiceAccount, optionally bound to the existence of a pod, a node or a Secret.
 */
import type { Admission } from '../../control-plane/admission/admission.ts';
import { stored } from '../../control-plane/admission/stored.ts';
import type { Context } from '../api/context.ts';
import { negotiate } from '../api/request/negotiate.ts';
import { sendJson } from '../api/render.ts';
import type { ResourcePath } from '../api/request/request-info.ts';
import { groupOf, type Resource } from '../api/resource.ts';
import { errors, fieldError } from '../api/status.ts';
import { admissionRequest, timestamp, type Writer } from '../api/write/write.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { ensureObject, numberAt, objectAt, textAt, textsAt } from '../../objects/kinds/values/fields.ts';
import { ISSUER, type BoundObject, type ServiceAccountTokens, type TokenSpec } from '../service-account-tokens.ts';
import type { Entry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import { receive } from './received.ts';
import { tokenRequestKind } from './request-kinds.ts';

export interface TokenRequestDeps {
  readonly writer: Writer;
  readonly admission: Admission;
  readonly tokens: ServiceAccountTokens;
}

const GROUP = 'authentication.k8s.io';
const SHORTEST = 600;
const LONGEST = 2 ** 32;
/**
 * The expiration that a kubelet requests. Such tokens are valid for a year, so that clients that read them only once
 * keep working.
 */
const EXTENDED_ASKED = 3607;
const EXTENDED = 365 * 24 * 3600;

export async function issueToken(
  deps: TokenRequestDeps,
  context: Context,
  resource: Resource,
  path: ResourcePath,
): Promise<void> {
  const output = negotiate(context.request.headers.accept, false);
  const { object, request } = await receive(context, resource, path, () => tokenRequestKind);
  const admission = admissionRequest(request, 'CREATE', object, undefined);
  await deps.admission.mutate(admission);
  const asked = admission.object as KubeObject;
  const account = checkAccount(deps, resource, path, asked);
  complete(asked, account);
  await deps.admission.validate(admission);
  const spec = tokenSpec(deps.writer.store, path.namespace, account, asked);
  const now = Date.now();
  const { token } = await deps.tokens.issue(spec);
  const expires = new Date(now + numberAt(objectAt(asked, 'spec'), 'expirationSeconds') * 1000);
  asked['status'] = { token, expirationTimestamp: timestamp(expires) };
  await sendJson(context, 201, asked, output);
}

function checkAccount(deps: TokenRequestDeps, resource: Resource, path: ResourcePath, asked: KubeObject): Entry {
  const { name = '', uid = '' } = asked.metadata;
  if (name !== '' && name !== path.name) {
    throw errors.invalid(GROUP, 'TokenRequest', path.name, [
      fieldError.invalid('metadata.name', name, 'must match the service account name if specified'),
    ]);
  }
  const account = deps.writer.find(resource, path.namespace, path.name);
  if (account === undefined) throw errors.notFound(resource, path.name);
  if (uid !== '' && uid !== account.uid) {
    const why = `the UID in the token request (${uid}) does not match the UID of the service account (${account.uid})`;
    throw errors.conflict({ group: GROUP, resource: 'TokenRequest' }, path.name, why);
  }
  return account;
}

/** Completes the request to the answer, except for the token. */
function complete(asked: KubeObject, account: Entry): void {
  const spec = ensureObject(asked, 'spec');
  if (textsAt(spec, 'audiences').length === 0) spec['audiences'] = [ISSUER];
  const { managedFields, ...given } = asked.metadata;
  const { name, namespace, uid } = account;
  asked.metadata = {
    ...given,
    name,
    namespace,
    uid,
    creationTimestamp: timestamp(),
    ...(managedFields === undefined ? {} : { managedFields }),
  };
  const seconds = numberAt(spec, 'expirationSeconds');
  const refuse = (why: string): Error =>
    errors.invalid(GROUP, 'TokenRequest', '', [fieldError.invalid('spec.expirationSeconds', seconds, why)]);
  if (seconds < SHORTEST) throw refuse('may not specify a duration less than 10 minutes');
  if (seconds > LONGEST) throw refuse('may not specify a duration larger than 2^32 seconds');
}

function tokenSpec(store: Store, namespace: string, account: Entry, asked: KubeObject): TokenSpec {
  const spec = objectAt(asked, 'spec');
  const audiences = textsAt(spec, 'audiences');
  const seconds = numberAt(spec, 'expirationSeconds');
  const bound = boundTo(store, namespace, account.name, objectAt(spec, 'boundObjectRef'));
  const extended =
    bound.pod !== undefined && seconds === EXTENDED_ASKED && audiences.every((audience) => audience === ISSUER);
  return {
    namespace,
    account,
    audiences,
    ...bound,
    seconds: extended ? EXTENDED : seconds,
    ...(extended ? { warnAfter: seconds } : {}),
  };
}

type Binding = Pick<TokenSpec, 'pod' | 'secret' | 'node'>;

function boundTo(store: Store, namespace: string, account: string, reference: JsonObject | undefined): Binding {
  if (reference === undefined) return {};
  const kind = textAt(reference, 'kind');
  const apiVersion = textAt(reference, 'apiVersion');
  const plural = groupOf(apiVersion) === '' ? BINDABLE[kind] : undefined;
  if (plural === undefined) {
    throw errors.badRequest(
      `cannot bind token to object of type ${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`,
    );
  }
  const name = textAt(reference, 'name');
  const object = stored(store, `/${plural}`, plural === 'nodes' ? '' : namespace, name);
  if (object === undefined) throw errors.notFound({ group: '', resource: plural }, name);
  if (kind === 'Pod') checkPodAccount(object, account);
  checkUid(object, reference, kind);
  const bound = refer(object);
  if (kind === 'Pod') return { pod: bound, ...nodeOf(store, object) };
  return kind === 'Node' ? { node: bound } : { secret: bound };
}

const BINDABLE: { readonly [kind: string]: string | undefined } = { Pod: 'pods', Node: 'nodes', Secret: 'secrets' };

function checkPodAccount(pod: KubeObject, account: string): void {
  if (textAt(objectAt(pod, 'spec'), 'serviceAccountName') === account) return;
  throw errors.badRequest(
    `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
  );
}

function checkUid({ metadata }: KubeObject, reference: JsonObject, kind: string): void {
  const uid = textAt(reference, 'uid');
  if (uid === '' || uid === metadata.uid) return;
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw errors.conflict({ group: '', resource: kind }, metadata.name ?? '', why);
}

/** A pod's token also contains the pod's node, by name only when the node does not exist. */
function nodeOf(store: Store, pod: KubeObject): Binding {
  const name = textAt(objectAt(pod, 'spec'), 'nodeName');
  if (name === '') return {};
  const node = stored(store, '/nodes', '', name);
  return { node: node === undefined ? { name, uid: '' } : refer(node) };
}

const refer = ({ metadata }: KubeObject): BoundObject => ({ name: metadata.name ?? '', uid: metadata.uid ?? '' });
