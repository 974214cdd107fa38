/**
 * The shell blocks of the documentation. The words after `sh` say how a test treats a block:
 *   ```sh           runs, and must exit with code 0
 *   ```sh server    is started and left running while the rest of its page runs
 *   ```sh kubectl   runs if kubectl is on the PATH
 *   ```sh curl      runs if curl is on the PATH
 *   ```sh story     test/story runs it, in one shell with the others of its page, and the console block after it has its output;
 *                   story-server is what starts for them
 *   ```sh suite     a suite of this folder runs it, against clusters with KubeVirt, and with whatever else its page needs; typed.ts names the suite
 *   ```sh by-hand   does not run: it needs what a test does not have, or would run this test again
 * Other languages (console, yaml …) are only shown. A block in a list is indented as the list is.
 */
export const treatments = ['run', 'server', 'kubectl', 'curl', 'story', 'story-server', 'suite', 'by-hand'] as const;
export type Treatment = (typeof treatments)[number];

export interface Block {
  readonly treatment: Treatment;
  readonly script: string;
  /** The line of the fence, counted from 1. */
  readonly line: number;
}

export function shellBlocks(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  for (const match of markdown.matchAll(/^( *)```([^\n`]*)\n(.*?)^\1```$/gms)) {
    const [, indent = '', info = '', text = ''] = match;
    const script = text.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const [language, word = 'run'] = info.trim().split(/\s+/);
    if (language !== 'sh') continue;
    const line = markdown.slice(0, match.index).split('\n').length;
    blocks.push({ treatment: treatmentOf(word, line), script, line });
  }
  return blocks;
}

function treatmentOf(word: string, line: number): Treatment {
  const found = treatments.find((treatment) => treatment === word);
  if (found === undefined)
    throw new Error(`line ${line}: "sh ${word}" is no treatment: write one of ${treatments.join(', ')}`);
  return found;
}

/** The files that a page links to, without web addresses and anchors. */
export function linkedFiles(markdown: string): readonly string[] {
  return links(markdown).flatMap(({ file }) => (file === '' ? [] : [file]));
}

export interface LinkToPlace {
  /** Empty for the page itself. */
  readonly file: string;
  readonly anchor: string;
}

/** Places in this repository's pages that a page links to. */
export function linkedPlaces(markdown: string): readonly LinkToPlace[] {
  return links(markdown).filter(({ file, anchor }) => anchor !== '' && (file === '' || file.endsWith('.md')));
}

function links(markdown: string): readonly LinkToPlace[] {
  // Text in code is no link, even if a pattern looks like one.
  const text = prose(markdown).replaceAll(/`[^`\n]*`/g, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor = ''] = target.split('#');
      return { file, anchor };
    });
}

/** The anchors of a page: its headings, as shown on the web, and those that it names itself. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const text = prose(markdown);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const named = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return new Set([...headings, ...named]);
}

function prose(markdown: string): string {
  return markdown.replaceAll(/^```.*?^```$/gms, '');
}
