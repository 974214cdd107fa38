/**
 * `ssvirt machine-operator` as a process with short times: its Lease ends in seconds, and it repairs losses at once.
 */
import { schema } from '../../../packages/base/src/config/keys.ts';
import { loadConfig } from '../../../packages/base/src/config/load.ts';
import { createLogger } from '../../../packages/base/src/config/log.ts';
import { runMachineOperator } from '../../../packages/ssvirt/src/processes/machine-operator/process.ts';
import { errorFields } from '../../../packages/kube/src/error-fields.ts';
import { runUntilSignal } from '../../../packages/kube/src/manager/run-until-signal.ts';
import { testReflector, testTimes } from '../../fleet/harness.ts';

/** As short as a starved host allows. */
const election = { leaseDurationMs: 8000, renewDeadlineMs: 6000, retryPeriodMs: 500 };
/** A busy host answers late, which does not make it unreachable. */
const health = { ...testTimes, deadlineMs: 5000 };

// No name is looked up: the images are simulated.
const env = { SSVIRT_IMAGES_ALLOWED_HOSTS: '*' };
const { config } = loadConfig(schema, { process: 'machine-operator', file: process.argv[2], env });
const log = createLogger(config.log, { serializers: { err: errorFields } });
const times = { election, health, reflector: testReflector };
await runUntilSignal((signal) => runMachineOperator(config, log, signal, times), { log });
