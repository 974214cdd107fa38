/**
 * Refuses a VirtualMachineTemplate that cannot be processed. A required parameter that has no value yet only causes a
 * warning.
 */
import type { AdmissionAnswer, ReviewRequest, ServedWebhook } from '../../serving/contracts.ts';
import { TEMPLATE_GROUP, type MachineTemplate } from './kinds.ts';
import { processMachine } from './process.ts';

export function machineTemplateWebhooks(): readonly ServedWebhook[] {
  return ['v1beta1', 'v1alpha1'].map((version) => ({
    kind: 'Validating',
    configuration: 'virt-template-validating-webhook-configuration',
    name: `vvirtualmachinetemplate-${version}.kb.io`,
    path: `/validate-template-kubevirt-io-${version}-virtualmachinetemplate`,
    rules: [
      {
        groups: [TEMPLATE_GROUP],
        versions: [version],
        resources: ['virtualmachinetemplates'],
        operations: ['CREATE', 'UPDATE'],
      },
    ],
    admit,
  }));
}

export function admit({ object }: Pick<ReviewRequest, 'object'>): AdmissionAnswer {
  const template = (object ?? {}) as unknown as MachineTemplate;
  const missing = (template.spec?.parameters ?? []).filter(
    ({ required = false, value = '', generate = '' }) => required && value === '' && generate === '',
  );
  if (missing.length > 0)
    return {
      allowed: true,
      warnings: missing.map(
        ({ name }) =>
          `processing validation skipped: required parameter ${JSON.stringify(name)} has neither value nor generator`,
      ),
    };
  const { problem } = processMachine({ spec: template.spec ?? {} });
  if (problem === undefined) return { allowed: true };
  const message = `processing validation failed: ${problem.field}: ${problem.detail}`;
  return { allowed: false, code: 403, reason: 'Forbidden', message };
}
