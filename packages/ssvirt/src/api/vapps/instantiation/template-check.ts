/**
 * Checks the objects that a template will create with these values, one by one and before anything is written, by the
 * rules for VMs that are created directly.
 */
import { readBody } from '../../../kubevirt/catalog/body.ts';
import type { CatalogEntry } from '../../../kubevirt/catalog/entry.ts';
import { withDefaults } from '../../../kubevirt/catalog/values.ts';
import type { RenderingFault } from '../../../kubevirt/template/fault.ts';
import { importUrlsIn } from '../../../kubevirt/tenant-vm/boot-source.ts';
import { render, type TemplateValues } from '../../../kubevirt/template/rendering.ts';
import { labelFaults, templateFaults, faultMessage, type TemplatePlace } from '../../../kubevirt/template/rules.ts';
import { offeredImage } from '../../catalogs/boot-sources/checks.ts';
import { badRequest, conflict } from '../../errors.ts';
import { notKnown } from '../../vms/offers.ts';
import type { InstantiationTarget } from './offer.ts';

const MOST_TOLD = 5;

/**
 * Throws BAD_REQUEST for a fault that a parameter of the caller causes, CONFLICT for one that only a change of the
 * template can fix.
 */
export function checkTemplate(
  place: InstantiationTarget,
  entry: CatalogEntry,
  given: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, string>>,
): void {
  const { name, body } = entry;
  if (body === undefined)
    throw conflict(
      `The template "${name}" cannot be used: it is too large to be checked. Split it, or choose another.`,
    );
  const { objects, labels } = readBody(body);
  const filling = fillingOf(entry, given, values);
  const faults = [...templateFaults(objects, filling, placeOf(place)), ...labelFaults(labels, filling)];
  refuseParameters(faults);
  const [fault] = faults;
  if (fault !== undefined)
    throw conflict(
      `The template "${name}" cannot be used here: ${faultMessage(fault)}. Choose another, or ask the provider.`,
    );
}

/** `templateUrls` returns the URLs that the disks of the template are imported from. `values` are all values that the cluster will get. */
export function templateUrls(entry: CatalogEntry, values: Readonly<Record<string, string>>): readonly string[] {
  if (entry.body === undefined) return [];
  const filling = fillingOf(entry, values, values);
  return importUrlsIn(readBody(entry.body).objects.map((object) => render(object, filling, '').object));
}

function fillingOf(
  { parameters }: CatalogEntry,
  given: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, string>>,
): TemplateValues {
  const known = withDefaults(parameters, values);
  // A value that equals the default counts as the template author's.
  const chosen = parameters.filter(({ name, default: usual }) => Object.hasOwn(given, name) && given[name] !== usual);
  return {
    values: known,
    chosen: new Set(chosen.map(({ name }) => name)),
    open: new Set(parameters.map(({ name }) => name).filter((name) => !known.has(name))),
  };
}

function placeOf({ source, cluster, namespace }: InstantiationTarget): TemplatePlace {
  return {
    namespace,
    imageNamespaces: source.imageNamespaces(),
    imageProblem: (at, name) => {
      const offered = offeredImage({ namespace: at, name }, source);
      const offer = offered?.offers.find((one) => one.cluster === cluster);
      if (offer?.available === true) return undefined;
      if (offer !== undefined) return 'that boot image cannot be used at the moment';
      if (source.unavailable().some((away) => away.cluster === cluster)) throw notKnown('boot images');
      return `there is no boot image of that name in ${at}; catalog items whose source is DataSource name the available boot images`;
    },
  };
}

function refuseParameters(faults: readonly RenderingFault[]): void {
  const messages = faults.flatMap((fault) =>
    fault.parameter === undefined ? [] : [`parameters.${fault.parameter}: ${faultMessage(fault)}.`],
  );
  if (messages.length > 0) throw badRequest([...new Set(messages)].slice(0, MOST_TOLD).join(' '));
}
