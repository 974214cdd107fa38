/** Turns a schema violation into a sentence: which field, which value, which rule. */
import type { FastifyError } from 'fastify';
import { ruleOfPattern } from './texts.ts';

type Issue = NonNullable<FastifyError['validation']>[number] & { readonly data?: unknown };

export function validationMessage({ validation = [], validationContext = 'body' }: FastifyError): string {
  const [issue] = validation as readonly Issue[];
  if (issue === undefined) return 'The request is not valid.';
  const field = fieldOf(issue, validationContext);
  const value = shown(issue);
  return `${field}${value === '' ? '' : `: ${value}`} ${ruleOf(issue)}`;
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
function shown({ instancePath, keyword, data }: Issue): string {
  if (keyword === 'required' || keyword === 'additionalProperties') return '';
  if (data === undefined || /password|secret|token|cloudInit|sshKeys|^\/parameters\b/i.test(instancePath)) return '';
  // A large or deeply nested value is not shown: serializing it could overflow the stack.
  if (typeof data === 'object' && data !== null) return Array.isArray(data) ? 'a list' : 'an object';
  const text = JSON.stringify(data) ?? '';
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function ruleOf({ keyword, params, message = 'is not valid' }: Issue): string {
  if (keyword === 'required') return 'is missing';
  if (keyword === 'additionalProperties') return 'is not a field of this request';
  if (keyword === 'enum') return `must be one of ${(params['allowedValues'] as readonly unknown[]).join(', ')}`;
  if (keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`;
  if (keyword === 'pattern') return ruleOfPattern(String(params['pattern'])) ?? message;
  return message;
}
