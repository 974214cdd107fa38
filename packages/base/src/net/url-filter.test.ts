/** Which URLs of users may be connected to. Names are looked up at a DNS server on this machine. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startDnsServer, type DnsServer } from './dns-server.fixture.ts';
import { publicNetworks } from './reserved-addresses.ts';
import { dnsLookup } from './resolver.ts';
import { UrlFilter, type UrlFilterSettings } from './url-filter.ts';

let dns: DnsServer;
before(async () => {
  dns = await startDnsServer({
    'public.example': ['8.8.8.8', '2606:4700::1111'],
    'only6.example': ['2606:4700::1111'],
    'private.example': ['10.1.2.3'],
    'both.example': ['8.8.8.8', '192.168.0.9'],
    'metadata.example': ['8.8.8.8', 'fd00:ec2::254'],
    'nat64.example': ['64:ff9b::a00:1'],
    'empty.example': [],
    'silent.example': 'silent',
    'broken.example': 'broken',
    'docker.io': ['8.8.8.8'],
  });
});
after(() => dns.close());

async function answer(url: string, settings: Partial<UrlFilterSettings> = {}): Promise<string | undefined> {
  const filter = new UrlFilter(
    { allowedHosts: [], allowedCidrs: [], ...settings },
    { hosts: 'x.hosts', cidrs: 'x.cidrs' },
    // A server that is silent is given up soon; the others answer at once.
    dnsLookup({ servers: [dns.address], timeoutMs: url.includes('silent') ? 200 : 60_000 }),
  );
  const refusal = await filter.check(url);
  return refusal === undefined ? undefined : `${refusal.kind}: ${refusal.message}`;
}

suite('a URL is refused', () => {
  const refused: readonly (readonly [url: string, says: RegExp])[] = [
    ['http://0.0.0.0/a', /unspecified \(0\.0\.0\.0\/8\)/],
    ['http://10.1.2.3/a', /private \(10\.0\.0\.0\/8\).*\(x\.cidrs\)$/],
    ['http://172.31.255.255/a', /private \(172\.16/],
    ['http://192.168.1.1:8080/a', /private \(192\.168/],
    ['http://100.64.0.1/a', /shared by the customers/],
    ['http://127.1/a', /"127\.0\.0\.1" is a loopback/],
    ['http://2130706433/a', /loopback/],
    ['http://0x7f.0.0.1/a', /loopback/],
    ['http://0177.0.0.1/a', /loopback/],
    ['http://１２７.0.0.1/a', /loopback/],
    ['http://169.254.169.254/latest/meta-data', /link-local/],
    ['http://168.63.129.16/', /metadata/],
    ['http://192.0.2.1/', /documentation/],
    ['http://198.51.100.1/', /documentation/],
    ['http://203.0.113.1/', /documentation/],
    ['http://192.88.99.1/', /6to4/],
    ['http://198.18.0.1/', /benchmarks/],
    ['http://224.0.0.1/', /multicast/],
    ['http://240.0.0.1/', /reserved/],
    ['http://255.255.255.255/', /broadcast/],
    ['http://[::]/', /unspecified/],
    ['http://[::1]/', /loopback/],
    ['http://[::ffff:10.0.0.1]/', /mapped/],
    ['http://[::ffff:8.8.8.8]/', /mapped/],
    ['http://[64:ff9b::8.8.8.8]/', /NAT64/],
    ['http://[64:ff9b:1::1]/', /NAT64/],
    ['http://[2002:808:808::]/', /6to4/],
    ['http://[2001::1]/', /protocols/],
    ['http://[2001:db8::1]/', /documentation/],
    ['http://[fc00::1]/', /ULA/],
    ['http://[fd00:ec2::254]/', /ULA/],
    ['http://[fe80::1]/', /link-local/],
    ['http://[ff02::1]/', /multicast/],
    ['http://[4000::1]/', /not a public address/],
    ['http://localhost/', /without a domain.*\(x\.hosts\)$/],
    ['http://LOCALHOST./', /without a domain/],
    ['http://a.localhost/', /inside of/],
    ['http://minio/', /without a domain/],
    ['http://minio.tenant.svc/', /inside of/],
    ['http://minio.tenant.svc.cluster.local./', /inside of/],
    ['http://minio.tenant.svc.corp.example/', /inside of/],
    ['http://10-0-0-1.tenant.pod.cluster.example/', /inside of/],
    ['http://metadata.google.internal/', /inside of/],
    ['https://private.example/', /^refused: the host "private\.example" has an address that is private \(10\.0/],
    ['https://PRIVATE.example./', /private/],
    ['https://both.example/', /private \(192\.168/],
    ['https://metadata.example/', /ULA/],
    ['https://nat64.example/', /NAT64/],
    [
      'https://absent.example/',
      /^unresolved: the host "absent\.example" cannot be checked: DNS has no address of it; /,
    ],
    ['https://empty.example/', /^unresolved: .*no address/],
    ['https://broken.example/', /^unresolved: .*DNS does not answer \(ESERVFAIL\).*\(x\.hosts\)$/],
    ['https://silent.example/', /^unresolved: .*DNS does not answer/],
    ['docker://10.0.0.1:5000/team/fedora:42', /private/],
    ['docker://registry:5000/fedora', /"registry" is a name without/],
    ['docker://localhost/fedora', /"localhost"/],
    ['docker://private.example/fedora@sha256:0', /private/],
    ['docker://[::1]:5000/fedora', /loopback/],
    ['http:10.0.0.1/a', /names no host/],
    ['http:///a', /names no host/],
    ['http://8.8.8.8\\@10.0.0.1/a', /names no host/],
    ['http://8.8.8.8\t/a', /names no host/],
    ['http://8.8.8.8@10.0.0.1/a', /private/],
    ['ftp://10.0.0.1/a', /private/],
  ];
  for (const [url, says] of refused)
    test(url, async () => {
      const said = await answer(url);
      assert.match(said ?? 'allowed', says);
      assert.doesNotMatch(said ?? '', /meta-data|:8080|8\.8\.8\.8/, 'the rest of the URL');
    });
});

suite('a URL is allowed', () => {
  const allowed: readonly (readonly [url: string, settings?: Partial<UrlFilterSettings>])[] = [
    ['https://public.example/fedora.qcow2?a=b'],
    ['https://only6.example/a'],
    ['http://8.8.8.8:8080/a'],
    ['https://[2606:4700::1111]/a'],
    ['docker://fedora:42'],
    ['docker://team/fedora'],
    ['docker://public.example:5000/fedora'],
    ['oci-archive:///tmp/a'],
    ['http://10.1.2.3/a', { allowedCidrs: ['10.1.2.0/24'] }],
    ['https://private.example/a', { allowedCidrs: ['10.1.2.3/32'] }],
    ['https://both.example/a', { allowedCidrs: ['fd00::/8', '192.168.0.0/16'] }],
    ['http://[fd12::1]/a', { allowedCidrs: ['fd12::/16'] }],
    ['http://[64:ff9b::8.8.8.8]/a', { allowedCidrs: ['64:ff9b::/96'] }],
    ['http://minio.tenant.svc/a', { allowedHosts: ['minio.tenant.svc'] }],
    ['http://Minio.Tenant.svc./a', { allowedHosts: ['MINIO.tenant.svc.'] }],
    ['http://absent.example/a', { allowedHosts: ['*.example'] }],
    ['docker://registry:5000/a', { allowedHosts: ['registry'] }],
    ['http://127.0.0.1/a', { allowedHosts: ['*'] }],
  ];
  for (const [url, settings] of allowed)
    test(`${url} ${settings === undefined ? '' : JSON.stringify(settings)}`, async () =>
      assert.equal(await answer(url, settings), undefined));
});

suite('what is allowed', () => {
  test('is no more than what is named', async () => {
    assert.match((await answer('http://10.1.3.1/', { allowedCidrs: ['10.1.2.0/24'] })) ?? '', /private/);
    assert.match((await answer('http://example/', { allowedHosts: ['*.example'] })) ?? '', /without a domain/);
    assert.match((await answer('http://a.svc/', { allowedHosts: ['b.svc'] })) ?? '', /inside of/);
    const behindNat64 = { allowedCidrs: ['64:ff9b::/96'] };
    assert.match((await answer('http://[64:ff9b::10.0.0.1]/', behindNat64)) ?? '', /private/);
  });

  test('by name is not looked up', async () => {
    assert.equal(await answer('http://trusted.example/', { allowedHosts: ['trusted.example'] }), undefined);
    assert.ok(!dns.asked.has('trusted.example'));
  });
});

test('a network policy leaves out what is refused', async () => {
  const [v4, v6] = publicNetworks;
  assert.deepEqual([v4?.cidr, v6?.cidr], ['0.0.0.0/0', '2000::/3']);
  for (const cidr of [...(v4?.except ?? []), ...(v6?.except ?? [])]) {
    const [first = ''] = cidr.split('/');
    assert.match(
      (await answer(`http://${first.includes(':') ? `[${first}]` : first}/`)) ?? 'allowed',
      /^refused/,
      cidr,
    );
  }
  for (const cidr of ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16'])
    assert.ok(v4?.except.includes(cidr), cidr);
});
