/** `ssvirt cloudkit-operator` as a process that repairs losses at once. */
import { schema } from '../../packages/base/src/config/keys.ts';
import { loadConfig } from '../../packages/base/src/config/load.ts';
import { createLogger } from '../../packages/base/src/config/log.ts';
import { runCloudkitOperator } from '../../packages/ssvirt/src/processes/cloudkit-operator/process.ts';
import { errorFields } from '../../packages/kube/src/error-fields.ts';
import { runUntilSignal } from '../../packages/kube/src/manager/run-until-signal.ts';
import { testReflector } from '../fleet/harness.ts';

// No name is looked up: the images are simulated.
const env = { SSVIRT_IMAGES_ALLOWED_HOSTS: '*' };
const { config } = loadConfig(schema, { process: 'cloudkit-operator', file: process.argv[2], env });
const log = createLogger(config.log, { serializers: { err: errorFields } });
await runUntilSignal((signal) => runCloudkitOperator(config, log, signal, { reflector: testReflector }), { log });
