/** Serves a request for a local resource: special handlers come first, everything else is a verb on stored objects. */
import type { Context } from './context.ts';
import type { Handlers } from './handlers.ts';
import type { ResourcePath } from './request/request-info.ts';
import type { Resource } from './resource.ts';
import { errors } from './status.ts';

/** Answers a subresource or a resource that is not stored (reviews, bindings, scale). */
export type SpecialHandler = (context: Context, resource: Resource, path: ResourcePath) => Promise<void>;

export interface ResourceDeps {
  readonly handlers: Handlers;
  /** Keyed by `group/plural` or `group/plural/subresource`; the group `*` matches any. */
  readonly special: ReadonlyMap<string, SpecialHandler>;
}

export function serveResource(
  { handlers, special }: ResourceDeps,
  context: Context,
  resource: Resource,
  target: ResourcePath,
): Promise<void> {
  const name = target.subresource === '' ? resource.plural : `${resource.plural}/${target.subresource}`;
  const handler = special.get(`${resource.group}/${name}`) ?? special.get(`*/${target.subresource}`);
  if (target.subresource !== '' && !resource.subresources.some((sub) => sub.name === target.subresource)) {
    throw resource.custom && target.rest === '' ? errors.notFound(resource, target.name) : errors.noSuchPath();
  }
  return handler === undefined ? handlers.handle(context, resource, target) : handler(context, resource, target);
}
