/** The controllers behind templates: OpenShift's for TemplateInstances, and KubeVirt's for its own templates. */
import type { Simulator } from '../world.ts';
import { instanceController } from './instances/controller.ts';
import { readyController } from './machine-templates/ready.ts';
import { requestController } from './machine-templates/requests.ts';

export const templates: Simulator = (world) => [
  instanceController(world),
  readyController(world),
  requestController(world),
];
