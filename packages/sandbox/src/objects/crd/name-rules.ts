/** Validates the names of a definition, in its spec and in its status. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { isDNS1035Label } from '../schema/names.ts';
import type { DefinitionNames } from './types.ts';

/** The names that are required in the spec but not in the status. */
export function requiredNames(names: Partial<DefinitionNames>): FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const).flatMap((key) =>
    (names[key] ?? '') === '' ? [fieldError.required(`spec.names.${key}`, '')] : [],
  );
}

export function nameErrors(names: Partial<DefinitionNames>, path: string): FieldError[] {
  const { plural = '', singular = '', kind = '', listKind = '', shortNames = [], categories = [] } = names;
  const label = (field: string, value: string): FieldError[] => {
    const problems = isDNS1035Label(value);
    return problems.length === 0 ? [] : [fieldError.invalid(field, value, problems.join(','))];
  };
  const kindLabel = (field: string, value: string): FieldError[] => {
    const problems = isDNS1035Label(value.toLowerCase());
    const text = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
    return problems.length === 0 ? [] : [fieldError.invalid(field, value, text)];
  };
  return [
    ...(plural === '' ? [] : label(`${path}.plural`, plural)),
    ...(singular === '' ? [] : label(`${path}.singular`, singular)),
    ...(kind === '' ? [] : kindLabel(`${path}.kind`, kind)),
    ...(listKind === '' ? [] : kindLabel(`${path}.listKind`, listKind)),
    ...shortNames.flatMap((name, i) => label(`${path}.shortNames[${i}]`, name)),
    ...(kind !== '' && kind === listKind
      ? [fieldError.invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...categories.flatMap((name, i) => label(`${path}.categories[${i}]`, name)),
  ];
}
