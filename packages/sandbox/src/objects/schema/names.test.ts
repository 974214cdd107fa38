import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  isConfigMapKey,
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  isQualifiedName,
  isValidLabelValue,
  nameIsDNSSubdomain,
} from './names.ts';

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const dns1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const key =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const cases: [string, (name: string) => readonly string[], string, string[]][] = [
  ['a label', isDNS1123Label, 'my-name', []],
  ['a label with dots', isDNS1123Label, 'a.b', ['must not contain dots']],
  ['a label with capitals', isDNS1123Label, 'A', [label]],
  ['a long label', isDNS1123Label, 'a'.repeat(64), ['must be no more than 63 characters']],
  ['an empty subdomain', isDNS1123Subdomain, '', [subdomain]],
  ['a long bad subdomain', isDNS1123Subdomain, '_'.repeat(254), ['must be no more than 253 characters', subdomain]],
  ['a subdomain', isDNS1123Subdomain, '0.example.com', []],
  ['a 1035 label that starts with a digit', isDNS1035Label, '1a', [dns1035]],
  ['a qualified name', isQualifiedName, 'example.com/Name_1.x', []],
  ['an empty qualified name', isQualifiedName, '', ['name part must be non-empty', `name part ${key}`]],
  ['an empty prefix', isQualifiedName, '/a', ['prefix part must be non-empty']],
  ['a bad prefix', isQualifiedName, 'A/a', [`prefix part ${subdomain}`]],
  ['a long name part', isQualifiedName, 'x'.repeat(64), ['name part must be no more than 63 bytes']],
  ['a long prefix', isQualifiedName, `${'x'.repeat(254)}/a`, ['prefix part must be no more than 253 bytes']],
  [
    'two slashes',
    isQualifiedName,
    'a/b/c',
    [`a valid label key ${key} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
  ],
  ['an empty label value', isValidLabelValue, '', []],
  ['a label value with a space', isValidLabelValue, 'a b', [value]],
  ['a long label value', isValidLabelValue, 'v'.repeat(64), ['must be no more than 63 bytes']],
  ['a path segment', isPathSegmentName, 'system:node:x', []],
  ['a path segment with a slash', isPathSegmentName, 'a/b%', ["may not contain '/'", "may not contain '%'"]],
  ['a path segment of dots', isPathSegmentName, '..', ["may not be '..'"]],
  ['a config key of dots', isConfigMapKey, '..a', ["must not start with '..'"]],
  ['a generateName', (name) => nameIsDNSSubdomain(name, true), 'web-', []],
];

describe('names', () => {
  for (const [name, rule, input, errors] of cases) {
    test(name, () => assert.deepEqual([...rule(input)], errors));
  }
});
