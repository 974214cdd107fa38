/** The controller on a sandbox. */
import { startMemberCluster } from '../fleet/sandboxes.ts';
import { behaviourCases } from './behaviour-cases.ts';

behaviourCases(() => startMemberCluster('behaviour'));
