/**
 * Fills values into the texts of a template's objects, and records where they went: the rules for each place are
 * checked once everything is filled in.
 */
import { fields, type Fields } from '../../facts/reading.ts';
import type { OrderIdentity } from '../identity.ts';
import { problem, type ParameterProblem } from '../parameters/parameter-problem.ts';
import type { OrderTemplateSpec, TemplateParameter } from '../parameters/template.ts';
import { invalid, type TemplateFault } from './fault.ts';
import { withoutLogin, type ParameterValue } from './parameter-values.ts';
import {
  freedomOf,
  isTextOnly,
  placeAt,
  type Freedom,
  type ListedKind,
  type Path,
  type FieldPosition,
} from './positions.ts';
import { filled, namesIn, onlyName, orderName, piecesOf, tenantNamespace, type Piece } from './substitution.ts';

/** `Draft` is an object with all values filled in, but without the labels and fields that make it the order's. */
export interface Draft {
  readonly where: string;
  readonly kind: ListedKind;
  readonly object: Fields;
  readonly texts: readonly FilledText[];
}

export interface FilledText {
  readonly path: Path;
  readonly place: FieldPosition;
  readonly value: string;
  /** The parameters that are filled in there. */
  readonly names: readonly string[];
  /** The parameter that is the whole text. */
  readonly only?: string | undefined;
}

export interface Found {
  readonly problems: readonly ParameterProblem[];
  readonly faults: readonly TemplateFault[];
}

/** A text of 1 MiB that is filled in at a thousand places would become 1 GiB. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

class TooMuch extends Error {}

export class Filling {
  readonly #identity: OrderIdentity;
  readonly #template: OrderTemplateSpec;
  readonly #values: ReadonlyMap<string, ParameterValue>;
  readonly #declared: ReadonlyMap<string, TemplateParameter>;
  readonly #hidden: ReadonlySet<string>;
  #characters = 0;

  constructor(identity: OrderIdentity, template: OrderTemplateSpec, values: ReadonlyMap<string, ParameterValue>) {
    this.#identity = identity;
    this.#template = template;
    this.#values = values;
    this.#declared = new Map(template.parameters?.map((one) => [one.name, one]));
    this.#hidden = hiddenNames(template);
  }

  /** Returns undefined if the texts are too long together. */
  drafts(): readonly Draft[] | undefined {
    try {
      return this.#template.objects.map((object, at) => this.#draft(object, at));
    } catch (error) {
      if (error instanceof TooMuch) return undefined;
      throw error;
    }
  }

  tooMuch(): Found {
    return this.found(
      this.#longest(),
      `so short that all objects together have at most ${MOST_CHARACTERS} characters`,
      'objects',
      `have more than ${MOST_CHARACTERS} characters in all: write less`,
    );
  }

  get tenantNamespace(): string {
    return this.#identity.tenantNamespace;
  }

  isHidden(name: string): boolean {
    return this.#hidden.has(name);
  }

  freedomOf(name: string): Freedom | undefined {
    const parameter = this.#declared.get(name);
    return parameter === undefined ? undefined : freedomOf(parameter);
  }

  textOf(name: string): string {
    if (name === orderName) return this.#identity.name;
    return name === tenantNamespace ? this.#identity.tenantNamespace : String(this.#values.get(name) ?? '');
  }

  /** Returns a problem of the first parameter among the names, or else a fault of the template. */
  found(names: readonly string[], rule: string, where: string, fault: string): Found {
    const name = names.find((one) => this.#declared.has(one));
    if (name === undefined) return { problems: [], faults: [invalid(where, fault)] };
    const text = this.textOf(name);
    const given = this.#hidden.has(name)
      ? `a text of ${text.length} characters (not shown)`
      : JSON.stringify(cut(withoutLogin(text)));
    return {
      problems: [problem(name, given, rule, `It is put in ${where} of the template: correct "${name}"`)],
      faults: [],
    };
  }

  #longest(): readonly string[] {
    const lengths = [...this.#values].map(([name, value]) => ({ name, length: String(value).length }));
    return lengths.toSorted((a, b) => b.length - a.length).map(({ name }) => name);
  }

  #draft(object: Fields, at: number): Draft {
    const kind = object['kind'] as ListedKind;
    const texts: FilledText[] = [];
    const put = (value: unknown, path: Path): unknown => {
      if (typeof value === 'string') return this.#put(value, path, kind, texts);
      if (Array.isArray(value)) return value.map((one: unknown) => put(one, path));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, put(one, [...path, key])]));
    };
    return { where: `objects[${at}] (${kind})`, kind, object: fields(put(object, [])), texts };
  }

  #put(text: string, path: Path, kind: ListedKind, texts: FilledText[]): unknown {
    const pieces = piecesOf(text);
    // The template was checked before.
    if ('fault' in pieces) return text;
    const only = onlyName(pieces);
    const value = this.#filled(pieces);
    const place = placeAt(kind, path);
    texts.push({ path, place, value, names: namesIn(pieces), only });
    const isText = isTextOnly(path) || (place.takes !== 'bounded' && place.takes !== 'listed');
    const typed = only === undefined || isText ? undefined : this.#values.get(only);
    return typed === undefined ? value : typed;
  }

  #filled(pieces: readonly Piece[]): string {
    const length = pieces.reduce(
      (sum, piece) => sum + ('name' in piece ? this.textOf(piece.name) : piece.text).length,
      0,
    );
    this.#characters += length;
    if (this.#characters > MOST_CHARACTERS) throw new TooMuch();
    return filled(pieces, (name) => this.textOf(name));
  }
}

function cut(text: string): string {
  return (text.length > 60 ? `${text.slice(0, 59)}…` : text).toWellFormed();
}

const secretNames = /pass|secret|token|key|cred|cloud_init|user_?data/i;

/** Parameters that only the guest reads, or whose name suggests a secret: their values are never shown. */
export function hiddenNames({ parameters = [], objects }: OrderTemplateSpec): ReadonlySet<string> {
  const hidden = new Set(parameters.map(({ name }) => name).filter((name) => secretNames.test(name)));
  const look = (value: unknown, isHidden: boolean): void => {
    if (typeof value === 'string') {
      const pieces = isHidden ? piecesOf(value) : [];
      if (!('fault' in pieces)) for (const name of namesIn(pieces)) hidden.add(name);
    } else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) look(one, isHidden || /^(?:user|network)Data/.test(key));
  };
  for (const object of objects) {
    const { kind, data, stringData, spec } = fields(object);
    if (kind === 'Secret') look([data, stringData], true);
    look(spec, false);
  }
  return hidden;
}
