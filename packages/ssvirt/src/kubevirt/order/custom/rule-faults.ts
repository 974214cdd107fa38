/**
 * Applies the rules for every object of a template (../../template/rules.ts) to the rendered objects: texts are
 * composed of several parts, and the result must be valid whoever wrote each part. The author of a template, too,
 * reaches no namespaces but the tenant's and those of images.
 */
import { objectFaults, type TemplateObject } from '../../template/rules.ts';
import type { Leaf } from '../../template/rendering.ts';
import { invalid } from './fault.ts';
import type { Draft, FilledText, Filling, Found } from './filling.ts';
import { unlike } from './rendered-faults.ts';
import { orderName } from './substitution.ts';

const none: ReadonlySet<string> = new Set();

/** `open` are parameters whose values are unknown; texts that depend on them are not checked. */
export function ruleFaults(
  drafts: readonly Draft[],
  filling: Filling,
  imageNamespaces: readonly string[],
  open = none,
): Found {
  const objects = drafts.map(({ where, kind, object, texts }): TemplateObject => ({
    where,
    kind,
    object,
    leaves: texts.map((text) => leafOf(text, filling, open)),
    faults: [],
  }));
  const place = {
    namespace: filling.tenantNamespace,
    imageNamespaces,
    called: "tenant's namespace",
    setting: 'cloudkit.imageNamespaces',
  };
  const found = objectFaults(objects, place).map(({ parameter, where, message }) =>
    parameter === undefined
      ? { problems: [], faults: [invalid(where, message)] }
      : filling.found([parameter], `one that may be put there: the field ${message}`, where, message),
  );
  return { problems: unlike(found), faults: found.flatMap(({ faults }) => faults) };
}

function leafOf({ path, place, value, names, only }: FilledText, filling: Filling, open: ReadonlySet<string>): Leaf {
  const declared = names.filter((name) => filling.freedomOf(name) !== undefined);
  const free = declared.filter((name) => filling.freedomOf(name) !== 'listed');
  // A parameter is only behind a host that the author has written, so the address counts as the author's.
  const isAuthors = place.takes === 'url' && only === undefined;
  // The writer of an order chooses its name, too.
  const isNamedAfterOrder = place.takes === 'reference' && names.includes(orderName);
  return {
    path,
    value,
    chosen: isAuthors ? [] : [...free, ...(isNamedAfterOrder ? [orderName] : [])],
    listed: declared.filter((name) => filling.freedomOf(name) === 'listed'),
    isOpen: names.some((name) => open.has(name)),
    isHidden: names.some((name) => filling.isHidden(name)),
  };
}
