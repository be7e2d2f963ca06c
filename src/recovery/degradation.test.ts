import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../base/error-codes.ts';
import {
  availableCapabilities,
  decideContinuation,
  degradationLevel,
  degradationRule,
  degradationSummary,
  isAvailable,
  type RoleView,
} from './degradation.ts';

function role(name: string, changes: Partial<RoleView> = {}): RoleView {
  const whenUnavailable = changes.whenUnavailable ?? 'ask';
  const optional = whenUnavailable === 'skip';
  return { name, optional, unavailable: false, remainingStages: [name], whenUnavailable, ...changes };
}

const researcher = role('researcher');
const developer = role('developer', { whenUnavailable: 'stop' });
const reviewer = role('reviewer', { whenUnavailable: 'skip' });
const gone = (one: RoleView): RoleView => ({ ...one, unavailable: true });

/** The table of degradation rules, with the roles of the workflow `swarm`. */
describe('the rules', () => {
  test.each<readonly [ErrorCode, string, RoleView | undefined, string | undefined, string, string | null, string]>([
    // code, of whom, role, what it checks, impact, mark, message
    [
      ...(['AGENT_CRASHED', 'researcher', researcher, undefined, 'nothing can be done as researcher', 'partial'] as const),
      'No agent can work as researcher. A person is asked whether to skip its stages.',
    ],
    [
      ...(['AGENT_CRASHED', 'reviewer', reviewer, 'develop', 'nothing can be checked as reviewer', 'unverified'] as const),
      'No agent can work as reviewer. The result of develop is not verified.',
    ],
    [
      ...(['AGENT_CRASHED', 'developer', developer, undefined, 'nothing can be done as developer', 'partial'] as const),
      'No agent can work as developer. The run ends, and what is there is kept.',
    ],
    [
      ...(['MAX_ITERATIONS', 'a review', undefined, undefined, 'the review is not complete', 'partial'] as const),
      'The review reached its last round. The last version is used and marked partial.',
    ],
    [
      ...(['WORKFLOW_TIMEOUT', 'the run', undefined, undefined, 'the run is not complete', 'partial'] as const),
      'The run took longer than it may. What its agents had left is kept.',
    ],
  ])('%s of %s', (code, _of, lost, checks, impact, mark, message) => {
    const rule = degradationRule({ code, ...(lost !== undefined && { role: lost }), ...(checks !== undefined && { checks }) });
    expect(rule).toMatchObject({ impact, mark, message });
    expect(rule?.mitigation).not.toBe('');
  });

  test('a failure that loses nobody has no rule', () => {
    expect(degradationRule({ code: 'DATABASE_ERROR' })).toBeUndefined();
  });
});

describe('the continuation tree', () => {
  test.each<readonly [string, RoleView, string | undefined, string]>([
    ['it has a fallback: substitute', developer, 'codex', 'substitute'],
    ['the workflow can do without it: skip its stages', reviewer, undefined, 'skip'],
    ['the workflow cannot: stop', developer, undefined, 'stop'],
    ['a person decides: ask', researcher, undefined, 'ask'],
  ])('%s', (_name, lost, fallback, kind) => {
    expect(decideContinuation(lost, fallback)).toMatchObject({ kind });
  });

  test('skipping names the stages', () => {
    expect(
      decideContinuation(role('reviewer', { whenUnavailable: 'skip', remainingStages: ['review', 'check'] }), undefined),
    ).toMatchObject({
      stages: ['review', 'check'],
    });
  });
});

describe('the level', () => {
  test.each<readonly [string, readonly RoleView[], number, string]>([
    ['everything is there', [researcher, developer, reviewer], 0, 'full'],
    ['a stage was skipped, or taken as it is', [researcher, developer, reviewer], 1, 'reduced'],
    ['one of two optional roles is lost', [developer, gone(reviewer), role('tester', { whenUnavailable: 'skip' })], 0, 'reduced'],
    ['a role is lost that has nothing left to do', [gone({ ...researcher, remainingStages: [] }), developer, reviewer], 0, 'reduced'],
    ['every optional role is lost', [researcher, developer, gone(reviewer)], 1, 'minimal'],
    ['a role is lost about whose stages a person decides', [gone(researcher), developer, reviewer], 1, 'reduced'],
    ['a role that the workflow needs is lost', [researcher, gone(developer), reviewer], 0, 'failed'],
  ])('%s: %s', (_name, roles, missing, level) => {
    expect(degradationLevel(roles, missing)).toBe(level);
  });
});

test('what can still be done', () => {
  const roles = [researcher, developer, gone(reviewer)];
  expect(availableCapabilities(roles)).toEqual(['researcher', 'developer']);
  expect([isAvailable('developer', roles), isAvailable('reviewer', roles), isAvailable('cook', roles)]).toEqual([true, false, false]);
});

describe('the summary', () => {
  const none = { unavailableRoles: [], skippedStages: [], markedOutputs: {}, warnings: [], losses: [] };

  test('of a run that lost nothing is one line', () => {
    expect(degradationSummary({ ...none, level: 'full' })).toEqual(['Everything was done as planned.']);
  });

  test('names roles, stages, marks, warnings, and the impact and mitigation of each loss', () => {
    expect(
      degradationSummary({
        level: 'minimal',
        unavailableRoles: ['reviewer'],
        skippedStages: ['review'],
        markedOutputs: { research: [], develop: ['unverified', 'partial'] },
        warnings: ['No agent can work as reviewer. The result of develop is not verified.'],
        losses: [
          { step: 'review', impact: 'nothing can be checked as reviewer', mitigation: 'develop is marked unverified' },
          { step: null, impact: 'the run is not complete', mitigation: 'what is there is kept' },
        ],
      }),
    ).toEqual([
      'Minimal: no optional role is left.',
      'No agent: reviewer',
      'Skipped: review',
      'develop: unverified, partial',
      'No agent can work as reviewer. The result of develop is not verified.',
      'Impact of review: nothing can be checked as reviewer. Mitigation: develop is marked unverified.',
      'Impact: the run is not complete. Mitigation: what is there is kept.',
    ]);
  });

  test('of a run of an older llmc that lacks something and is full says that something is missing', () => {
    const losses = [{ step: 'land', impact: 'develop is not on main', mitigation: 'its commit is kept' }];
    expect(degradationSummary({ ...none, level: 'full', losses })).toEqual([
      'Reduced: something is missing.',
      'Impact of land: develop is not on main. Mitigation: its commit is kept.',
    ]);
  });

  test.each(['reduced', 'failed'] as const)('of level %s says so', (level) => {
    expect(degradationSummary({ ...none, level })[0]?.toLowerCase()).toContain(level);
  });
});
