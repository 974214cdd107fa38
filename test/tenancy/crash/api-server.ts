/** `ssvirt api-server` as a process with short times: its claims end in seconds. */
import { schema } from '../../../packages/base/src/config/keys.ts';
import { loadConfig } from '../../../packages/base/src/config/load.ts';
import { createLogger } from '../../../packages/base/src/config/log.ts';
import { runUntilSignal } from '../../../packages/kube/src/manager/run-until-signal.ts';
import { errorFields } from '../../../packages/ssvirt/src/processes/error-fields.ts';
import { runApiServer } from '../../../packages/ssvirt/src/processes/api-server/process.ts';
import { testReflector, testTimes } from '../../fleet/harness.ts';
import { times } from './times.ts';

const { config } = loadConfig(schema, { process: 'api-server', env: process.env });
const log = createLogger(config.log, { serializers: { err: errorFields } });
const all = { ...times, health: testTimes, reflector: testReflector };
await runUntilSignal((signal) => runApiServer(config, log, signal, all), { log });
