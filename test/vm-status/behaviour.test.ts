/** The controller on a sandbox. */
import { startMemberCluster } from '../fleet/sandboxes.ts';
import { behaviourCases } from './cases/behaviour-cases.ts';

behaviourCases(() => startMemberCluster('behaviour'));
