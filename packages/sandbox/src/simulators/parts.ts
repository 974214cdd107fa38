/** The parts that can be simulated: their controllers, webhooks and APIs, and the namespaces that they need. */
import { simulatedParts } from '@ssvirt/base/config/keys';
import { cdi } from './cdi/simulator.ts';
import { cdiWebhooks } from './cdi/webhooks.ts';
import { kubevirtWebhooks } from './kubevirt/admission/webhooks.ts';
import { cloneController } from './kubevirt/clone/simulator.ts';
import { cdiInstallation, installation } from './kubevirt/installation/simulator.ts';
import { migrationController } from './kubevirt/migration/simulator.ts';
import { snapshotController } from './kubevirt/snapshot/simulator.ts';
import { subresourcesApis } from './kubevirt/subresources/api.ts';
import type { VirtHandler } from './kubevirt/virt-handler.ts';
import { vmController } from './kubevirt/vm/simulator.ts';
import { vmiController } from './kubevirt/vmi/simulator.ts';
import { loadBalancers } from './load-balancers/simulator.ts';
import { nodes, virtHandler } from './node/simulator.ts';
import { samples } from './samples/simulator.ts';
import type { AggregatedApi, ServedWebhook } from './serving/contracts.ts';
import { storage } from './storage/simulator.ts';
import { templatesApis } from './templates/api.ts';
import { machineTemplateWebhooks } from './templates/machine-templates/webhook.ts';
import { templates } from './templates/simulator.ts';
import type { Simulator, World } from './world.ts';

export const partNames = simulatedParts;

export type PartName = (typeof partNames)[number];

export interface ApiContext {
  readonly handler: VirtHandler;
  /** The folder for the store of an API; without it, the store is in memory. */
  readonly data?: string;
}

export interface Part {
  readonly namespaces?: readonly string[];
  readonly simulators: readonly Simulator[];
  readonly webhooks?: (world: World) => readonly ServedWebhook[];
  readonly apis?: (world: World, context: ApiContext) => readonly AggregatedApi[];
  /** Answers the calls of virt-api. */
  readonly virtHandler?: (world: World) => VirtHandler;
}

export const parts: Readonly<Record<PartName, Part>> = {
  kubevirt: {
    simulators: [installation, vmController, vmiController, migrationController, snapshotController, cloneController],
    webhooks: kubevirtWebhooks,
    apis: (world, { handler }) => subresourcesApis(world, handler),
  },
  nodes: { simulators: [nodes], virtHandler },
  storage: { simulators: [storage] },
  cdi: { namespaces: ['cdi'], simulators: [cdiInstallation, cdi], webhooks: cdiWebhooks },
  templates: { simulators: [templates], apis: templatesApis, webhooks: machineTemplateWebhooks },
  'load-balancers': { simulators: [loadBalancers] },
  samples: { simulators: [samples] },
};
