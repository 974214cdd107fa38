/** Webhooks of instance types and preferences. */
import type { JsonObject } from '../../../values/json.ts';
import { isSet, numberAt, objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import type { AdmissionAnswer, ReviewRequest } from '../../serving/contracts.ts';
import { preferredTopology, spreadOptions } from '../instancetypes/topology.ts';
import { allowedWith, refused } from './answer.ts';
import { invalid, type Cause } from './cause.ts';

/** The former names, which began with `prefer`. */
const OLD_TOPOLOGIES: Readonly<Record<string, string>> = {
  preferSockets: 'sockets',
  preferCores: 'cores',
  preferThreads: 'threads',
  preferSpread: 'spread',
  preferAny: 'any',
};
const TOPOLOGIES = [...Object.keys(OLD_TOPOLOGIES), ...Object.values(OLD_TOPOLOGIES)];
const SPREADS = ['CoresThreads', 'SocketsCores', 'SocketsCoresThreads'];
const LAUNCH_SECURITY = 'launchSecurity is deprecated and will be removed in a future release. Use preference instead.';

export function validateInstancetype(request: ReviewRequest): AdmissionAnswer {
  const spec = objectAt(request.object ?? {}, 'spec') ?? {};
  const memory = objectAt(spec, 'memory');
  const percent = numberAt(memory, 'overcommitPercent');
  const at = 'spec.memory.overcommitPercent';
  const causes: Cause[] = [];
  if (percent < 0 || percent > 100) causes.push(invalid(`${at} '${percent}': must be in range between 0 and 100.`, at));
  if (percent !== 0 && isSet(memory, 'hugepages'))
    causes.push(invalid(`${at} and spec.memory.hugepages should not be requested together.`, at));
  if (causes.length > 0) return refused(causes);
  return allowedWith(isSet(spec, 'launchSecurity') ? [LAUNCH_SECURITY] : []);
}

export function validatePreference(request: ReviewRequest): AdmissionAnswer {
  const spec = objectAt(request.object ?? {}, 'spec') ?? {};
  const topology = textAt(objectAt(spec, 'cpu'), 'preferredCPUTopology');
  const causes = [...topologyCauses(spec, topology), ...spreadOptionCauses(spec)];
  if (causes.length > 0) return refused(causes);
  const better = OLD_TOPOLOGIES[topology];
  if (better === undefined) return allowedWith([]);
  return allowedWith([
    `PreferredCPUTopology ${topology} is deprecated for removal in a future release, please use ${better} instead`,
  ]);
}

function topologyCauses(spec: JsonObject, topology: string): Cause[] {
  if (!isSet(objectAt(spec, 'cpu'), 'preferredCPUTopology') || TOPOLOGIES.includes(topology)) return [];
  return [invalid(`unknown preferredCPUTopology ${topology}`, 'spec.cpu.preferredCPUTopology')];
}

function spreadOptionCauses(spec: JsonObject): Cause[] {
  if (preferredTopology(spec) !== 'spread') return [];
  const { ratio, across } = spreadOptions(spec);
  if (!SPREADS.includes(across)) return [invalid(`across ${across} is not supported`, 'spec.cpu.spreadOptions.across')];
  if (across !== 'CoresThreads' || ratio === 2) return [];
  const text = 'only a ratio of 2 (1 core 2 threads) is allowed when spreading vCPUs over cores and threads';
  return [invalid(text, 'spec.cpu.spreadOptions.ratio')];
}
