import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startApi, testSettings, type ApiHarness } from '../../../../../../test/api/harness.ts';

const versions = ['35.0', '36.0', '37.0', '37.1', '37.2', '38.0', '38.1', '39.0'];

suite('versions', () => {
  let api: ApiHarness;
  before(async () => {
    api = await startApi({ settings: { ...testSettings, publicUrl: 'https://cloud.example:8443' } });
  });
  after(() => api.stop());

  test('are listed in XML to who asks for nothing, or for XML, with addresses to log in at', async () => {
    for (const headers of [{}, { accept: 'application/*+xml' }, { accept: '*/*' }]) {
      const { status, text, headers: sent } = await api.ask('GET', '/api/versions', { headers });
      assert.equal(status, 200);
      assert.match(String(sent['content-type']), /^application\/xml/);
      assert.match(text, /<SupportedVersions xmlns="http:\/\/www\.vmware\.com\/vcloud\/versions">/);
      assert.deepEqual(
        [...text.matchAll(/<Version>(.*?)<\/Version>/g)].map(([, version]) => version),
        versions,
      );
      const urls = [...text.matchAll(/<(?:Provider)?LoginUrl>(.*?)</g)].map(([, url]) => url);
      assert.deepEqual(
        [...new Set(urls)],
        [
          'https://cloud.example:8443/cloudapi/1.0.0/sessions',
          'https://cloud.example:8443/cloudapi/1.0.0/sessions/provider',
        ],
      );
    }
  });

  test('come with the order to use HTTPS only, if that is how clients reach the server', async () => {
    const order = 'strict-transport-security';
    assert.equal((await api.ask('GET', '/api/versions')).headers[order], 'max-age=31536000');
    const local = await startApi();
    try {
      assert.equal((await local.ask('GET', '/api/versions')).headers[order], undefined);
    } finally {
      await local.stop();
    }
  });

  test('are listed in JSON to who asks for it, also with an empty version', async () => {
    for (const accept of ['application/*+json;version=,application/json;version=', 'application/json']) {
      const headers = { accept, 'content-type': 'application/*+json' };
      const { status, body } = await api.ask<{ versionInfo: Record<string, unknown>[] }>('GET', '/api/versions', {
        headers,
      });
      assert.equal(status, 200);
      assert.deepEqual(
        body.versionInfo.map(({ version }) => version),
        versions,
      );
      assert.equal(body.versionInfo[0]?.['loginUrl'], 'https://cloud.example:8443/cloudapi/1.0.0/sessions');
    }
    const future = await api.ask('GET', '/api/versions', { headers: { accept: 'application/json;version=41.0' } });
    assert.equal(future.status, 200, 'who does not know the versions asks here');
  });

  test('that are asked for are ours, or nothing is answered', async () => {
    const { token } = await api.person('vApp User');
    const cases: Readonly<Record<string, number>> = {
      'application/json;version=37.0': 200,
      'application/json; version=39.0': 200,
      'application/json;version=': 200,
      'application/json': 200,
      'application/*+json;version=35.0,application/json;version=35.0;multisite=local': 200,
      'application/*+xml;version=37.0, vnd.vmware.vcloud.org+xml;version=37.0': 200,
      'vnd.vmware.vcloud.org+xml, application/json;version=38.1': 200,
      'text/html;q=0.9,*/*': 200,
      'application/json;version=37.3': 406,
      'application/json;version=40.0': 406,
      'application/json;version=37': 406,
      'application/json;version=37.0-alpha': 406,
    };
    for (const [accept, expected] of Object.entries(cases)) {
      const { status, text } = await api.ask('GET', '/cloudapi/1.0.0/roles', { token, headers: { accept } });
      assert.equal(status, expected, `${accept}: ${text}`);
      if (expected === 406) assert.match(text, /NOT_ACCEPTABLE.*35\.0, 36\.0.*39\.0/);
    }
    const xml = await api.ask('GET', '/cloudapi/1.0.0/roles', {
      token,
      headers: { accept: 'application/*+xml;version=9.9' },
    });
    assert.match(xml.text, /<Error [^>]*minorErrorCode="NOT_ACCEPTABLE"/);
    const oauth = await api.ask('POST', '/oauth/provider/token', {
      headers: { accept: 'application/json;version=1.0' },
    });
    assert.equal(oauth.status, 406);
    assert.equal((await api.ask('GET', '/healthz', { headers: { accept: 'a/b;version=1.0' } })).status, 200);
  });
});
