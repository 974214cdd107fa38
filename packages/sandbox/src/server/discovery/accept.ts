/** `AcceptClause` parses the Accept header: clauses with higher quality come first, others in their order. */
export interface AcceptClause {
  /** Such as `application/json` or `text/*`, in lower case. */
  readonly type: string;
  readonly parameters: { readonly [name: string]: string };
}

export function acceptClauses(header: string): AcceptClause[] {
  return header
    .split(',')
    .map((text) => {
      const [type = '', ...rest] = text.split(';').map((part) => part.trim());
      const parameters = Object.fromEntries(rest.map(parameter));
      return { type: type.toLowerCase(), parameters, quality: quality(parameters['q']) };
    })
    .filter(({ type }) => type.includes('/'))
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ type, parameters }) => ({ type, parameters }));
}

function parameter(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}

function quality(q: string | undefined): number {
  const value = Number(q ?? 1);
  return Number.isNaN(value) ? 1 : value;
}
