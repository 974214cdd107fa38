/** Consoles: who is let in by a ticket, how often, and for how long. */
import { witnesses, type ApiDefect } from '../defect.ts';

const consoles = witnesses(
  'api/console/console.test.ts',
  'it is for the serial console unless said, and for no other kind',
  { alone: true },
);
const authorization = witnesses(
  'test/api/authorization/authorization.test.ts',
  'every route of the server is in the table, and every row is a route',
);
const badTickets = consoles(
  'used, expired, foreign and unknown tickets get one answer, from the websocket and from the page',
);
const dead = consoles('a ticket dies with its session, with its user and with its machine');

export const consoleDefects: readonly ApiDefect[] = [
  {
    name: 'tickets are given for the machines of others',
    file: 'api/console/tickets.ts',
    find: 'getVm(db, caller.scope, asked.vm)',
    replace: "getVm(db, 'all', asked.vm)",
    noticedBy: authorization(
      'who may is let in, and who may not is refused, with the same answer for foreign and missing',
    ),
  },
  {
    name: 'a ticket opens consoles again and again',
    file: 'db/console-tickets.ts',
    find: 't.used_at IS NULL AND t.expires_at > now()',
    replace: 't.expires_at > now()',
    noticedBy: badTickets,
  },
  {
    name: 'a ticket never expires',
    file: 'db/console-tickets.ts',
    find: 't.used_at IS NULL AND t.expires_at > now()',
    replace: 't.used_at IS NULL',
    noticedBy: badTickets,
  },
  {
    name: 'a ticket opens the console of another organisation',
    file: 'db/console-tickets.ts',
    find: '(d.organization_id = s.organization_id OR',
    replace: '(true OR',
    noticedBy: badTickets,
  },
  {
    name: 'a ticket outlives its session',
    file: 'db/console-tickets.ts',
    find: 's.ended_at IS NULL AND s.expires_at > now()',
    replace: 's.expires_at > now()',
    noticedBy: dead,
  },
  {
    name: 'a ticket outlives the role of its user',
    file: 'api/console/tickets.ts',
    find: 'holder !== undefined && mayOpen(holder.roles) ? holder : undefined',
    replace: 'holder',
    noticedBy: dead,
  },
  {
    name: 'a ticket outlives its machine',
    file: 'db/console-tickets.ts',
    find: "\n  AND st.status <> 'DELETED'",
    replace: '',
    noticedBy: dead,
  },
  {
    name: 'tickets are kept as they are',
    file: 'api/console/tickets.ts',
    find: "createHash('sha256').update(ticket).digest()",
    replace: "Buffer.from(ticket, 'base64url')",
    noticedBy: consoles('a ticket is given with its addresses, and only its digest is kept'),
  },
  {
    name: 'to look at the page uses up the ticket',
    file: 'api/console/tickets.ts',
    find: 'admitted(pool, ticket, peekConsoleTicket)',
    replace: 'admitted(pool, ticket, useConsoleTicket)',
    noticedBy: consoles('the page is plain, may do nothing but what it is for, and does not use up the ticket'),
  },
  {
    name: 'pages of other sites open consoles',
    file: 'api/console/stream.ts',
    find: 'requireOwnOrigin(request, context.settings);',
    replace: '',
    noticedBy: consoles('a page of another site opens none, and uses up no ticket'),
  },
  {
    name: 'tickets are given for machines that do not run',
    file: 'api/console/tickets.ts',
    find: 'requireConsole(vm);\n',
    replace: '\n',
    noticedBy: consoles('a machine that does not run has none, and says why'),
  },
  {
    name: 'tickets are given while the cluster is away',
    file: 'api/console/tickets.ts',
    find: "requireAvailable(caller, clusters, vm.cluster, 'the console cannot be opened');",
    replace: '',
    noticedBy: consoles('while the cluster is away the answer is 503, and says when to ask again'),
  },
  {
    name: 'a console that is open outlives its session',
    file: 'api/console/open-consoles.ts',
    find: 'if (!mayOpen(staying[at] ?? []))',
    replace: 'if (staying[at]?.length === 0)',
    noticedBy: consoles('an open console ends with its session, and keeps the session while somebody types'),
  },
  {
    name: 'places of consoles are never free again',
    file: 'api/console/open-consoles.ts',
    find: 'this.#open.delete(one);\n      place.release();',
    replace: 'this.#open.delete(one);',
    noticedBy: consoles('so many at once for each user, and a place is free again when one closes'),
  },
];
