/** Who is logged in, for how long, and what guessing costs. */
import { witnesses, type ApiDefect } from '../defect.ts';

const sessions = witnesses('api/sessions/sessions.test.ts', 'the body of a log-in is not looked at');
const throttle = witnesses('api/sessions/throttle.test.ts', 'addresses of one network of IPv6 count as one');
const passwords = witnesses('api/passwords/passwords.test.ts', 'long passwords count to their last letter');
const first = witnesses(
  'api/bootstrap/first-administrator.test.ts',
  'is not made with a password that is too short, which is not told',
);

const endings: readonly ApiDefect[] = [
  {
    name: 'logging out ends nothing',
    file: 'api/sessions/service.ts',
    find: 'if (!(await endSession(tx, id))) return;',
    replace: '',
    noticedBy: sessions('logout ends the token, at each of its addresses, with the header twice, and for XML clients'),
  },
  {
    name: 'sessions of others are ended',
    file: 'db/sessions.ts',
    find: 'AND s.id = $1 AND s.user_id = $2',
    replace: 'AND s.id = $1 AND $2::uuid IS NOT NULL',
    noticedBy: sessions('one sees and ends the own sessions, this and others, and nobody else’s'),
  },
  {
    name: 'an expired session is good',
    file: 'db/sessions.ts',
    find: 's.ended_at IS NULL AND s.expires_at > now()',
    replace: 's.ended_at IS NULL',
    noticedBy: sessions(
      'a session ends when it is idle, use prolongs it until its last day, and is not written down every time',
    ),
  },
  {
    name: 'use prolongs a session for ever',
    file: 'db/sessions.ts',
    find: 'least(lasts_until, now()',
    replace: 'greatest(lasts_until, now()',
    noticedBy: sessions(
      'a session ends when it is idle, use prolongs it until its last day, and is not written down every time',
    ),
  },
  {
    name: 'each request writes',
    file: 'api/sessions/lookup.ts',
    find: 'session.unused_ms < step',
    replace: 'session.unused_ms < 0',
    noticedBy: sessions(
      'a session ends when it is idle, use prolongs it until its last day, and is not written down every time',
    ),
  },
  {
    name: 'who is disabled goes on',
    file: 'db/sessions.ts',
    find: 'AND u.enabled AND NOT u.locked',
    replace: 'AND NOT u.locked',
    noticedBy: sessions(
      'what ends a user’s rights ends them with the next request: disabled, locked, deleted, organization disabled',
    ),
  },
  {
    name: 'users of an organisation that is disabled go on',
    file: 'db/sessions.ts',
    find: 'AND o.enabled AND o.deleted_at IS NULL',
    replace: 'AND o.deleted_at IS NULL',
    noticedBy: sessions(
      'what ends a user’s rights ends them with the next request: disabled, locked, deleted, organization disabled',
    ),
  },
  {
    name: 'the beginning of a token is enough',
    file: 'api/http/authenticate.ts',
    find: "hash('sha256', token, 'buffer')",
    replace: "hash('sha256', token.slice(0, 100), 'buffer')",
    noticedBy: sessions("a token with an empty signature is nobody's, and neither is any other that was not given out"),
  },
];

const logIns: readonly ApiDefect[] = [
  {
    name: 'the provider comes in by the tenants’ door',
    file: 'api/sessions/log-in.ts',
    find: "if ((user.organization_id === systemOrganization) !== (door === 'provider')) return 'of the other door';",
    replace: '',
    noticedBy: sessions('who may not log in cannot find out why: every failure has the same answer'),
  },
  {
    name: 'who is refused is not in the audit',
    file: 'api/sessions/log-in.ts',
    find: "await recordFailure(db, entering, entered ?? 'changed meanwhile');",
    replace: '',
    noticedBy: sessions('log-ins and their failures are in the audit, and no secret is, nor in the log'),
  },
  {
    name: 'the log has the headers of requests',
    file: 'api/app.ts',
    find: "route: request.routeOptions.url ?? 'none',",
    replace: "route: request.routeOptions.url ?? 'none',\n        seen: { ...request.headers },",
    noticedBy: sessions('log-ins and their failures are in the audit, and no secret is, nor in the log'),
  },
  {
    name: 'nothing is hashed for names that do not exist',
    file: 'api/passwords/passwords.ts',
    find: 'hash ?? this.#hashOfNobody',
    replace: "hash ?? ''",
    noticedBy: passwords(
      'a name that does not exist costs a hash like one that does: the time that it takes tells nothing',
    ),
  },
  {
    name: 'a hash of before is kept for ever',
    file: 'api/passwords/passwords.ts',
    find: 'return { matches, renewed: await hashPassword(password, this.#cost) };',
    replace: 'return { matches };',
    noticedBy: passwords('without a hash no password is right, and a hash of another cost is made anew'),
  },
  {
    name: 'the right password forgets nothing',
    file: 'api/sessions/log-in.ts',
    find: 'await throttle.succeeded(tx);',
    replace: '',
    noticedBy: sessions(
      'guessing makes wait, for names that exist and for those that do not; the right password ends it',
    ),
  },
];

const guesses: readonly ApiDefect[] = [
  {
    name: 'guessing costs nothing',
    file: 'api/sessions/throttle.ts',
    find: 'if (waitMs <= 0) return;',
    replace: 'if (waitMs < Infinity) return;',
    noticedBy: sessions(
      'guessing makes wait, for names that exist and for those that do not; the right password ends it',
    ),
  },
  {
    name: 'one who forgot a password holds up the others behind the address',
    file: 'api/sessions/throttle.ts',
    find: "digest('pair', network, ...name)",
    replace: "digest('pair', network)",
    noticedBy: throttle('one attacker does not lock out the user elsewhere, nor others behind the same address'),
  },
  {
    name: 'strangers lock a user out for long',
    file: 'api/sessions/throttle.ts',
    find: 'maxWaitMs: maxWaitOfNameMs',
    replace: 'maxWaitMs',
    noticedBy: throttle('many attackers make a name wait, but for no more than half a minute'),
  },
  {
    name: 'a success of one’s own sets the address free',
    file: 'api/sessions/throttle.ts',
    find: 'clearFailures(db, [this.#pair, this.#name])',
    replace: 'clearFailures(db, [this.#pair, this.#name, this.#address])',
    noticedBy: throttle(
      'one address that tries many names has to wait with all of them, and its own success does not help',
    ),
  },
  {
    name: 'waits do not grow',
    file: 'db/login-failures.ts',
    find: '::float8 * power(2, ',
    replace: '::float8 * power(1, ',
    noticedBy: throttle('a few failures are free, then each wait is twice the one before, up to five minutes'),
  },
];

const bootstrap: readonly ApiDefect[] = [
  {
    name: 'the first administrator is made by each replica',
    file: 'api/bootstrap/first-administrator.ts',
    find: 'await sql`SELECT pg_advisory_xact_lock(${lock})`.execute(tx);',
    replace: '',
    noticedBy: first(
      'is made once by replicas that start together, with the password that was given, which nobody sees',
    ),
  },
  {
    name: 'the first administrator is made though there is one by now',
    file: 'api/bootstrap/first-administrator.ts',
    find: 'if (await hasHolder(tx, roleIds.systemAdministrator)) return false;',
    replace: '',
    noticedBy: first(
      'is made once by replicas that start together, with the password that was given, which nobody sees',
    ),
  },
  {
    name: 'the first password is in the log',
    file: 'api/bootstrap/first-administrator.ts',
    find: "log.info({ user: username, organization: 'System' },",
    replace: "log.info({ user: username, organization: 'System', with: chosen.reveal() },",
    noticedBy: first(
      'is made once by replicas that start together, with the password that was given, which nobody sees',
    ),
  },
];

export const sessionDefects: readonly ApiDefect[] = [...endings, ...logIns, ...guesses, ...bootstrap];
