/** The next step of virt-handler for a VMI that is on its node or moving to it. */
import { agent, boot, pauseAtStart, readdress } from './boot.ts';
import { endOfItself, shutdown, toldAt } from './ending.ts';
import { hotplug } from './hotplug.ts';
import { isMigrating, migrate } from './migration.ts';
import type { Scene, DomainStep } from './step.ts';

export function nextStep(scene: Scene): DomainStep {
  const { phase } = scene.vmi.status ?? {};
  if (phase !== 'Scheduled' && phase !== 'Running') return undefined;
  const told = toldAt(scene);
  if (told !== undefined) return shutdown(scene, told);
  if (phase === 'Scheduled') return boot(scene);
  const concerns = isMigrating(scene) ? [endOfItself, migrate] : [endOfItself, pauseAtStart, readdress, hotplug, agent];
  return first(concerns.map((concern) => concern(scene)));
}

/** Returns the first write; if there is none, the shortest wait. */
function first(steps: readonly DomainStep[]): DomainStep {
  const write = steps.find((step) => step?.kind === 'write');
  if (write !== undefined) return write;
  const waits = steps.flatMap((step) => (step?.kind === 'wait' ? [step.ms] : []));
  return waits.length === 0 ? undefined : { kind: 'wait', ms: Math.min(...waits) };
}
