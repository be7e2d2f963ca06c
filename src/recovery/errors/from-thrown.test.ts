import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LlmcError } from '../../base/error.ts';
import { ERROR_CODES, type ErrorCode } from '../../base/error-codes.ts';
import { type ErrorRecord, errorRecord } from '../error-record.ts';
import { errorSchema } from './error-schema.ts';
import { errorFromThrown } from './from-thrown.ts';

const GIVEN = { id: 'swarm-1.7', component: 'develop', at: 1_800_000_000_000 };
const CODES = Object.keys(ERROR_CODES).filter((code): code is ErrorCode => code in ERROR_CODES);

const backFromJson = (record: ErrorRecord): ErrorRecord => errorSchema.parse(JSON.parse(JSON.stringify(record)));

describe('a record', () => {
  const text = fc.string({ unit: 'grapheme' });
  const maybe = fc.option(text);
  const { record } = fc.letrec<{ record: ErrorRecord }>((tie) => ({
    record: fc
      .record({
        id: text,
        code: fc.constantFrom(...CODES),
        message: text,
        component: text,
        at: fc.integer(),
        details: maybe,
        suggestion: maybe,
        role: maybe,
        strategy: maybe,
        stack: maybe,
        durationMs: fc.option(fc.nat()),
        retries: fc.nat(),
        // llmc names the keys itself; zod leaves out this one.
        context: fc.dictionary(
          text.filter((key) => key !== '__proto__'),
          fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        ),
        cause: fc.option(tie('record'), { depthSize: 'small' }),
      })
      .map(errorRecord),
  }));

  test('is the same after JSON and back, whatever it holds', () => {
    fc.assert(fc.property(record, (one) => void expect(backFromJson(one)).toEqual(one)));
  });

  test('keeps what JSON has no word for as text', () => {
    const loop: Record<string, unknown> = {};
    loop.own = loop;
    const { context } = errorRecord({
      ...GIVEN,
      code: 'INTERNAL',
      message: '',
      context: { big: 5n, loop, none: undefined, not: Number.NaN },
    });
    expect(context).toEqual({ big: '5n', loop: '<ref *1> { own: [Circular *1] }', not: null });
  });
});

describe('whatever is thrown becomes a record', () => {
  test('an error of llmc with hint, details and the chain of its causes', () => {
    const disk = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const thrown = new LlmcError('GIT_WORKTREE_FAILED', 'git worktree add failed', {
      hint: 'llmc doctor',
      details: 'fatal: …',
      cause: new Error('git ended', { cause: disk }),
    });
    const record = errorFromThrown(thrown, GIVEN);
    expect(record).toMatchObject({
      id: 'swarm-1.7',
      code: 'GIT_WORKTREE_FAILED',
      category: 'SYSTEM_ERROR',
      severity: 'error',
      retryable: true,
      recoverable: true,
      message: 'git worktree add failed',
      suggestion: 'llmc doctor',
      details: 'fatal: …',
      component: 'develop',
      cause: { id: 'swarm-1.7.cause', message: 'git ended', cause: { code: 'FILESYSTEM_ERROR', message: 'no space left', cause: null } },
    });
    expect(record.stack).toContain('from-thrown.test.ts');
    expect(backFromJson(record)).toEqual(record);
  });

  test.each<readonly [string, unknown, ErrorCode]>([
    ['SQLite', Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR' }), 'DATABASE_ERROR'],
    ['a missing file', Object.assign(new Error('ENOENT'), { code: 'ENOENT' }), 'FILESYSTEM_ERROR'],
    ['a full disk', Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }), 'FILESYSTEM_ERROR'],
    ['no permission', Object.assign(new Error('EACCES'), { code: 'EACCES' }), 'PERMISSION_DENIED'],
    ['no network', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'NETWORK_ERROR'],
    ['an abort', AbortSignal.abort().reason, 'CANCELLED'],
    ['a bug', new TypeError('x is not a function'), 'INTERNAL'],
    ['a text', 'just text', 'INTERNAL'],
    ['nothing', undefined, 'INTERNAL'],
    ['an object that has no text', Object.create(null), 'INTERNAL'],
  ])('%s', (_name, thrown, code) => {
    const record = errorFromThrown(thrown, GIVEN);
    expect(record).toMatchObject({ code, ...ERROR_CODES[code] });
    expect(backFromJson(record)).toEqual(record);
  });

  test('an error without a code takes the one of the operation', () => {
    expect(errorFromThrown(new Error('ended'), { ...GIVEN, code: 'AGENT_CRASHED' })).toMatchObject({ code: 'AGENT_CRASHED' });
  });

  test('an error that is its own cause ends after a few', () => {
    const thrown = new Error('loop');
    thrown.cause = thrown;
    let depth = 0;
    for (let record: ErrorRecord | null = errorFromThrown(thrown, GIVEN); record !== null; record = record.cause) depth += 1;
    expect(depth).toBe(9);
  });

  test('several errors at once are listed', () => {
    expect(errorFromThrown(new AggregateError([new Error('a'), 'b'], 'both failed'), GIVEN)).toMatchObject({ details: 'a\nb' });
  });
});
