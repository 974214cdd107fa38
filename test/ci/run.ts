/** A run of CI: steps one after the other, each even where one before it failed, and what could not run. */
import { runStep, type Step, type StepResult } from './step.ts';

export class CiRun {
  readonly #failed: string[] = [];
  readonly #notRun: string[] = [];
  readonly #began = performance.now();
  readonly #longestSeconds: number;
  readonly #print: (line: string) => void;

  constructor(longestSeconds: number, print: (line: string) => void = console.log) {
    this.#longestSeconds = longestSeconds;
    this.#print = print;
  }

  /** Undefined where there was no time left for it. */
  async step(step: Step): Promise<StepResult | undefined> {
    const left = this.#longestSeconds - this.#seconds();
    const limitSeconds = Math.floor(Math.min(step.limitSeconds, left));
    if (limitSeconds < 1) {
      this.#failed.push(`${step.name}: no time left`);
      return undefined;
    }
    this.#print(`=== ${step.name}`);
    const result = await runStep({ ...step, limitSeconds }, this.#print);
    const { passed, seconds, reasons } = result;
    this.#print(`=== ${step.name}: ${passed ? 'passed in' : 'FAILED after'} ${seconds.toFixed(0)} s`);
    if (!passed) this.#failed.push(step.name, ...reasons.map((line) => `    ${line}`));
    return result;
  }

  notRun(what: string, reason: string): void {
    this.#notRun.push(`not run: ${what}: ${reason}`);
  }

  fail(name: string, reasons: readonly string[]): void {
    this.#failed.push(name, ...reasons.map((line) => `    ${line}`));
  }

  /** Prints the summary; false where a step failed. */
  end(): boolean {
    this.#print('=== summary');
    this.#notRun.forEach((line) => this.#print(line));
    const seconds = this.#seconds().toFixed(0);
    if (this.#failed.length === 0) this.#print(`passed in ${seconds} s`);
    else [`failed in ${seconds} s:`, ...this.#failed].forEach((line) => this.#print(line));
    return this.#failed.length === 0;
  }

  #seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }
}
