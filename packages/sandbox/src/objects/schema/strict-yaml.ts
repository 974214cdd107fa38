/** Finds duplicate keys in YAML, with the error texts of the Go library that parses it. */
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Node } from 'yaml';
import { goQuote } from './go/go-text.ts';

/** `duplicateYamlKeys` returns one error with a line per key, or none. */
export function duplicateYamlKeys(text: string): string[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { uniqueKeys: false, lineCounter: lines });
  const found: string[] = [];
  visit(document.contents);
  return found.length === 0 ? [] : [`yaml: unmarshal errors:\n${found.join('\n')}`];

  function visit(node: unknown): void {
    if (isSeq(node)) for (const item of node.items) visit(item);
    if (!isMap(node)) return;
    const seen = new Set<string>();
    for (const { key, value } of node.items) {
      visit(value);
      if (!isScalar(key)) continue;
      const name = String(key.value);
      if (seen.has(name)) found.push(`  line ${lineOf(key)}: key ${goQuote(name)} already set in map`);
      seen.add(name);
    }
  }

  function lineOf(node: Node): number {
    return lines.linePos(node.range?.[0] ?? 0).line;
  }
}
