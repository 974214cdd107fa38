/** Mistakes that are planted to see that tests notice. */
import type { OrderDefect } from '../defect.ts';
import { builderDefects } from './builders.ts';
import { controllerDefects } from './controller.ts';
import { modeDefects } from './modes.ts';
import { readingDefects } from './reading.ts';
import { statusDefects } from './status.ts';

export const defects: readonly OrderDefect[] = [
  ...modeDefects,
  ...controllerDefects,
  ...statusDefects,
  ...builderDefects,
  ...readingDefects,
];
