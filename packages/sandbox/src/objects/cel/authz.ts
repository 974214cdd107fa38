/**
 * The authorizer's functions, by name only: no schema rule can call them, but error texts depend on their existence.
 */
import { type Overload, member } from './library/functions.ts';
import { NO_SUCH_OVERLOAD } from './values.ts';

const TYPE = 'kubernetes.authorization';

const DECLARED: readonly (readonly [on: string, name: string, args: readonly string[], result: string])[] = [
  ['Authorizer', 'path', ['string'], `${TYPE}.PathCheck`],
  ['Authorizer', 'group', ['string'], `${TYPE}.GroupCheck`],
  ['Authorizer', 'serviceAccount', ['string', 'string'], `${TYPE}.Authorizer`],
  ['PathCheck', 'check', ['string'], `${TYPE}.Decision`],
  ['ResourceCheck', 'check', ['string'], `${TYPE}.Decision`],
  ['GroupCheck', 'resource', ['string'], `${TYPE}.ResourceCheck`],
  ['ResourceCheck', 'subresource', ['string'], `${TYPE}.ResourceCheck`],
  ['ResourceCheck', 'namespace', ['string'], `${TYPE}.ResourceCheck`],
  ['ResourceCheck', 'name', ['string'], `${TYPE}.ResourceCheck`],
  ['ResourceCheck', 'fieldSelector', ['string'], `${TYPE}.ResourceCheck`],
  ['ResourceCheck', 'labelSelector', ['string'], `${TYPE}.ResourceCheck`],
  ['Decision', 'allowed', [], 'bool'],
  ['Decision', 'reason', [], 'string'],
  ['Decision', 'errored', [], 'bool'],
  ['Decision', 'error', [], 'string'],
];

export const AUTHZ: readonly Overload[] = DECLARED.map(([on, name, args, result]) =>
  member(name, [`${TYPE}.${on}`, ...args], result, () => NO_SUCH_OVERLOAD),
);
