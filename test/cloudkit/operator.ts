/** `ssvirt cloudkit-operator` as a process that repairs losses at once. */
import { schema } from '../../src/config/keys.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createLogger } from '../../src/config/log.ts';
import { runCloudkitOperator } from '../../src/processes/cloudkit-operator/process.ts';
import { errorFields } from '../../src/kube/error-fields.ts';
import { runUntilSignal } from '../../src/kube/manager/run-until-signal.ts';
import { testReflector } from '../fleet/ground.ts';

const { config } = loadConfig(schema, { process: 'cloudkit-operator', file: process.argv[2] });
const log = createLogger(config.log, { serializers: { err: errorFields } });
await runUntilSignal((signal) => runCloudkitOperator(config, log, signal, { reflector: testReflector }), { log });
