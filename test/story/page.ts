/** A page whose commands a program types, and whose `console` blocks are the output of the commands above them. */
import { defined } from '@ssvirt/base/values/defined';

export interface Scene {
  readonly script: string;
  /** The line of the fence, counted from 1. */
  readonly line: number;
  /** The output that the page shows; undefined if it shows none. */
  readonly shown?: string;
}

const scene = /^```sh story\n(?<script>.*?)^```$(?:\n\n^```console\n(?<shown>.*?)^```$)?/gms;

export function scenesOf(page: string): readonly Scene[] {
  return [...page.matchAll(scene)].map(({ groups = {}, index }) => {
    const { script = '', shown } = groups;
    return { script, line: page.slice(0, index).split('\n').length, ...defined({ shown }) };
  });
}

/** The same page with new output, one text for each scene. */
export function withOutputs(page: string, outputs: readonly string[]): string {
  const left = [...outputs];
  return page.replaceAll(scene, (whole: string, script: string, shown: string | undefined) => {
    const output = left.shift() ?? '';
    return shown === undefined ? whole : `\`\`\`sh story\n${script}\`\`\`\n\n\`\`\`console\n${output}\`\`\``;
  });
}

/** The commands that start the servers for the scenes. */
export function serverOf(page: string): string {
  const found = /^```sh story-server\n(.*?)^```$/ms.exec(page)?.[1];
  if (found === undefined) throw new Error('the page has no block "sh story-server"');
  return found;
}
