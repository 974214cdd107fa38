/**
 * The last check of what a template creates, by the same rules as for the request: the template may have changed since,
 * and only the cluster decides what it renders.
 */
import { withValues } from '../../../kubevirt/catalog/parameters.ts';
import { fields, list, text } from '../../../kubevirt/facts/reading.ts';
import type { RenderingFault } from '../../../kubevirt/template/fault.ts';
import {
  labelFaults,
  machineFaults,
  templateFaults,
  faultMessage,
  type TemplatePlace,
} from '../../../kubevirt/template/rules.ts';
import { Refused } from './failures.ts';
import type { TenancySettings } from './settings.ts';

export interface CheckPlace {
  readonly settings: Pick<TenancySettings, 'clusterNamespaces'>;
  readonly identity: { readonly namespace: string };
}

/** `checkTemplate` throws `Refused`. `given` contains all values of the request: given, generated, and defaults that a name needed. */
export function checkTemplate(
  at: CheckPlace,
  name: string,
  template: unknown,
  given: Readonly<Record<string, string>>,
): void {
  const { objects, parameters, labels } = fields(template);
  const { values, chosen, generated } = withValues(parameters, given);
  if (generated !== undefined)
    throw new Refused(
      'CONFLICT',
      `the template "${name}" has changed: its parameter ${generated} is now generated, and its value would be lost. Instantiate it again`,
    );
  refuse(name, [
    ...templateFaults(list(objects), { values, chosen }, placeOf(at)),
    ...labelFaults(labels, { values, chosen }),
  ]);
}

/** `checkMade` throws `Refused`. Metadata and status are not checked, because the cluster itself sets them. */
export function checkMade(at: CheckPlace, template: string, object: unknown): void {
  const { apiVersion = 'kubevirt.io/v1', kind = 'VirtualMachine', spec } = fields(object);
  refuse(template, machineFaults({ apiVersion, kind, spec }, placeOf(at)));
}

function placeOf({ settings, identity }: CheckPlace): TemplatePlace {
  return { namespace: identity.namespace, imageNamespaces: settings.clusterNamespaces.imageNamespaces };
}

function refuse(name: string, [fault]: readonly RenderingFault[]): void {
  if (fault === undefined) return;
  const parameter = text(fault.parameter);
  const who = parameter === undefined ? `the template "${name}" cannot be used here` : `parameters.${parameter}`;
  throw new Refused(parameter === undefined ? 'CONFLICT' : 'BAD_REQUEST', `${who}: ${faultMessage(fault)}`);
}
