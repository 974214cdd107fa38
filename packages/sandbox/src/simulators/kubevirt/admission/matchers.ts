/** The matchers by which a VM names its instance type and preference. */
import { jsonEqual, type JsonObject } from '../../../values/json.ts';
import { isSet, objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import { roles, type Role } from '../instancetypes/matcher.ts';
import { invalid, notFound, notSupported, type Cause } from './cause.ts';

const CALLED: Readonly<Record<Role, string>> = { instancetype: 'InstancetypeMatcher', preference: 'PreferenceMatcher' };

/** `matcherCauses` returns the causes of the first check that finds any. */
export function matcherCauses(spec: JsonObject, oldSpec: JsonObject | undefined): Cause[] {
  const checks = [
    ...roles.map((role) => (): Cause[] => updateCauses(role, objectAt(spec, role), objectAt(oldSpec, role))),
    ...roles.map((role) => (): Cause[] => formCauses(role, objectAt(spec, role))),
  ];
  for (const check of checks) {
    const causes = check();
    if (causes.length > 0) return causes;
  }
  return [];
}

/** A new name with the old revisionName would still run with the old revision. */
function updateCauses(role: Role, matcher: JsonObject | undefined, old: JsonObject | undefined): Cause[] {
  if (matcher === undefined || old === undefined || jsonEqual(matcher, old)) return [];
  const revision = textAt(old, 'revisionName');
  const stale = textAt(matcher, 'name') !== textAt(old, 'name') && textAt(matcher, 'revisionName') === revision;
  if (revision === '' || !stale) return [];
  const text = 'the Matcher Name has been updated without updating the RevisionName';
  return [invalid(text, `spec.${role}.revisionName`)];
}

function formCauses(role: Role, matcher: JsonObject | undefined): Cause[] {
  if (matcher === undefined) return [];
  const [name, volume] = [textAt(matcher, 'name'), textAt(matcher, 'inferFromVolume')];
  const at = `spec.${role}`;
  const causes: Cause[] = [];
  if (name === '' && volume === '')
    causes.push(notFound(`Either Name or InferFromVolume should be provided within the ${CALLED[role]}`, at));
  if (volume !== '' && name !== '') {
    causes.push(notSupported('Name already set, should be cleared before setting inferFromVolume', `${at}.name`));
  }
  if (volume !== '' && textAt(matcher, 'kind') !== '') {
    causes.push(notSupported('Kind already set, should be cleared before setting inferFromVolume', `${at}.kind`));
  }
  const policy = textAt(matcher, 'inferFromVolumeFailurePolicy');
  if (isSet(matcher, 'inferFromVolumeFailurePolicy') && policy !== 'Ignore' && policy !== 'Reject') {
    const text = `Invalid value '${policy}' for InferFromVolumeFailurePolicy`;
    causes.push(invalid(text, `${at}.inferFromVolumeFailurePolicy`));
  }
  return causes;
}
