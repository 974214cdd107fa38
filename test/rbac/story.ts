/** What a process does in its life, told with all of its rights, each of which it gets when it is missed; and once more with one that is nowhere granted. */
import type { Manifest } from '../vm-status/manifests.ts';
import type { PartName } from '../../src/sandbox/simulators/start.ts';
import type { Right } from './right.ts';
import { Stage } from './stage.ts';
import type { Refused } from './witness/ledger.ts';

export interface Story {
  readonly process: string;
  /** What is granted in its own cluster, as far as the story needs it there. */
  readonly own: readonly Manifest[];
  /** What is granted in another one, where it works in several. */
  readonly elsewhere?: readonly Manifest[];
  readonly parts: readonly PartName[];
  tell(stage: Stage): Promise<void>;
}

export interface Told {
  readonly refused: readonly Refused[];
  /** Titles of the rights for want of which something was refused, until they were granted. */
  readonly missed: ReadonlySet<string>;
  /** What a server allowed although no right for it was granted. */
  readonly surprises: readonly string[];
}

/** To its end. */
export async function tellAll(story: Story): Promise<Told> {
  const stage = await Stage.set(story);
  try {
    await story.tell(stage).catch((error: unknown) => {
      const refused = stage.refused.map(({ text }) => text).join('; ') || 'nothing';
      throw new Error(`the story came to no end; refused was: ${refused}`, { cause: error });
    });
    const { missed, refused, surprises } = stage;
    return { missed, refused, surprises };
  } finally {
    await stage.clear();
  }
}

/** Without one right, to the first refusal; what was refused is the answer, and nothing if nobody noticed. */
export async function tellWithout(story: Story, right: Right): Promise<readonly Refused[]> {
  const stage = await Stage.set({ ...story, without: right });
  const told = story.tell(stage);
  try {
    await Promise.race([told, stage.refusal]);
    return stage.refused;
  } finally {
    await stage.clear();
    await told.catch(() => undefined);
  }
}
