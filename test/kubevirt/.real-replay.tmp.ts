import { startGround } from '/work/main/test/kubevirt/ground.ts';
import { startRealCluster } from '/work/main/test/cluster/real.ts';
import { playScenario } from '/work/main/test/kubevirt/player.ts';
import { replayText } from '/work/main/test/kubevirt/report.ts';
import { readScenario } from '/work/main/test/kubevirt/transcripts.ts';
const ground = await startGround({ speed: 20, log: 'fatal', start: () => startRealCluster() });
try {
  for (const id of process.argv.slice(2)) {
    const replay = await playScenario(ground, readScenario(id), { stepDeadlineMs: 5000 });
    console.log(replayText(replay, false));
  }
} finally { await ground.stop(); }
