/**
 * The rules that hold for every object of a template (../../template/rules.ts), on what an order comes to: texts are put together from several parts, and what
 * they come to must be right whoever has written each part. The author of a template, too, reaches no namespace but the tenant's and those of images.
 */
import { objectFaults, type TemplateObject } from '../../template/rules.ts';
import type { Leaf } from '../../template/rendering.ts';
import { invalid } from './fault.ts';
import type { Draft, FilledText, Filling, Found } from './filling.ts';
import { unlike } from './rendered-faults.ts';

const none: ReadonlySet<string> = new Set();

/** `open`: parameters whose values are not known; what depends on them is not judged. */
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
  // Only behind a host that the author has written: the address is the author's.
  const isAuthors = place.takes === 'url' && only === undefined;
  return {
    path,
    value,
    chosen: isAuthors ? [] : free,
    listed: declared.filter((name) => filling.freedomOf(name) === 'listed'),
    isOpen: names.some((name) => open.has(name)),
    isHidden: names.some((name) => filling.isHidden(name)),
  };
}
