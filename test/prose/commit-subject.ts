/** What the subject of a commit must be: `area: imperative summary`. */
const limit = 72;
const form = /^[a-z0-9]+(?:[-/.][a-z0-9]+)*(?:, [a-z0-9]+(?:[-/.][a-z0-9]+)*)*: \S/;

/** `problemOfSubject` is the rule that a subject breaks, or undefined. */
export function problemOfSubject(subject: string): string | undefined {
  if (!form.test(subject)) return 'must be "area: summary", with the area in lower case';
  if (subject.endsWith('.')) return 'must end without a full stop';
  const { length } = [...subject];
  return length > limit ? `has ${length} characters; the limit is ${limit}` : undefined;
}
