/** The kind of template that an order names: the lists of the configuration take precedence over OrderTemplates. */
import type { TemplateClass } from '../mode.ts';

export interface BuiltInTemplates {
  readonly nativeTemplates: readonly string[];
  readonly floatingIpTemplates: readonly string[];
}

export function templateClass(
  templateID: string,
  { nativeTemplates, floatingIpTemplates }: BuiltInTemplates,
  isWritten: (templateID: string) => boolean,
): TemplateClass {
  if (nativeTemplates.includes(templateID)) return 'native';
  if (floatingIpTemplates.includes(templateID)) return 'floating-ip';
  return isWritten(templateID) ? 'custom' : 'unknown';
}
