/** Kubernetes' named formats: `format.dns1123Label().validate(self.name)` returns the errors, or none. */
import {
  isQualifiedName,
  isValidLabelValue,
  nameIsDNS1035Label,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
} from '../../schema/names.ts';
import { type Overload, global, member } from './functions.ts';
import { parseRequestUrl } from './url-parser.ts';
import { LibraryValue, NO_SUCH_OVERLOAD, Optional, PlainList, type Value } from '../values.ts';

const TYPE = 'kubernetes.NamedFormat';

type Check = (text: string) => readonly string[];

class FormatValue extends LibraryValue {
  readonly typeName = TYPE;
  readonly check: Check;

  constructor(check: Check) {
    super();
    this.check = check;
  }

  equals(other: Value): boolean {
    return other === this;
  }
}

const byPattern =
  (pattern: RegExp, complaint: string): Check =>
  (text) =>
    pattern.test(text) ? [] : [complaint];

/** JavaScript parses a nonexistent day as a later one, or not at all. */
function isDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)[tT]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([zZ]|[+-]\d\d:?\d\d)?$/;

const FORMATS: ReadonlyMap<string, FormatValue> = new Map<string, FormatValue>(
  Object.entries({
    dns1123Label: (text: string) => nameIsDNSLabel(text, false),
    dns1123Subdomain: (text: string) => nameIsDNSSubdomain(text, false),
    dns1035Label: (text: string) => nameIsDNS1035Label(text, false),
    qualifiedName: isQualifiedName,
    dns1123LabelPrefix: (text: string) => nameIsDNSLabel(text, true),
    dns1123SubdomainPrefix: (text: string) => nameIsDNSSubdomain(text, true),
    dns1035LabelPrefix: (text: string) => nameIsDNS1035Label(text, true),
    labelValue: isValidLabelValue,
    uri: (text: string) => {
      const parsed = parseRequestUrl(text);
      return typeof parsed === 'string' ? [parsed] : [];
    },
    uuid: byPattern(
      /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
      'does not match the UUID format',
    ),
    byte: byPattern(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'invalid base64'),
    date: (text: string) => (isDate(text) ? [] : ['invalid date']),
    datetime: (text: string) => (isDate(DATE_TIME.exec(text)?.[1] ?? '') ? [] : ['invalid datetime']),
  } satisfies Record<string, Check>).map(([name, check]) => [name, new FormatValue(check)]),
);

function validate(format: LibraryValue, text: string): Value {
  if (!(format instanceof FormatValue)) return NO_SUCH_OVERLOAD;
  const complaints = format.check(text);
  return complaints.length === 0 ? Optional.NONE : new Optional(new PlainList([...complaints]));
}

export const FORMAT: readonly Overload[] = [
  ...[...FORMATS].map(([name, format]) => global(`format.${name}`, [], TYPE, () => format)),
  global('format.named', ['string'], `optional_type<${TYPE}>`, (name) => new Optional(FORMATS.get(name))),
  member('validate', [TYPE, 'string'], 'optional_type<list<string>>', validate),
];
