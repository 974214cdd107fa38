/** One rule of `x-kubernetes-validations`, compiled for the type of its value. */
import type { Schema, ValidationRule } from '../schema/schema.ts';
import { findField } from '../schema/field-path.ts';
import { type Compiled, type CompileFailure, compileExpression } from './program.ts';
import { trimSpace } from '../schema/go/go-text.ts';
import { type Type, optionalOf } from './types/types.ts';

export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Absent if the rule is empty or does not compile. */
  readonly program?: Compiled;
  readonly error?: string;
  readonly usesOldSelf: boolean;
  readonly message?: Compiled;
  readonly messageError?: string;
  /** Where the failure is reported, relative to the value. */
  readonly fieldPath: string;
}

export function compileRule(rule: ValidationRule, self: Type, schema: Schema): CompiledRule {
  const uncompiled = { rule, usesOldSelf: false, fieldPath: '' };
  if (trimSpace(rule.rule) === '') return uncompiled;
  const oldSelf = rule.optionalOldSelf === true ? optionalOf(self) : self;
  const variables = new Map([
    ['self', self],
    ['oldSelf', oldSelf],
  ]);
  const program = compileExpression(rule.rule, variables);
  if (!('run' in program)) return { ...uncompiled, error: failureText(program, '', 'program ') };
  if (program.type.kind !== 'bool') return { ...uncompiled, error: 'cel expression must evaluate to a bool' };
  const usesOldSelf = program.used.has('oldSelf');
  const compiled = { rule, program, usesOldSelf, fieldPath: '' };
  const fieldPath = fieldPathOf(rule, schema);
  if (rule.messageExpression === undefined || rule.messageExpression === '') return { ...compiled, fieldPath };
  const message = compileExpression(rule.messageExpression, variables);
  if (!('run' in message)) {
    return { ...compiled, messageError: failureText(message, 'messageExpression ', 'messageExpression ') };
  }
  if (message.type.kind !== 'string') {
    return { ...compiled, messageError: 'messageExpression must evaluate to a string' };
  }
  return { ...compiled, message, fieldPath };
}

function fieldPathOf(rule: ValidationRule, schema: Schema): string {
  const found = findField(rule.fieldPath ?? '', schema, { arrays: true });
  return found.error === undefined ? found.path : '';
}

const failureText = (failure: CompileFailure, compiling: string, instantiating: string): string =>
  failure.stage === 'compilation'
    ? `${compiling}compilation failed: ${failure.text}`
    : `${instantiating}instantiation failed: ${failure.text}`;

let lastName = 0;

/** The type name of `self` in error texts. It differs every time, so that no client can depend on it. */
export function selfTypeName(): string {
  lastName = (lastName + 1 + Math.floor(Math.random() * 999_999_999)) % 1_000_000_000;
  return `selfType${lastName}`;
}
