/** Reports inside this folder that something cannot be done as asked. Outside of it, a problem is a value. */
import type { MachineProblem } from './resource.ts';

/** Thrown inside this folder only: the first problem ends the work. */
class SpecProblem extends Error {
  override readonly name = 'SpecProblem';
  readonly problem: MachineProblem;

  constructor(problem: MachineProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

export function refuse(message: string, reason: MachineProblem['reason'] = 'InvalidSpec'): never {
  throw new SpecProblem({ reason, message });
}

/** `orProblem` turns a refusal into a value. */
export function orProblem<T>(work: () => T): T | { readonly problem: MachineProblem } {
  try {
    return work();
  } catch (error) {
    if (error instanceof SpecProblem) return { problem: error.problem };
    throw error;
  }
}
