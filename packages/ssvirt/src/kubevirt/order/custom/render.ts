/**
 * Renders an order with an order template: returns its complete objects as they are applied, or everything that is
 * wrong. The result depends on the arguments alone. positions.ts describes which values may be filled in where, and
 * why.
 */
import type { KubeLike } from '../../tenant-vm/kube-like.ts';
import type { OrderIdentity } from '../identity.ts';
import type { ParameterProblem } from '../parameters/parameter-problem.ts';
import type { OrderProblem } from '../resource.ts';
import type { OrderTemplateSpec } from '../parameters/template.ts';
import { faultyTemplate, type TemplateFault } from './fault.ts';
import { hiddenNames, Filling } from './filling.ts';
import { finished } from './finished.ts';
import { renderedFaults } from './rendered-faults.ts';
import { ruleFaults } from './rule-faults.ts';
import { readValues, type ParameterValue } from './parameter-values.ts';
import { templateFaults } from './template-faults.ts';

export type Rendering =
  | { readonly objects: readonly KubeLike[]; readonly warnings: readonly string[] }
  /** Problems of the order's parameters, all at once. */
  | { readonly problems: readonly ParameterProblem[] }
  /** A problem of the template, which no parameters can fix. */
  | { readonly problem: OrderProblem };

/** `imageNamespaces` are the namespaces from which disks may be cloned, in addition to the tenant's. */
export function renderTemplate(
  identity: OrderIdentity,
  template: OrderTemplateSpec,
  parameters: string | undefined,
  imageNamespaces: readonly string[],
): Rendering {
  const wrong = templateFaults(template);
  if (wrong.length > 0) return { problem: faultyTemplate(template.templateID, wrong) };
  const read = readValues(template.parameters ?? [], parameters, hiddenNames(template));
  if ('problems' in read) return read;
  const filled = fill(identity, template, read.values, imageNamespaces);
  if ('objects' in filled) return { objects: filled.objects, warnings: read.warnings };
  const { problems, faults } = filled;
  return problems.length > 0 ? { problems } : { problem: faultyTemplate(template.templateID, faults) };
}

export type Filled =
  | { readonly objects: readonly KubeLike[] }
  | { readonly problems: readonly ParameterProblem[]; readonly faults: readonly TemplateFault[] };

/** The caller has checked that the template has no faults of its own, and that the values match their declarations. */
export function fill(
  identity: OrderIdentity,
  template: OrderTemplateSpec,
  values: ReadonlyMap<string, ParameterValue>,
  imageNamespaces: readonly string[],
): Filled {
  const filling = new Filling(identity, template, values);
  const drafts = filling.drafts();
  if (drafts === undefined) return filling.tooMuch();
  for (const found of [renderedFaults(drafts, filling), ruleFaults(drafts, filling, imageNamespaces)])
    if (found.problems.length > 0 || found.faults.length > 0) return found;
  return { objects: drafts.map((draft) => finished(identity, draft)) };
}
