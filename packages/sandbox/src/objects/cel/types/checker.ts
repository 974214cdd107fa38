/** The type checker: resolves names, fields and overloads, so that a rule with an unknown field never runs. */
import type { Overload } from '../library/functions.ts';
import type { Issue } from '../issues.ts';
import { LIBRARY, TYPE_NAMES } from '../library/library.ts';
import { type Call, type Comprehension, type Expr, type Select, qualifiedName } from '../syntax/syntax.ts';
import {
  BOOL,
  DYN,
  ERROR,
  INT,
  STRING,
  type Type,
  formatType,
  listOf,
  literalType,
  mapOf,
  optionalOf,
  sameType,
  unwrapOptional,
} from './types.ts';
import { Substitutions, isWild, mostGeneral } from './unify.ts';

export interface Checked {
  readonly type: Type;
  readonly issues: readonly Issue[];
  readonly types: ReadonlyMap<Expr, Type>;
  /** The candidate overloads of a call; with a dynamic type, the choice is made at run time. */
  readonly overloads: ReadonlyMap<Call, readonly Overload[]>;
  /** Calls such as `sets.contains(a, b)`, where the apparent receiver is part of the name. */
  readonly namespaced: ReadonlySet<Call>;
  /** Names that denote a variable or a type, including `google.protobuf.Timestamp`. */
  readonly names: ReadonlyMap<Expr, string>;
  /** The declared variables that the expression uses. */
  readonly used: ReadonlySet<string>;
}

export function checkExpression(expr: Expr, variables: ReadonlyMap<string, Type>): Checked {
  return new Checker(variables).run(expr);
}

interface Scope {
  readonly names: ReadonlyMap<string, Type>;
  readonly outer: Scope | undefined;
}

class Checker {
  readonly #variables: ReadonlyMap<string, Type>;
  readonly #issues: Issue[] = [];
  readonly #types = new Map<Expr, Type>();
  readonly #overloads = new Map<Call, readonly Overload[]>();
  readonly #namespaced = new Set<Call>();
  readonly #names = new Map<Expr, string>();
  readonly #used = new Set<string>();
  readonly #bound = new Substitutions();
  #scope: Scope | undefined;

  constructor(variables: ReadonlyMap<string, Type>) {
    this.#variables = variables;
  }

  run(expr: Expr): Checked {
    this.#check(expr);
    for (const [node, type] of this.#types) this.#types.set(node, this.#bound.apply(type, true));
    return {
      type: this.#typeOf(expr),
      issues: this.#issues,
      types: this.#types,
      overloads: this.#overloads,
      namespaced: this.#namespaced,
      names: this.#names,
      used: this.#used,
    };
  }

  #typeOf(expr: Expr): Type {
    return this.#types.get(expr) ?? ERROR;
  }

  #check(expr: Expr): Type {
    const type = this.#infer(expr);
    this.#types.set(expr, type);
    return type;
  }

  #infer(expr: Expr): Type {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr.value);
      case 'ident':
        return this.#lookup(expr, expr.name) ?? this.#undeclared(expr.at, expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return listOf(this.#joined(expr.elements, expr.optionals));
      case 'map': {
        const keys = expr.entries.map(([key]) => key);
        const values = expr.entries.map(([, value]) => value);
        return mapOf(this.#joined(keys), this.#joined(values, expr.optionals));
      }
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  /** Returns the type of a name and records what the expression refers to; undefined when the name is unknown. */
  #lookup(expr: Expr, name: string): Type | undefined {
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) {
      const local = scope.names.get(name);
      if (local === undefined) continue;
      this.#names.set(expr, name);
      return local;
    }
    const variable = this.#variables.get(name);
    if (variable !== undefined) this.#used.add(name);
    const type = variable ?? TYPE_NAMES.get(name)?.type;
    if (type !== undefined) this.#names.set(expr, name);
    return type;
  }

  #undeclared(at: number, name: string): Type {
    this.#issues.push({ at, message: `undeclared reference to '${name}' (in container '')` });
    return ERROR;
  }

  #select(expr: Select): Type {
    const name = qualifiedName(expr);
    const named = name === undefined ? undefined : this.#lookup(expr, name);
    if (named !== undefined) return named;
    const type = this.#field(expr.at, expr.operand, expr.field, false);
    return expr.test ? BOOL : this.#bound.apply(type, false);
  }

  #field(at: number, operand: Expr, field: string, optionalAccess: boolean): Type {
    const { type, optional } = unwrapOptional(this.#bound.apply(this.#check(operand), false));
    const result = this.#fieldOf(at, type, field);
    return optional || optionalAccess ? optionalOf(result) : result;
  }

  #fieldOf(at: number, type: Type, field: string): Type {
    switch (type.kind) {
      case 'map':
        return type.params[1] ?? DYN;
      case 'struct': {
        // After a dot, a keyword may be written without escaping.
        const found = type.fields?.get(field) ?? type.fields?.get(`__${field}__`);
        if (found !== undefined) return found;
        const failed = type.fields === undefined;
        const message = failed ? `unexpected failed resolution of '${type.name}'` : `undefined field '${field}'`;
        this.#issues.push({ at, message });
        return ERROR;
      }
      case 'param':
        this.#bound.assign(DYN, type);
        return DYN;
      default:
        if (!isWild(type)) {
          this.#issues.push({ at, message: `type '${formatType(type)}' does not support field selection` });
        }
        return DYN;
    }
  }

  #call(expr: Call): Type {
    const [operand, field] = expr.args;
    if (expr.name === '_?._' && operand !== undefined && field?.kind === 'literal') {
      this.#types.set(field, STRING);
      return this.#bound.apply(this.#field(expr.at, operand, String(field.value), true), false);
    }
    for (const argument of expr.args) this.#check(argument);
    const { target } = expr;
    if (target === undefined) return this.#resolve(expr, expr.name, expr.args, false);
    const prefix = qualifiedName(target);
    if (prefix !== undefined && LIBRARY.has(`${prefix}.${expr.name}`)) {
      this.#namespaced.add(expr);
      return this.#resolve(expr, `${prefix}.${expr.name}`, expr.args, false);
    }
    this.#check(target);
    return this.#resolve(expr, expr.name, [target, ...expr.args], true);
  }

  #resolve(expr: Call, name: string, args: readonly Expr[], isMember: boolean): Type {
    const declared = LIBRARY.get(name);
    if (declared === undefined) return this.#undeclared(expr.at, name);
    if (name === '_&&_' || name === '_||_') return this.#logical(args);
    const types = args.map((argument) => this.#typeOf(argument));
    const matching: Overload[] = [];
    let result: Type | undefined;
    for (const overload of declared) {
      if (overload.member !== isMember) continue;
      const instance = this.#bound.instantiate(overload);
      if (!this.#bound.assignAll(types, instance.args)) continue;
      matching.push(overload);
      const type = this.#bound.apply(instance.result, false);
      if (result === undefined) result = type;
      else if (result.kind !== 'dyn' && !sameType(type, result)) result = DYN;
    }
    this.#overloads.set(expr, matching);
    return result ?? this.#noOverload(expr.at, name, types, isMember);
  }

  #logical(args: readonly Expr[]): Type {
    let type = BOOL;
    for (const argument of args) {
      const found = this.#typeOf(argument);
      if (this.#bound.assign(found, BOOL)) continue;
      this.#mismatch(argument.at, BOOL, found);
      type = ERROR;
    }
    return type;
  }

  #noOverload(at: number, name: string, types: readonly Type[], isMember: boolean): Type {
    const [first, ...rest] = types.map((type) => formatType(this.#bound.apply(type, true)));
    const receiver = isMember ? `${first}.` : '';
    const list = isMember || first === undefined ? rest : [first, ...rest];
    const message = `found no matching overload for '${name}' applied to '${receiver}(${list.join(', ')})'`;
    this.#issues.push({ at, message });
    return ERROR;
  }

  /** The common type of a literal's elements. */
  #joined(elements: readonly Expr[], optionals?: ReadonlySet<number>): Type {
    let joined: Type | undefined;
    for (const [i, element] of elements.entries()) {
      const checked = this.#check(element);
      const type = optionals?.has(i) === true ? this.#unwrapped(element, checked) : checked;
      if (joined === undefined) joined = type;
      else joined = this.#bound.assign(joined, type) ? mostGeneral(joined, type) : DYN;
    }
    return joined ?? this.#bound.fresh();
  }

  #unwrapped(element: Expr, type: Type): Type {
    const { type: inner, optional } = unwrapOptional(type);
    if (!optional && type.kind !== 'dyn') this.#mismatch(element.at, optionalOf(type), type);
    return inner;
  }

  #comprehension(expr: Comprehension): Type {
    const range = this.#bound.apply(this.#check(expr.range), false);
    const accumulator = this.#check(expr.init);
    this.#scope = { names: new Map([[expr.accumulator, accumulator]]), outer: this.#scope };
    const outer = this.#scope;
    this.#scope = { names: this.#iterationTypes(expr, range), outer };
    this.#assertType(expr.condition, BOOL);
    this.#assertType(expr.step, accumulator);
    this.#scope = outer;
    const result = this.#check(expr.result);
    this.#scope = outer.outer;
    return this.#bound.apply(result, false);
  }

  #iterationTypes(expr: Comprehension, range: Type): ReadonlyMap<string, Type> {
    const [first = DYN, second = DYN] = range.params;
    const pair = (one: Type, two: Type): ReadonlyMap<string, Type> =>
      new Map([[expr.variable, one], ...(expr.second === undefined ? [] : [[expr.second, two] as const])]);
    switch (range.kind) {
      case 'list':
        return expr.second === undefined ? pair(first, first) : pair(INT, first);
      case 'map':
        return pair(first, second);
      case 'dyn':
      case 'error':
      case 'param':
        this.#bound.assign(DYN, range);
        return pair(DYN, DYN);
      default: {
        const shown = formatType(range);
        const message = `expression of type '${shown}' cannot be range of a comprehension (must be list, map, or dynamic)`;
        this.#issues.push({ at: expr.range.at, message });
        return pair(ERROR, ERROR);
      }
    }
  }

  #assertType(expr: Expr, expected: Type): void {
    const found = this.#check(expr);
    if (!this.#bound.assign(expected, found)) this.#mismatch(expr.at, expected, found);
  }

  #mismatch(at: number, expected: Type, found: Type): void {
    this.#issues.push({ at, message: `expected type '${formatType(expected)}' but found '${formatType(found)}'` });
  }
}
