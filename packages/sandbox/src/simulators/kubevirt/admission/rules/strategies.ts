/** The start strategy and eviction strategy of a VMI. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, textAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, type Cause } from '../cause.ts';

const EVICTION = ['LiveMigrate', 'LiveMigrateIfPossible', 'None', 'External'];

export function startStrategyCauses(field: string, spec: JsonObject): Cause[] {
  if (!isSet(spec, 'startStrategy')) return [];
  const at = `${field}.startStrategy`;
  const strategy = textAt(spec, 'startStrategy');
  if (strategy !== 'Paused') return [invalid(`${at} is set with an unrecognized option: ${strategy}`, at)];
  if (!isSet(spec, 'livenessProbe')) return [];
  const text = `either ${at} or ${field}.livenessProbe should be provided.Pausing VMI with LivenessProbe is not supported`;
  return [invalid(text, at)];
}

export function evictionStrategyCauses(field: string, spec: JsonObject): Cause[] {
  const strategy = textAt(spec, 'evictionStrategy');
  if (!isSet(spec, 'evictionStrategy') || EVICTION.includes(strategy)) return [];
  const at = `${field}.evictionStrategy`;
  return [invalid(`${at} is set with an unrecognized option: ${strategy}`, at)];
}
