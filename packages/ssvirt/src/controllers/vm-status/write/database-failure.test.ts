import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutcomeUnknown } from '../../../db/observations/connection.ts';
import { Fenced } from '../../../db/observations/contracts.ts';
import { databaseFailure, errorType } from './database-failure.ts';

const withCode = (code: string): Error => Object.assign(new Error('no'), { code });

const rows: readonly (readonly [why: string, error: unknown, failure: string, type: string])[] = [
  ['another leads', new Fenced('no'), 'fenced', 'unexpected'],
  ['a value that does not fit', withCode('22001'), 'rows', 'database_update_refused'],
  ['a broken constraint', withCode('23505'), 'rows', 'database_update_refused'],
  ['what a trigger raises', withCode('P0001'), 'rows', 'database_update_refused'],
  ['a locked row', withCode('55P03'), 'rows', 'database_row_locked'],
  ['a statement that takes too long', withCode('57014'), 'rows', 'database_row_locked'],
  ['a deadlock', withCode('40P01'), 'rows', 'database_update_refused'],
  ['a server that goes down', withCode('57P01'), 'database', 'database_unavailable'],
  ['a server that only reads', withCode('25006'), 'database', 'database_unavailable'],
  ['a full disk', withCode('53100'), 'database', 'database_unavailable'],
  ['tables that are missing', withCode('42P01'), 'database', 'database_unavailable'],
  ['a connection that is refused', withCode('ECONNREFUSED'), 'database', 'database_unavailable'],
  [
    'a connection that cannot be made in time',
    new Error('timeout exceeded when trying to connect'),
    'database',
    'database_unavailable',
  ],
  ['a connection that breaks', new Error('Connection terminated unexpectedly'), 'database', 'database_unavailable'],
  ['a statement without an answer', new OutcomeUnknown('no'), 'database', 'database_unavailable'],
  ['addresses that all refuse', new AggregateError([withCode('ECONNREFUSED')]), 'database', 'database_unavailable'],
  ['a defect of ours', new TypeError('no'), 'database', 'unexpected'],
  ['nothing at all', null, 'database', 'unexpected'],
];

for (const [why, error, failure, type] of rows)
  test(`${why} fails ${failure}`, () => {
    assert.equal(databaseFailure(error), failure);
    assert.equal(errorType(error), type);
  });
