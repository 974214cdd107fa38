/** KubeVirt and CDI as installations, on the sandbox. */
import { startMemberCluster } from '../fleet/sandboxes.ts';
import { installationCases } from './installation-cases.ts';

installationCases(() => startMemberCluster('installation'));
