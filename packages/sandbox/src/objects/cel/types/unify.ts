/** Assignability between CEL types with type parameters, by the rules of cel-go's checker. */
import type { Overload } from '../library/functions.ts';
import { DYN, type Type, param, sameType } from './types.ts';

/** `Substitutions` holds the current bindings of type parameters. A failed attempt must not change them, so attempts use a copy. */
export class Substitutions {
  #bound: Map<string, Type>;
  #freshCount = 0;

  constructor(bound: Map<string, Type> = new Map()) {
    this.#bound = bound;
  }

  /** A new, unique type parameter. */
  fresh(): Type {
    return param(`_var${this.#freshCount++}`);
  }

  /** The overload with fresh type parameters, so that those of different calls do not mix. */
  instantiate(overload: Overload): { readonly args: readonly Type[]; readonly result: Type } {
    const renewed = new Map<string, Type>();
    const renew = (type: Type): Type => {
      if (type.kind === 'param') {
        const known = renewed.get(type.name) ?? this.fresh();
        renewed.set(type.name, known);
        return known;
      }
      return type.params.length === 0 ? type : { ...type, params: type.params.map(renew) };
    };
    return { args: overload.args.map(renew), result: renew(overload.result) };
  }

  /** Whether every `from` is assignable to the corresponding `to`; binds parameters only if all are. */
  assignAll(from: readonly Type[], to: readonly Type[]): boolean {
    const attempt = new Substitutions(new Map(this.#bound));
    if (!attempt.#listAssignable(from, to)) return false;
    this.#bound = attempt.#bound;
    return true;
  }

  assign(from: Type, to: Type): boolean {
    return this.assignAll([from], [to]);
  }

  /** The type with its bound parameters replaced; free ones become dyn if `freeToDyn` is true. */
  apply(type: Type, freeToDyn: boolean): Type {
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.apply(bound, freeToDyn);
      return freeToDyn ? DYN : type;
    }
    if (type.params.length === 0) return type;
    return { ...type, params: type.params.map((parameter) => this.apply(parameter, freeToDyn)) };
  }

  #listAssignable(from: readonly Type[], to: readonly Type[]): boolean {
    if (from.length !== to.length) return false;
    return from.every((type, i) => {
      const target = to[i];
      return target !== undefined && this.#assignable(type, target);
    });
  }

  #assignable(a: Type, b: Type): boolean {
    if (b.kind === 'param') {
      const { valid, known } = this.#substitute(a, b);
      if (valid) return true;
      if (known) return false;
    }
    if (a.kind === 'param') return this.#substitute(b, a).valid;
    if (isWild(a) || isWild(b)) return true;
    if (a.kind === 'null') return isNullable(b);
    if (b.kind === 'null') return isNullable(a);
    switch (a.kind) {
      case 'type':
        return b.kind === 'type';
      case 'opaque':
      case 'list':
      case 'map':
        return a.kind === b.kind && a.name === b.name && this.#listAssignable(a.params, b.params);
      default:
        return sameType(a, b);
    }
  }

  /** Tries `type` for the parameter; `known` is true when the parameter was already bound. */
  #substitute(type: Type, parameter: Type): { valid: boolean; known: boolean } {
    if (type.kind === 'param' && type.name === parameter.name) return { valid: true, known: true };
    const bound = this.#bound.get(parameter.name);
    if (bound === undefined) {
      if (this.#occurs(parameter, type)) return { valid: false, known: false };
      this.#bound.set(parameter.name, type);
      return { valid: true, known: false };
    }
    if (sameType(type, bound)) return { valid: true, known: true };
    if (!this.#assignable(type, bound)) return { valid: false, known: true };
    const general = mostGeneral(type, bound);
    if (!this.#occurs(parameter, general)) this.#bound.set(parameter.name, general);
    return { valid: true, known: true };
  }

  #occurs(parameter: Type, within: Type): boolean {
    if (within.kind === 'param') {
      if (within.name === parameter.name) return true;
      const bound = this.#bound.get(within.name);
      return bound !== undefined && this.#occurs(parameter, bound);
    }
    return within.params.some((inner) => this.#occurs(parameter, inner));
  }
}

export const isWild = (type: Type): boolean => type.kind === 'dyn' || type.kind === 'error';

const NULLABLE: ReadonlySet<string> = new Set(['opaque', 'struct', 'duration', 'timestamp', 'null']);
const isNullable = (type: Type): boolean => NULLABLE.has(type.kind);

/** `mostGeneral` returns the more general of two compatible types. */
export function mostGeneral(a: Type, b: Type): Type {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: Type, b: Type): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param') return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.name !== b.name || a.params.length !== b.params.length) return false;
  return a.params.every((parameter, i) => {
    const other = b.params[i];
    return other !== undefined && isLessSpecific(parameter, other);
  });
}
