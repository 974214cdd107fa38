/** Behaviours that are switched off to see that their tests notice, at least one for each part of the checklist. */
import type { RuntimeDefect } from './defect.ts';

export const defects: readonly RuntimeDefect[] = [];
