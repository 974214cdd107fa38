/** Leaders as processes, on the sandbox. */
import { leadershipScenarios } from './scenarios.ts';

leadershipScenarios('sandbox');
