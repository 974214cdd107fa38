/** Every route, every role, own and foreign organization, with and without a session, by real requests. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { matrix } from '../../../packages/ssvirt/src/api/auth/access/matrix.ts';
import { roleNames, type RoleName } from '../../../packages/ssvirt/src/api/caller.ts';
import { inParallel } from '../../conformance/script.ts';
import { setCluster } from '../../database/rows.ts';
import { startApi, type Answer, type ApiHarness, type Person } from '../harness.ts';
import { makeScene, type Scene } from './scene.ts';
import { publicPrefix, publicRoutes, table, type Row } from './table.ts';

suite('authorisation', () => {
  let api: ApiHarness;
  before(async () => {
    api = await startApi();
    await setCluster(api.db, { name: 'local', state: 'synced', unreadable_namespaces: [] });
  });
  after(() => api.stop());

  test('every route of the server is in the table, and every row is a route', () => {
    const served = api.routes.filter(({ route }) => !route.startsWith(publicPrefix)).map(({ route }) => route);
    const written = [...publicRoutes, ...table.map(({ route }) => route)];
    assert.deepEqual([...new Set(served)].toSorted(), [...new Set(written)].toSorted());
  });

  test('every operation of the matrix is of a route, and public ones are those of the table', () => {
    assert.deepEqual(
      [...new Set(api.routes.map(({ operation }) => operation))].toSorted(),
      Object.keys(matrix).toSorted(),
    );
    const open = api.routes.filter(({ operation }) => matrix[operation].access === 'public').map(({ route }) => route);
    assert.deepEqual(
      [...new Set(open.filter((route) => !route.startsWith(publicPrefix)))].toSorted(),
      publicRoutes.toSorted(),
    );
  });

  test('who may is let in, and who may not is refused, with the same answer for foreign and missing', async () => {
    const wrong = (await inParallel(cases(), 8, tried)).filter((line) => line !== undefined);
    assert.deepEqual(wrong, []);
  });

  test('without a session, or with an invalid one, only public routes answer', async () => {
    const scene = await makeScene(api);
    const me = await api.person('System Administrator');
    const tokens = [undefined, '', 'x', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.', `${me.token}x`];
    const wrong: string[] = [];
    for (const row of table) {
      for (const token of tokens) {
        const answer = await ask(row, scene, me, token);
        if (answer.status !== 401)
          wrong.push(`${row.route} with token ${String(token)}: ${answer.status} ${answer.text.slice(0, 200)}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  interface Case {
    readonly row: Row;
    readonly role: RoleName;
    readonly isForeign: boolean;
    readonly expected: string;
  }

  function cases(): readonly Case[] {
    return table.flatMap((row) =>
      roleNames.flatMap((role, at): readonly Case[] => [
        { row, role, isForeign: false, expected: row.own[at] ?? '' },
        ...(row.foreign === undefined ? [] : [{ row, role, isForeign: true, expected: row.foreign[at] ?? '' }]),
      ]),
    );
  }

  /** The caller and the target. */
  interface Cast {
    readonly me: Person;
    readonly scene: Scene;
  }

  const shared = new Map<string, Promise<Cast>>();

  async function makeCast(role: RoleName, isForeign: boolean): Promise<Cast> {
    const me = await api.person(role);
    // A system administrator's own organization is the provider's, so a tenant's object will do.
    const isHome = !isForeign && role !== 'System Administrator';
    return { me, scene: await makeScene(api, isHome ? me.organizationId : undefined) };
  }

  /**
   * Readers and refused callers share an object, since they leave it unchanged; a caller who changes something gets its
   * own.
   */
  function castOf({ row, role, isForeign, expected }: Case): Promise<Cast> {
    if (!row.route.startsWith('GET ') && expected !== '-') return makeCast(role, isForeign);
    const key = `${role} ${isForeign}`;
    const cast = shared.get(key) ?? makeCast(role, isForeign);
    shared.set(key, cast);
    return cast;
  }

  async function tried(one: Case): Promise<string | undefined> {
    const { row, role, isForeign, expected } = one;
    const { me, scene } = await castOf(one);
    const answer = await ask(row, scene, me, me.token);
    const what = `${row.route}${row.of === undefined ? '' : ` (${row.of})`} by ${role}, ${isForeign ? 'foreign' : 'own'}`;
    if (verdictOf(answer) !== expected)
      return `${what}: expected ${expected}, got ${answer.status} ${answer.text.slice(0, 300)}`;
    return isForeign && expected === '-' ? differsFromMissing(row, { me, scene }, answer, what) : undefined;
  }

  /** The same request for an object that does not exist gets the same text. */
  async function differsFromMissing(
    row: Row,
    { me, scene }: Cast,
    refused: Answer,
    what: string,
  ): Promise<string | undefined> {
    const nowhere = '11111111-2222-4333-8444-555555555555';
    const path = row
      .path(scene, me)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
        id === me.userId ? id : nowhere,
      );
    if (path === row.path(scene, me)) return undefined;
    const missing = await send(row, path, scene, me, me.token);
    if (missing.status === refused.status && missing.text === refused.text) return undefined;
    return `${what}: a missing one gets ${missing.status} ${missing.text.slice(0, 200)}, this one ${refused.status} ${refused.text.slice(0, 200)}`;
  }

  function verdictOf({ status }: Answer): string {
    if (status >= 200 && status < 300) return 'y';
    if (status === 403) return '-';
    return status === 409 ? 'c' : String(status);
  }

  function ask(row: Row, scene: Scene, me: Person, token: string | undefined): Promise<Answer> {
    return send(row, row.path(scene, me), scene, me, token);
  }

  function send(
    { route, body }: Row,
    path: string,
    scene: Scene,
    me: Person,
    token: string | undefined,
  ): Promise<Answer> {
    const [method = ''] = route.split(' ');
    return api.ask(method, path, { token, ...(body === undefined ? {} : { body: body(scene, me) }) });
  }
});
