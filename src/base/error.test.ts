import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeError, failureLines, LlmcError } from './error.ts';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

const CODES = Object.keys(ERROR_CODES).filter((code): code is ErrorCode => code in ERROR_CODES);

describe('an error', () => {
  test('is the same after JSON and back', () => {
    const text = fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined });
    fc.assert(
      fc.property(fc.constantFrom(...CODES), fc.string({ unit: 'grapheme' }), text, text, (code, message, hint, details) => {
        const deeper = new LlmcError('FILESYSTEM_ERROR', 'no lock', { hint, cause: new TypeError(message) });
        const error = new LlmcError(code, message, { hint, details, cause: new Error('outer', { cause: deeper }) });
        const back = LlmcError.fromJSON(JSON.parse(JSON.stringify(error)));
        expect(back).toBeInstanceOf(LlmcError);
        expect(back.cause).toMatchObject({ message: 'outer', cause: { code: 'FILESYSTEM_ERROR', cause: { name: 'TypeError', message } } });
        expect(back.toJSON()).toEqual(error.toJSON());
        expect([back.category, back.severity]).toEqual([ERROR_CODES[code].category, ERROR_CODES[code].severity]);
      }),
    );
  });

  test('that is its own cause, or has a cause without an end or a shape, can be sent', () => {
    const own: Error & { cause?: unknown } = new Error('again');
    own.cause = own;
    const sent = JSON.stringify(new LlmcError('INTERNAL', 'x', { cause: own }));
    expect(sent.match(/again/g)).toHaveLength(8);
    expect(new LlmcError('INTERNAL', 'x', { cause: Object.create(null) }).toJSON().cause).toEqual({
      name: 'Error',
      message: '[object Object]',
    });
  });

  test('omits fields that are not set', () => {
    expect(new LlmcError('NO_IDLE_WORKER', 'all are busy').toJSON()).toEqual({
      code: 'NO_IDLE_WORKER',
      category: 'USER_ERROR',
      severity: 'error',
      message: 'all are busy',
    });
  });

  test('keeps its cause for --verbose, and has none without one', () => {
    const cause = new Error('ENOSPC');
    expect(new LlmcError('FILESYSTEM_ERROR', 'x', { cause }).cause).toBe(cause);
    expect(new LlmcError('FILESYSTEM_ERROR', 'x')).not.toHaveProperty('cause');
  });

  test.each([
    [new Error('boom'), 'boom'],
    ['just text', 'just text'],
    [undefined, 'undefined'],
    [404, '404'],
  ])('%o has a message', (thrown, message) => {
    expect(describeError(thrown)).toBe(message);
  });
});

test('the lines of a failure end with its hint, if it has one', () => {
  expect(failureLines(new LlmcError('STATE_INVALID', 'lost', { hint: 'llmc doctor --rebuild' }))).toEqual([
    'lost',
    'llmc doctor --rebuild',
  ]);
  expect(failureLines(new LlmcError('STATE_INVALID', 'lost'))).toEqual(['lost']);
  expect(failureLines(new Error('x'))).toEqual(['x']);
});

describe('the codes', () => {
  // The exit status is 1 for these and 2 for all others, so a script may rely on the list.
  test('the fatal codes are those that a person must fix before llmc can work', () => {
    expect(CODES.filter((code) => ERROR_CODES[code].severity === 'fatal')).toEqual([
      'WORKFLOW_NOT_FOUND',
      'TMUX_NOT_FOUND',
      'TMUX_TOO_OLD',
      'GIT_NOT_FOUND',
      'GIT_TOO_OLD',
      'PERMISSION_DENIED',
      'INTERNAL',
    ]);
  });

  test('a code that is not recoverable is not retryable', () => {
    expect(CODES.filter((code) => ERROR_CODES[code].retryable && !ERROR_CODES[code].recoverable)).toEqual([]);
  });

  test('an undelivered prompt is never retried automatically', () => {
    expect(ERROR_CODES.DELIVERY_FAILED.retryable).toBe(false);
  });
});
