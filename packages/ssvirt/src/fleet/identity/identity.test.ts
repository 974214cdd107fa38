import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstClaim, judgeIdentity, type IdentityHolder, type IdentityFacts } from './identity.ts';

const cases: readonly { reason: string; facts: IdentityFacts; kind: string }[] = [
  {
    reason: 'first contact is recorded',
    facts: { recorded: undefined, found: 'a', accepted: undefined },
    kind: 'first',
  },
  { reason: 'an empty record is none', facts: { recorded: '', found: 'a', accepted: undefined }, kind: 'first' },
  {
    reason: 'the same uid is the same cluster',
    facts: { recorded: 'a', found: 'a', accepted: undefined },
    kind: 'same',
  },
  {
    reason: 'another uid is another cluster',
    facts: { recorded: 'a', found: 'b', accepted: undefined },
    kind: 'changed',
  },
  { reason: 'a person may accept it', facts: { recorded: 'a', found: 'b', accepted: 'b' }, kind: 'accepted' },
  { reason: 'who accepted b did not accept c', facts: { recorded: 'a', found: 'c', accepted: 'b' }, kind: 'changed' },
  {
    reason: 'an old acceptance of the recorded one changes nothing',
    facts: { recorded: 'b', found: 'c', accepted: 'b' },
    kind: 'changed',
  },
  {
    reason: 'the word "true" accepts nothing',
    facts: { recorded: 'a', found: 'b', accepted: 'true' },
    kind: 'changed',
  },
  {
    reason: 'no acceptance is needed for the same cluster',
    facts: { recorded: 'a', found: 'a', accepted: 'b' },
    kind: 'same',
  },
];

for (const { reason, facts, kind } of cases) {
  test(`identity: ${reason}`, () => assert.equal(judgeIdentity(facts).kind, kind));
}

const claim = (name: string, createdAt: string, recorded = true): IdentityHolder => ({ name, createdAt, recorded });

const claims: readonly { reason: string; claims: readonly IdentityHolder[]; first: string | undefined }[] = [
  { reason: 'there is no claim', claims: [], first: undefined },
  { reason: 'the older one is the member', claims: [claim('b', '2026-01-02'), claim('a', '2026-01-03')], first: 'b' },
  {
    reason: 'of the same age the first by name',
    claims: [claim('b', '2026-01-02'), claim('a', '2026-01-02')],
    first: 'a',
  },
  {
    reason: 'one that is recorded goes before an older one that is not',
    claims: [claim('a', '2026-01-01', false), claim('b', '2026-01-02')],
    first: 'b',
  },
];

for (const { reason, claims: all, first } of claims) {
  test(`several names for one cluster: ${reason}`, () => assert.equal(firstClaim(all)?.name, first));
}
