import type { Scenario } from '../scenario.ts';
import { applyScenarios, editScenarios } from './apply.ts';
import { createScenarios } from './create.ts';
import { customScenarios } from './custom.ts';
import { describeScenarios } from './describe.ts';
import { errorScenarios } from './errors.ts';
import { getScenarios } from './get.ts';
import { kindScenarios } from './kinds.ts';
import { lifeScenarios } from './life.ts';

export const scenarios: readonly Scenario[] = [
  ...getScenarios,
  ...applyScenarios,
  ...editScenarios,
  ...describeScenarios,
  ...createScenarios,
  ...lifeScenarios,
  ...errorScenarios,
  ...customScenarios,
  ...kindScenarios,
];
