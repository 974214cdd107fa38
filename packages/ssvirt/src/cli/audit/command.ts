/** `ssvirt audit …`: who did what, for administrators. */
import type { Command } from 'commander';
import { auditEvents } from '../api/account-kinds.ts';
import { addGetVerb } from '../verbs/get-verb.ts';
import { addListVerb } from '../verbs/list-verb.ts';

const example = 'urn:vcloud:auditTrail:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11';

export function registerAuditCommand(program: Command): void {
  const audit = program.command('audit').description('the audit trail: who did what to which object');
  addListVerb(audit, {
    description: 'list audit events, newest first',
    examples: [
      'ssvirt audit list --limit 20',
      'ssvirt audit list --filter "action==vms.delete;entity.name==web" -o wide',
    ],
    easy: [],
    canWatch: false,
    kind: () => auditEvents,
  });
  addGetVerb(audit, auditEvents, {
    canWatch: false,
    examples: [`ssvirt audit get ${example}`, `ssvirt audit get ${example} -o yaml`],
  });
}
