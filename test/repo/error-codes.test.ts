import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../src/base/error-codes.ts';
import { ERROR_TEXTS } from '../../src/recovery/errors/error-texts.ts';
import { STRATEGY_ROWS } from '../../src/recovery/strategies.ts';
import { TRIGGER_OF } from '../../src/workflow/next/failure-trigger.ts';

const repository = join(import.meta.dirname, '../..');

/** They say something about codes and raise none. */
const TABLES = [
  'src/base/error-codes.ts',
  'src/config/workflow-section.ts',
  'src/recovery/degradation.ts',
  'src/recovery/errors/error-texts.ts',
  'src/recovery/retry/retry.ts',
  'src/recovery/strategies.ts',
  'src/workflow/next/failure-trigger.ts',
];

/** A code that is compared, or looked up, is not raised there. */
const COMPARED = /(?:[=!]==\s*|\bcase\s+|\bin\s+)'[A-Z_]+'/g;

interface Place {
  readonly file: string;
  readonly code: string;
  /** It goes into a record at once, so no step fails with it. */
  readonly isRecord: boolean;
}

function placesIn(file: string, text: string): readonly Place[] {
  const lines = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').split('\n');
  return lines.flatMap((line) => {
    const raised = line.replace(/(?:^|\s)\/\/.*$/, '').replaceAll(COMPARED, '');
    const isRecord = /\berrorRecord\(/.test(raised);
    return [...raised.matchAll(/'([A-Z][A-Z_]+)'/g)].map(([, code = '']) => ({ file, code, isRecord }));
  });
}

const raised = globSync('src/**/*.ts', {
  cwd: repository,
  exclude: ['**/*.test.ts', '**/*samples.ts', '**/*.fixture.ts', ...TABLES],
}).flatMap((file) => placesIn(file, readFileSync(join(repository, file), 'utf8')));

/** Code that a run performs: not commands, nor what checks a request before its run begins. */
const isOfRuns = ({ file }: Place) =>
  !/^src\/(?:cli|doctor|tui|agents\/demo)\/|^src\/workflow\/(?:control|library|inputs|definition)\//.test(file);

const failsSteps = new Set(raised.filter((place) => isOfRuns(place) && !place.isRecord).map(({ code }) => code));
const isLogged = new Set(raised.filter(isOfRuns).map(({ code }) => code));

const unreached = (codes: readonly string[], reached: ReadonlySet<string>) => codes.filter((code) => !reached.has(code));

describe('what counts as the place that raises a code', () => {
  test.each<[string, string, readonly Partial<Place>[]]>([
    ['an error that is thrown', "throw new LlmcError('GIT_FAILED', 'm');", [{ code: 'GIT_FAILED', isRecord: false }]],
    ['a failure of a step', "  ...{ code: 'STAGE_FAILED', message },", [{ code: 'STAGE_FAILED', isRecord: false }]],
    ['a record', "return errorRecord({ id, code: 'ROUTING_FAILED', message });", [{ code: 'ROUTING_FAILED', isRecord: true }]],
    ['one of two', "const code = a ? 'AGENT_SPAWN_FAILED' : 'AGENT_CRASHED';", [{ code: 'AGENT_SPAWN_FAILED' }, { code: 'AGENT_CRASHED' }]],
    ['no comparison', "if (error.code === 'GIT_FAILED' || code !== 'INTERNAL') return;", []],
    ['no case', "    case 'GIT_FAILED':", []],
    ['no comment', "  x(); // as 'GIT_FAILED'", []],
  ])('%s', (_, line, places) => {
    expect(placesIn('src/a.ts', line)).toMatchObject(places);
    expect(placesIn('src/a.ts', line)).toHaveLength(places.length);
  });
});

test('something raises every code', () => {
  const codes: readonly ErrorCode[] = Object.keys(ERROR_CODES).filter((code): code is ErrorCode => Object.hasOwn(ERROR_CODES, code));
  expect(unreached(codes, new Set(raised.map(({ code }) => code)))).toEqual([]);
});

test('a step of a run can fail with the code of every row about that', () => {
  expect(unreached([...STRATEGY_ROWS.map(({ code }) => code), ...Object.keys(TRIGGER_OF)], failsSteps)).toEqual([]);
});

test('the log of a run can contain every code that has a text for its readers', () => {
  expect(unreached(Object.keys(ERROR_TEXTS), isLogged)).toEqual([]);
});
