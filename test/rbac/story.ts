/** The story of a process's life, first with each right granted at its first refusal, then without one of them. */
import type { Manifest } from '../vm-status/manifests.ts';
import type { PartName } from '../../packages/sandbox/src/simulators/start.ts';
import type { Right } from './right.ts';
import { Stage } from './stage.ts';
import type { Refused } from './witness/ledger.ts';

export interface Story {
  readonly process: string;
  /** The rights in its own cluster, as far as the story needs them there. */
  readonly own: readonly Manifest[];
  /** The rights in another one, if it works in several. */
  readonly elsewhere?: readonly Manifest[];
  readonly parts: readonly PartName[];
  tell(stage: Stage): Promise<void>;
}

export interface Told {
  readonly refused: readonly Refused[];
  /** Titles of the rights whose absence made a refusal, until they were granted. */
  readonly missed: ReadonlySet<string>;
  /** What a server allowed although no right for it was granted. */
  readonly surprises: readonly string[];
}

/** Plays to the end. */
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

/** Plays without one right, to the first refusal; returns what was refused, or nothing if there was no refusal. */
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
