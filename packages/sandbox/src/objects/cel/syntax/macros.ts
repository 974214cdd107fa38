/** CEL's macros: calls that the parser expands to folds before type checking. */
import type { Issue } from '../issues.ts';
import type { Call, Comprehension, Expr, Ident, ListLiteral, Literal, LiteralValue, Select } from './syntax.ts';

/** The name of the accumulator in a fold; no expression can contain it. */
export const ACCUMULATOR = '@result';
const UNUSED = '#unused';

export interface MacroCall {
  readonly at: number;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

type Expansion = (call: MacroCall) => Expr | Issue;

/** `expandMacro` returns the expansion, an issue when the arguments are invalid, or undefined when the call is no macro. */
export function expandMacro(name: string, call: MacroCall): Expr | Issue | undefined {
  const style = call.target === undefined ? 'global' : 'member';
  return MACROS.get(`${style} ${name}/${call.args.length}`)?.(call);
}

const literal = (at: number, value: LiteralValue): Literal => ({ kind: 'literal', at, value });
const ident = (at: number, name: string): Ident => ({ kind: 'ident', at, name });
const list = (at: number, elements: readonly Expr[]): ListLiteral => ({ kind: 'list', at, elements });
const call = (at: number, name: string, ...args: Expr[]): Call => ({ kind: 'call', at, name, target: undefined, args });
const member = (at: number, name: string, target: Expr, ...args: Expr[]): Call => ({
  kind: 'call',
  at,
  name,
  target,
  args,
});

interface Fold {
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result?: Expr;
}

/** A fold over the target; `fold` converts the last argument to its step. */
const folding =
  (variables: 1 | 2, complaint: string, fold: (at: number, args: readonly Expr[], first: Expr) => Fold): Expansion =>
  ({ at, target, args }) => {
    const names: string[] = [];
    for (const argument of args.slice(0, variables)) {
      if (argument.kind !== 'ident') return { at: argument.at, message: complaint };
      if (names.includes(argument.name)) {
        return { at: argument.at, message: `duplicate variable name: ${argument.name}` };
      }
      if (argument.name === '__result__') {
        return { at: argument.at, message: 'iteration variable overwrites accumulator variable' };
      }
      names.push(argument.name);
    }
    const [variable = UNUSED, second] = names;
    const range = target ?? list(at, []);
    const first = args[0] ?? ident(at, variable);
    const { init, condition, step, result } = fold(at, args.slice(variables), first);
    const comprehension: Comprehension = {
      kind: 'comprehension',
      at,
      range,
      variable,
      second,
      accumulator: ACCUMULATOR,
      init,
      condition,
      step,
      result: result ?? ident(at, ACCUMULATOR),
    };
    return comprehension;
  };

const accumulator = (at: number): Ident => ident(at, ACCUMULATOR);
const missing = (at: number): Expr => literal(at, null);

const all = (at: number, [predicate = missing(at)]: readonly Expr[]): Fold => ({
  init: literal(at, true),
  condition: call(at, '@not_strictly_false', accumulator(at)),
  step: call(at, '_&&_', accumulator(at), predicate),
});

const exists = (at: number, [predicate = missing(at)]: readonly Expr[]): Fold => ({
  init: literal(at, false),
  condition: call(at, '@not_strictly_false', call(at, '!_', accumulator(at))),
  step: call(at, '_||_', accumulator(at), predicate),
});

const existsOne = (at: number, [predicate = missing(at)]: readonly Expr[]): Fold => ({
  init: literal(at, 0n),
  condition: literal(at, true),
  step: call(at, '_?_:_', predicate, call(at, '_+_', accumulator(at), literal(at, 1n)), accumulator(at)),
  result: call(at, '_==_', accumulator(at), literal(at, 1n)),
});

const onlyIf = (at: number, filter: Expr | undefined, step: Expr): Expr =>
  filter === undefined ? step : call(at, '_?_:_', filter, step, accumulator(at));

const transformed = (args: readonly Expr[], at: number): readonly [filter: Expr | undefined, transform: Expr] =>
  args.length > 1 ? [args[0], args[1] ?? missing(at)] : [undefined, args[0] ?? missing(at)];

const collect = (at: number, args: readonly Expr[]): Fold => {
  const [filter, transform] = transformed(args, at);
  return {
    init: list(at, []),
    condition: literal(at, true),
    step: onlyIf(at, filter, call(at, '_+_', accumulator(at), list(at, [transform]))),
  };
};

const filtered = (at: number, args: readonly Expr[], element: Expr): Fold => collect(at, [...args, element]);

const toMap = (at: number, args: readonly Expr[], key: Expr): Fold => {
  const [filter, transform] = transformed(args, at);
  return {
    init: { kind: 'map', at, entries: [] },
    condition: literal(at, true),
    step: onlyIf(at, filter, call(at, 'cel.@mapInsert', accumulator(at), ident(at, nameOf(key)), transform)),
  };
};

const toEntries = (at: number, args: readonly Expr[]): Fold => {
  const [filter, transform] = transformed(args, at);
  return {
    init: { kind: 'map', at, entries: [] },
    condition: literal(at, true),
    step: onlyIf(at, filter, call(at, 'cel.@mapInsert', accumulator(at), transform)),
  };
};

const nameOf = (expr: Expr): string => (expr.kind === 'ident' ? expr.name : UNUSED);

const has: Expansion = ({ at, args: [argument] }) => {
  if (argument?.kind !== 'select') return { at: argument?.at ?? 0, message: 'invalid argument to has() macro' };
  const test: Select = { ...argument, at, test: true };
  return test;
};

/** Binds `name` to `value` within `body`, as a fold over an empty list. */
function bind(at: number, name: string, value: Expr, body: Expr): Comprehension {
  return {
    kind: 'comprehension',
    at,
    range: list(at, []),
    variable: UNUSED,
    second: undefined,
    accumulator: name,
    init: value,
    condition: literal(at, false),
    step: ident(at, name),
    result: body,
  };
}

const optionalMap =
  (macro: 'optMap' | 'optFlatMap'): Expansion =>
  ({ at, target, args: [variable, body] }) => {
    if (variable?.kind !== 'ident') {
      return { at: variable?.at ?? at, message: `${macro}() variable name must be a simple identifier` };
    }
    const from = target ?? missing(at);
    const bound = bind(at, variable.name, member(at, 'value', from), body ?? missing(at));
    return call(
      at,
      '_?_:_',
      member(at, 'hasValue', from),
      macro === 'optMap' ? call(at, 'optional.of', bound) : bound,
      call(at, 'optional.none'),
    );
  };

const SORT_INPUT = '@__sortBy_input__';

const sortBy: Expansion = ({ at, target, args }) => {
  const input = ident(at, SORT_INPUT);
  const keys = folding(1, NOT_IDENTIFIER, collect)({ at, target: input, args });
  if (!('kind' in keys)) return keys;
  return bind(at, SORT_INPUT, target ?? missing(at), member(at, '@sortByAssociatedKeys', input, keys));
};

const NOT_SIMPLE = 'argument must be a simple name';
const NOT_IDENTIFIER = 'argument is not an identifier';

const MACROS: ReadonlyMap<string, Expansion> = new Map<string, Expansion>([
  ['global has/1', has],
  ['member all/2', folding(1, NOT_SIMPLE, all)],
  ['member exists/2', folding(1, NOT_SIMPLE, exists)],
  ['member exists_one/2', folding(1, NOT_SIMPLE, existsOne)],
  ['member map/2', folding(1, NOT_IDENTIFIER, collect)],
  ['member map/3', folding(1, NOT_IDENTIFIER, collect)],
  ['member filter/2', folding(1, NOT_IDENTIFIER, filtered)],
  ['member optMap/2', optionalMap('optMap')],
  ['member optFlatMap/2', optionalMap('optFlatMap')],
  ['member all/3', folding(2, NOT_SIMPLE, all)],
  ['member exists/3', folding(2, NOT_SIMPLE, exists)],
  ['member existsOne/3', folding(2, NOT_SIMPLE, existsOne)],
  ['member exists_one/3', folding(2, NOT_SIMPLE, existsOne)],
  ['member transformList/3', folding(2, NOT_IDENTIFIER, collect)],
  ['member transformList/4', folding(2, NOT_IDENTIFIER, collect)],
  ['member transformMap/3', folding(2, NOT_IDENTIFIER, toMap)],
  ['member transformMap/4', folding(2, NOT_IDENTIFIER, toMap)],
  ['member transformMapEntry/3', folding(2, NOT_IDENTIFIER, toEntries)],
  ['member transformMapEntry/4', folding(2, NOT_IDENTIFIER, toEntries)],
  ['member sortBy/2', sortBy],
]);
