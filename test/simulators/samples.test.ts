/** Samples, on the sandbox. */
import { startMemberCluster } from '../fleet/sandboxes.ts';
import { samplesCases } from './samples-cases.ts';

samplesCases(() => startMemberCluster('samples'));
