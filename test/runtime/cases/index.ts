/** All cases. Each part of the runtime adds its own file here. */
import type { RuntimeCase } from '../case.ts';
import { applyCases } from './apply.ts';
import { cacheCases } from './cache.ts';
import { clientCases } from './client.ts';
import { complaintCases } from './complaints.ts';
import { controllerCases } from './controller.ts';
import { electionCases } from './election.ts';
import { eventCases } from './events.ts';
import { kubeconfigCases } from './kubeconfig.ts';
import { idleCases } from './idle.ts';
import { leadershipCases } from './leadership.ts';
import { managerCases } from './manager.ts';
import { objectCases } from './objects.ts';
import { proxyCases } from './proxy.ts';
import { reconcileCases } from './reconcile.ts';
import { rotationCases } from './rotation.ts';
import { shapeCases } from './shape.ts';

export const cases: readonly RuntimeCase[] = [
  ...proxyCases,
  ...clientCases,
  ...cacheCases,
  ...kubeconfigCases,
  ...objectCases,
  ...reconcileCases,
  ...applyCases,
  ...shapeCases,
  ...eventCases,
  ...idleCases,
  ...electionCases,
  ...leadershipCases,
  ...managerCases,
  ...controllerCases,
  ...rotationCases,
  ...complaintCases,
];
