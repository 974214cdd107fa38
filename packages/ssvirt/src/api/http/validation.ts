/** Turns a schema violation into a sentence: which field, which value, which rule. */
import type { FastifyError } from 'fastify';
import { ruleOfPattern } from './texts.ts';

type Issue = NonNullable<FastifyError['validation']>[number] & { readonly data?: unknown };

export function validationMessage({ validation = [], validationContext = 'body' }: FastifyError): string {
  const [issue] = validation as readonly Issue[];
  if (issue === undefined) return 'The request is not valid.';
  const sentence = sentenceOf(fieldOf(issue, validationContext), issue);
  return `${sentence.charAt(0) === 't' ? sentence.replace(/^the /, 'The ') : sentence}.`;
}

function sentenceOf(field: string, issue: Issue): string {
  const { keyword, params, data } = issue;
  const unit = unitOf(field);
  const limit = String(params['limit']);
  if (keyword === 'required') return `${field} is missing`;
  if (keyword === 'additionalProperties') return `${field} is not a field of this request`;
  if (keyword === 'minimum') return `${field} is ${String(data)}${unit}; the minimum is ${limit}${unit}`;
  if (keyword === 'maximum') return `${field} is ${String(data)}${unit}; the maximum is ${limit}${unit}`;
  const value = shown(issue);
  return value === '' ? `${field} ${ruleOf(issue)}` : `${field} is ${value}; it ${ruleOf(issue)}`;
}

/** The names of amounts end with their unit. */
function unitOf(field: string): string {
  const unit = /[a-z](Mb|Gb)$/.exec(field)?.[1];
  return unit === undefined ? '' : ` ${unit.toUpperCase()}`;
}

function fieldOf({ instancePath, keyword, params }: Issue, context: string): string {
  const path = instancePath.split('/').slice(1).join('.');
  if (keyword === 'required') return join(path, String(params['missingProperty'])) || context;
  if (keyword === 'additionalProperties') return join(path, String(params['additionalProperty']));
  return path === '' ? `the ${context === 'querystring' ? 'query' : context}` : path;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** A short form of the value; empty for a field that may contain a secret. */
function shown({ instancePath, data }: Issue): string {
  if (data === undefined || /password|secret|token|cloudInit|sshKeys|^\/parameters\b/i.test(instancePath)) return '';
  // A large or deeply nested value is not shown: serializing it could overflow the stack.
  if (typeof data === 'object' && data !== null) return Array.isArray(data) ? 'a list' : 'an object';
  const text = JSON.stringify(data) ?? '';
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function ruleOf({ keyword, params, message = 'is not valid' }: Issue): string {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'type':
      return `must be ${[params['type']].flat().map(typeText).join(' or ')}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as readonly unknown[]).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'pattern':
      return ruleOfPattern(String(params['pattern'])) ?? message;
    case 'minLength':
      return `must have at least ${limit} ${limit === '1' ? 'character' : 'characters'}`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
    case 'minProperties':
      return `must have at least ${limit} ${limit === '1' ? 'entry' : 'entries'}`;
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${limit} entries`;
    default:
      return message;
  }
}

const typeTexts: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function typeText(type: unknown): string {
  return typeTexts[String(type)] ?? String(type);
}
