/** The areas of the product, each with its defects. */
import type { Defect } from './defect.ts';
import { api } from './defects/api.ts';
import { cloudkit } from './defects/cloudkit.ts';
import { kube } from './defects/kube.ts';
import { machine } from './defects/machine.ts';
import { sandbox } from './defects/sandbox.ts';
import { simulators } from './defects/simulators.ts';
import { tenancy } from './defects/api-tenancy.ts';
import { vmStatus } from './defects/vm-status.ts';

export const areas: Readonly<Record<string, readonly Defect[]>> = {
  sandbox,
  kube,
  simulators,
  'vm-status': vmStatus,
  api: [...api, ...tenancy],
  machine,
  cloudkit,
};
