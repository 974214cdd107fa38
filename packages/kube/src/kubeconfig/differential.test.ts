/**
 * Compares our reading of kubeconfigs with that of client-go and client-node. Every difference is intentional, and its
 * reason is listed here.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { throwAwayFolder } from '../../../../test/kubeconfig/harness.ts';
import { clientGoOutcomes, clientNodeOutcome, ourOutcome } from '../../../../test/kubeconfig/outcome.ts';
import { kubeconfigCases, layOut } from '../../../../test/kubeconfig/table.ts';

const unlikeClientGo: Readonly<Record<string, string>> = {
  'a user that is not there': 'we refuse: client-go would ask as nobody, and the 403 that follows hides the mistake',
  'one context and no current context': 'we take the only one there is',
  'a field twice': 'we refuse: which one was meant is a guess',
  'a token that YAML 1.1 took for true': 'we read YAML 1.2, where on is a word',
  'a socks5 proxy': 'we refuse: websockets would not go through it',
  'a token with a line break': 'we refuse: client-go fails at each request instead',
};

/** In most of these we do what client-go does, unlike client-node. */
const unlikeClientNode: Readonly<Record<string, string>> = {
  'impersonation with groups, uid and extra': 'we send all of it, not the name alone',
  'a merge key': 'we read it, as kubectl does',
  'a list whose files both have a current context': 'the first file decides',
  'a list with a file that is missing': 'we go on without it',
  'a list with the same names in both': 'the first file decides',
  'a list with the same file twice and an empty entry': 'we read it once',
  'a list with an empty file': 'we go on without it',
  'a token file': 'we know the field: it is tokenFile, not token-file',
  'a token and a token file': 'the file wins',
  'plain http': 'we allow it, without credentials',
  'plain http and impersonation': 'we allow it, without credentials',
  'an address without a scheme': 'it means plain http',
  'a key without a certificate': 'we leave the key out',
  'a user that is not there': 'we refuse: the mistake would show as a 403',
  'one context and no current context': 'we take the only one there is',
  'two clusters of one name': 'we refuse',
  'a token that is a number': 'we refuse: digits may get lost',
  'another kind': 'we refuse',
  'another version': 'we refuse',
  'an authority that is no base64': 'we refuse: it would trust nobody, and say so in words of TLS',
  'an authority that is no certificate': 'we refuse, for the same reason',
  'an authority inline and in a file': 'we refuse: which one was meant is a guess',
  'an authority that is not checked': 'we refuse: one of both is a mistake',
  'a token and a password': 'we refuse: which one was meant is a guess',
  'a certificate without a key': 'we refuse',
  'a key that does not fit': 'we refuse',
  'a certificate inline and in a file': 'we refuse: which one was meant is a guess',
  'groups without a user': 'we refuse: they would be left out',
  'a socks5 proxy': 'we refuse: websockets would not go through it',
  'an ftp proxy': 'we refuse',
  'a token with a line break': 'we refuse: it would fail at each request',
};

test('the tables name cases that there are, and enough are left to agree on', () => {
  const names = kubeconfigCases.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const table of [unlikeClientGo, unlikeClientNode]) {
    assert.deepEqual(
      Object.keys(table).filter((name) => !names.includes(name)),
      [],
    );
    assert.ok(names.length - Object.keys(table).length >= 40);
  }
});

describe('as client-go', () => {
  const outcomes = clientGoOutcomes();
  for (const one of kubeconfigCases) {
    const reason = unlikeClientGo[one.name];
    test(`${one.name}${reason === undefined ? '' : `: unlike it, ${reason}`}`, async (context) => {
      const folder = await throwAwayFolder(context);
      layOut(one, folder.path);
      const [ours, theirs] = [await ourOutcome(one, folder.path), outcomes.get(one.name)];
      if (reason === undefined) assert.deepEqual(ours, theirs);
      else assert.notDeepEqual(ours, theirs);
    });
  }
});

describe('as client-node', () => {
  for (const one of kubeconfigCases) {
    const reason = unlikeClientNode[one.name];
    test(`${one.name}${reason === undefined ? '' : `: unlike it, ${reason}`}`, async (context) => {
      const folder = await throwAwayFolder(context);
      layOut(one, folder.path);
      const [ours, theirs] = [await ourOutcome(one, folder.path), await clientNodeOutcome(one, folder.path)];
      if (reason === undefined) assert.deepEqual(ours, theirs);
      else assert.notDeepEqual(ours, theirs);
    });
  }
});
