/**
 * `ssvirt vm-controller` as a process with short times: its Lease ends in seconds, and it retries lost connections at
 * once.
 */
import { schema } from '../../packages/base/src/config/keys.ts';
import { loadConfig } from '../../packages/base/src/config/load.ts';
import { createLogger } from '../../packages/base/src/config/log.ts';
import { errorFields } from '../../packages/kube/src/error-fields.ts';
import { runUntilSignal } from '../../packages/kube/src/manager/run-until-signal.ts';
import { runVmController } from '../../packages/ssvirt/src/processes/vm-controller/process.ts';
import type { ProcessTimes } from '../../packages/ssvirt/src/fleet/identity/with-own-cluster.ts';
import { testReflector, testTimes } from '../fleet/harness.ts';

/** Two seconds between the loss of the Lease and its end: a starved host needs them. */
const election = { leaseDurationMs: 4000, renewDeadlineMs: 2000, retryPeriodMs: 300 };

/** The configuration file, and the silence limit of watches, by default the production value. */
const [file, silenceMs] = process.argv.slice(2);
const reflector = { ...testReflector, ...(silenceMs === undefined ? {} : { silenceMs: Number(silenceMs) }) };
const times: ProcessTimes = { election, health: testTimes, reflector };
const { config } = loadConfig(schema, { process: 'vm-controller', file });
const log = createLogger(config.log, { serializers: { err: errorFields } });
await runUntilSignal((signal) => runVmController(config, log, signal, times), { log });
