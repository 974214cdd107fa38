/** Kubernetes' URL library: `url(self.endpoint).getScheme() == 'https'`. */
import { type Overload, fail, global, member } from './functions.ts';
import { type ParsedUrl, escapedPath, hostname, parseRequestUrl, port, queryValues } from './url-parser.ts';
import { LibraryValue, NO_SUCH_OVERLOAD, PlainList, PlainMap, type Value } from '../values.ts';

const TYPE = 'kubernetes.URL';

class UrlValue extends LibraryValue {
  readonly typeName = TYPE;
  readonly url: ParsedUrl;

  constructor(url: ParsedUrl) {
    super();
    this.url = url;
  }

  equals(other: Value): boolean {
    return other instanceof UrlValue && this.url.text === other.url.text;
  }
}

const on = (value: LibraryValue, answer: (url: ParsedUrl) => Value): Value =>
  value instanceof UrlValue ? answer(value.url) : NO_SUCH_OVERLOAD;

function query(url: ParsedUrl): PlainMap {
  const map = new PlainMap();
  for (const [name, values] of queryValues(url)) map.set(name, new PlainList(values));
  return map;
}

export const URLS: readonly Overload[] = [
  global('url', ['string'], TYPE, (text) => {
    const parsed = parseRequestUrl(text);
    if (typeof parsed === 'string') return fail(`URL parse error during conversion from string: ${parsed}`);
    return new UrlValue(parsed);
  }),
  global('isURL', ['string'], 'bool', (text) => typeof parseRequestUrl(text) !== 'string'),
  member('getScheme', [TYPE], 'string', (u) => on(u, ({ scheme }) => scheme)),
  member('getHost', [TYPE], 'string', (u) => on(u, ({ host }) => host)),
  member('getHostname', [TYPE], 'string', (u) => on(u, hostname)),
  member('getPort', [TYPE], 'string', (u) => on(u, port)),
  member('getEscapedPath', [TYPE], 'string', (u) => on(u, escapedPath)),
  member('getQuery', [TYPE], 'map<string, list<string>>', (u) => on(u, query)),
];
