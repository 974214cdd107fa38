/** `ssvirt api-server` as a process with short times: its claims end in seconds. */
import { schema } from '../../../src/config/keys.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { createLogger } from '../../../src/config/log.ts';
import { runUntilSignal } from '../../../src/kube/manager/run-until-signal.ts';
import { errorFields } from '../../../src/processes/error-fields.ts';
import { runApiServer } from '../../../src/processes/api-server/process.ts';
import { testReflector, testTimes } from '../../fleet/ground.ts';
import { times } from './times.ts';

const { config } = loadConfig(schema, { process: 'api-server', env: process.env });
const log = createLogger(config.log, { serializers: { err: errorFields } });
const all = { ...times, health: testTimes, reflector: testReflector };
await runUntilSignal((signal) => runApiServer(config, log, signal, all), { log });
