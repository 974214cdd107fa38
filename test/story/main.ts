/** `make story`: runs the story again, and writes its output into its page. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository, textOf } from '../docs/pages.ts';
import { withOutputs } from './page.ts';
import { play } from './play.ts';

const name = 'docs/story.md';
const page = textOf(name);
writeFileSync(join(repository, name), withOutputs(page, await play(name, page)));
