/** What cspell checks: the same files with all that is not prose blanked, so that it names lines and columns of the files themselves. */
import { isScalar, parseAllDocuments, visit } from 'yaml';
import { proseOf } from './markdown.ts';
import { alerts, definitions, markdownPages, messageSources, textOf } from './places.ts';
import { withoutCode } from './quotations.ts';
import { filler, isSentence, readSource, type Span } from './source-text.ts';

/** `spelledTexts` gives each text by the path of its file. */
export function spelledTexts(): ReadonlyMap<string, string> {
  return new Map([
    ...markdownPages().map((page): [string, string] => [page, pageText(textOf(page))]),
    ...[...definitions(), ...alerts()].map((file): [string, string] => [file, descriptionText(textOf(file))]),
    ...messageSources().map((file): [string, string] => [file, messageText(textOf(file))]),
  ]);
}

function pageText(markdown: string): string {
  return spaced(withoutCode(proseOf(markdown)));
}

/** `messageText` keeps string literals with a space: others are names. */
export function messageText(source: string): string {
  return only(readSource(source).strings.filter(isSentence), source);
}

/** `descriptionText` keeps what is under `description` or `summary` in YAML. */
export function descriptionText(yaml: string): string {
  const spans: Span[] = [];
  for (const document of parseAllDocuments(yaml))
    visit(document, {
      Pair(_, { key, value }) {
        if (!isScalar(key) || !/^(?:description|summary)$/.test(String(key.value)) || !isScalar(value)) return;
        const [start, end] = value.range ?? [0, 0];
        spans.push({ start, text: yaml.slice(start, end) });
      },
    });
  return only(spans, yaml);
}

function only(spans: readonly Span[], text: string): string {
  let kept = '';
  for (const span of spans)
    // A string within a substitution stands within the template.
    if (span.start >= kept.length)
      kept += blankLines(text.slice(kept.length, span.start)) + spaced(withoutCode(span.text));
  return kept + blankLines(text.slice(kept.length));
}

function blankLines(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

function spaced(text: string): string {
  return text.replaceAll(filler, ' ');
}
