/** The settings of the operator that affect what an order becomes, from the same flags, variables and file. */
import type { Command } from 'commander';
import type { Config } from '@ssvirt/base/config/keys';
import type { ClusterChoice } from '../cluster/choice.ts';
import { addConfigOptions, configOf, type Selection } from '@ssvirt/base/config/options';

export type OrderSettings = Pick<
  Config['cloudkit'],
  | 'storageClass'
  | 'nativeTemplates'
  | 'floatingIpTemplates'
  | 'imageNamespaces'
  | 'networkBinding'
  | 'controllerMode'
  | 'rolloutPercentage'
> & { readonly quietPeriodMs: number };

const names = new Set([
  'kubeconfig',
  'context',
  'storageClass',
  'nativeTemplates',
  'floatingIpTemplates',
  'imageNamespaces',
  'networkBinding',
  'controllerMode',
  'rolloutPercentage',
]);

const selection: Selection = ({ path }) => path.startsWith('cloudkit.') && names.has(path.slice('cloudkit.'.length));

export function addOrderSettings(command: Command): Command {
  return addConfigOptions(command, 'cloudkit-operator', selection);
}

export function orderSettings(command: Command): { readonly settings: OrderSettings; readonly choice: ClusterChoice } {
  const { cloudkit } = configOf(command, 'cloudkit-operator', selection).config;
  const { aap, kubeconfig, context, ...settings } = cloudkit;
  const { kubeconfig: flag } = command.opts<{ kubeconfig?: string }>();
  // KUBECONFIG may name several files, as for kubectl. The kubeconfig loader splits it.
  const isFromVariable =
    flag === undefined &&
    process.env['KUBECONFIG'] !== undefined &&
    process.env['SSVIRT_CLOUDKIT_KUBECONFIG'] === undefined;
  return {
    settings: { ...settings, quietPeriodMs: aap.quietPeriod },
    choice: { kubeconfig: isFromVariable ? undefined : kubeconfig, context },
  };
}
