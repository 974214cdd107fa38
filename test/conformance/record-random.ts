/**
 * Records the random scripts from a real server: `node test/conformance/record-random.ts`. All run twice, and the
 * output names each script that the server does not answer the same way twice.
 */
import { startRealCluster } from '../cluster/real.ts';
import { differences } from './difference.ts';
import { randomSeeds, writeRandomRecording } from './random-recording.ts';
import { runRandomScripts } from './random.ts';

const cluster = await startRealCluster();
const began = Date.now();
const progress = (text: string): void =>
  void process.stderr.write(`${((Date.now() - began) / 1000).toFixed(1)} s ${text}\n`);
try {
  const first = await runRandomScripts(cluster, randomSeeds, 8);
  progress('first run done');
  const second = await runRandomScripts(cluster, randomSeeds, 8);
  progress('second run done');
  for (const [i, seed] of randomSeeds.entries()) {
    const found = differences(first[i]?.transcript, second[i]?.transcript, '', 3);
    const failed = first[i]?.error ?? second[i]?.error;
    if (failed !== undefined) throw failed;
    if (found.length === 0) continue;
    process.exitCode = 1;
    process.stderr.write(
      `seed ${seed} differs from run to run\n  ${found.map((line) => line.slice(0, 500)).join('\n  ')}\n`,
    );
  }
  progress(
    `${await writeRandomRecording(first.flatMap(({ transcript }) => (transcript === undefined ? [] : [transcript])))} bytes written`,
  );
} finally {
  await cluster.stop();
}
