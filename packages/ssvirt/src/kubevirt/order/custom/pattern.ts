/**
 * The patterns of parameters. They are matched against untrusted text, and JavaScript's own engine can take forever on
 * a few characters. So they run as automata, which look at each character once, in the syntax that RE2 (and therefore
 * Kubernetes) shares with JavaScript. Patterns that need more, such as lookahead or lookbehind, are refused.
 */
import { PatternReader, Unjudged, type PatternNode } from './pattern-reader.ts';

export interface Pattern {
  /** Whether the whole text matches, even if the pattern is not anchored. */
  matches(text: string): boolean;
}

type Step =
  | { readonly op: 'one'; readonly of: (code: number) => boolean; readonly next: number }
  | { readonly op: 'split'; readonly to: readonly number[] }
  | { readonly op: 'edge'; readonly edge: 'start' | 'end'; readonly next: number }
  | { readonly op: 'match' };

const MOST_STEPS = 2000;
/** Limits the work in addition to the steps: a repeated empty group produces no steps. */
const MOST_WORK = 20_000;

export function readPattern(source: string): Pattern | { readonly fault: string } {
  try {
    return new Automaton(new PatternReader(source).read());
  } catch (error) {
    if (error instanceof Unjudged) return { fault: error.message };
    throw error;
  }
}

class Automaton implements Pattern {
  readonly #steps: Step[] = [{ op: 'match' }];
  readonly #entry: number;
  #work = 0;

  constructor(node: PatternNode) {
    this.#entry = this.#lay(node, 0);
  }

  matches(text: string): boolean {
    let at = 0;
    let now = this.#closure([this.#entry], true, text === '');
    for (const one of text) {
      const code = one.codePointAt(0) ?? 0;
      at += one.length;
      const next: number[] = [];
      for (const index of now) {
        const step = this.#steps[index];
        if (step?.op === 'one' && step.of(code)) next.push(step.next);
      }
      if (next.length === 0) return false;
      now = this.#closure(next, false, at === text.length);
    }
    return now.has(0);
  }

  #closure(from: readonly number[], isStart: boolean, isEnd: boolean): ReadonlySet<number> {
    const seen = new Set<number>();
    const open = [...from];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen.has(index)) continue;
      seen.add(index);
      const step = this.#steps[index];
      if (step?.op === 'split') open.push(...step.to);
      if (step?.op === 'edge' && (step.edge === 'start' ? isStart : isEnd)) open.push(step.next);
    }
    return seen;
  }

  /** Returns the index of the first step of the node. */
  #lay(node: PatternNode, next: number): number {
    this.#work += 1;
    if (this.#work > MOST_WORK) throw tooLarge();
    switch (node.is) {
      case 'one':
        return this.#add({ op: 'one', of: node.of, next });
      case 'edge':
        return this.#add({ op: 'edge', edge: node.edge, next });
      case 'row':
        return node.parts.reduceRight((then, part) => this.#lay(part, then), next);
      case 'choice':
        return this.#add({ op: 'split', to: node.parts.map((part) => this.#lay(part, next)) });
      case 'repeat':
        return this.#layRepeat(node, next);
    }
  }

  #layRepeat({ part, least, most }: PatternNode & { readonly is: 'repeat' }, next: number): number {
    let entry = next;
    if (most === Infinity) {
      const loop = this.#add({ op: 'split', to: [] });
      this.#steps[loop] = { op: 'split', to: [this.#lay(part, loop), next] };
      entry = loop;
    } else
      for (let count = least; count < most; count++)
        entry = this.#add({ op: 'split', to: [this.#lay(part, entry), next] });
    for (let count = 0; count < least; count++) entry = this.#lay(part, entry);
    return entry;
  }

  #add(step: Step): number {
    if (this.#steps.length >= MOST_STEPS) throw tooLarge();
    return this.#steps.push(step) - 1;
  }
}

function tooLarge(): Unjudged {
  return new Unjudged('it repeats too much');
}
