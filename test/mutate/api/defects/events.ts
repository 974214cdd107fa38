/** What is told of changes, to whom, and until when. */
import { witnesses, type ApiDefect } from '../defect.ts';

const events = witnesses('api/events/events.test.ts', 'refuses what it cannot follow, with the field and the rule', {
  alone: true,
});
const others = events('says nothing of other organisations, nor of what only administrators see');

export const eventDefects: readonly ApiDefect[] = [
  {
    name: 'what happens in other organisations is told',
    file: 'api/events/sight.ts',
    find: "if (scope !== 'all' && change.organizationId !== scope) return false;",
    replace: '',
    noticedBy: others,
  },
  {
    name: 'tenants hear of users that they do not see',
    file: 'api/events/sight.ts',
    find: "if (kind === 'user') return hasRole(caller, 'System Administrator', 'Organization Administrator');",
    replace: '',
    noticedBy: others,
  },
  {
    name: 'who listens to one vApp hears of all',
    file: 'api/events/sight.ts',
    find: 'if (vapp !== undefined && change.vappId !== vapp) return false;',
    replace: '',
    noticedBy: events('is of one vApp, or of one entity and the tasks on it, where that is asked for'),
  },
  {
    name: 'who has lost a role hears on',
    file: 'api/events/streams.ts',
    find: 'if (wordOf(live.get(sessionId) ?? []) !== roles) end.abort();',
    replace: 'if (!live.has(sessionId)) end.abort();',
    noticedBy: events('ends with the session, and where its user has another role'),
  },
  {
    name: 'what is lost is passed over',
    file: 'api/events/hub.ts',
    find: 'if (found.isLost) {',
    replace: 'if (found.isLost && found.hasMore) {',
    noticedBy: events('says so where what was missed is not known any more'),
  },
  {
    name: 'a listener that comes back misses what was between',
    file: 'api/events/hub.ts',
    find: 'new Listener(sight, outlet, from ?? this.#position, over)',
    replace: 'new Listener(sight, outlet, this.#position, over)',
    noticedBy: events('goes on behind the last event that was seen, and misses none'),
  },
  {
    name: 'one user opens all streams that there are',
    file: 'api/events/streams.ts',
    find: 'if (own >= ofUser)',
    replace: 'if (own > ofAll)',
    noticedBy: events('nobody has more than a few of them'),
  },
];
