/**
 * Records golden/ from a real server: `node test/conformance/record.ts [words of a case's name]`.
 * Every case runs twice and is refused if the two transcripts differ: a case that a real server does not answer the
 * same way twice proves nothing about the sandbox.
 */
import { startRealCluster } from '../cluster/real.ts';
import { topics } from './cases/index.ts';
import { differences } from './difference.ts';
import { pruneGolden, readGolden, writeGolden } from './golden.ts';
import { runCases } from './script.ts';
import type { Case, Outcome } from './script.ts';

const words = process.argv.slice(2);
const chosen = (one: Case): boolean => words.length === 0 || words.some((word) => one.name.includes(word));

const cluster = await startRealCluster();
const began = Date.now();
const progress = (text: string): void =>
  void process.stderr.write(`${((Date.now() - began) / 1000).toFixed(1)} s ${text}\n`);
try {
  const all = Object.values(topics).flat().filter(chosen);
  const first = byName(await runCases(cluster, all, 8));
  progress(`first run of ${all.length} cases done`);
  const second = byName(
    await runCases(
      cluster,
      all.filter((one) => one.slow !== true),
      8,
    ),
  );
  progress('second run done');
  for (const [topic, cases] of Object.entries(topics)) {
    const known = await readGolden(topic);
    const golden = Object.fromEntries(
      cases.flatMap((one) => {
        const transcript = chosen(one) ? settled(first.get(one.name), second.get(one.name)) : known[one.name];
        return transcript === undefined ? [] : [[one.name, transcript]];
      }),
    );
    await writeGolden(topic, golden);
  }
  await pruneGolden(Object.keys(topics));
} finally {
  await cluster.stop();
}

function byName(outcomes: readonly Outcome[]): Map<string, Outcome> {
  return new Map(outcomes.map((outcome) => [outcome.case.name, outcome]));
}

function settled(first: Outcome | undefined, second: Outcome | undefined): Outcome['transcript'] {
  const name = first?.case.name ?? '';
  const failed = first?.error ?? second?.error;
  if (failed !== undefined) return complain(name, failed.message);
  const found =
    second === undefined
      ? []
      : differences(first?.transcript, second.transcript, '', 3).map((line) => line.slice(0, 500));
  return found.length === 0 ? first?.transcript : complain(name, `differs from run to run\n  ${found.join('\n  ')}`);
}

function complain(name: string, why: string): undefined {
  process.exitCode = 1;
  process.stderr.write(`not recorded: ${name}: ${why}\n`);
}
