import { describe, expect, test } from 'vitest';
import { NOON } from './cases/samples.ts';
import { decideFinished, decideResolution, type FinishedView, type RebaseSituation, type ResolutionView } from './decide-resolution.ts';
import { RESOLUTION_POLICY } from './policies/resolution-policy.ts';

const MINUTE = 60_000;
const COMMIT = 'c'.repeat(40);

type Stopped = Extract<RebaseSituation, { kind: 'stopped' }>;
const stopped = (changes: Partial<Stopped> = {}): Stopped => ({
  kind: 'stopped',
  commit: COMMIT,
  unmerged: ['a.txt'],
  unstaged: [],
  marked: [],
  ...changes,
});
const over = (at: 'old' | 'onto-main' | 'elsewhere'): RebaseSituation => ({ kind: 'over', at, head: 'h'.repeat(40) });
const stopAt = ({ commit, unmerged, marked, unstaged }: Stopped): string => JSON.stringify([commit ?? '', unmerged, marked, unstaged]);

/** An agent that was asked once about this stop, a minute ago, and whose turn has just ended there. */
const ROW: ResolutionView['row'] = {
  stop: stopAt(stopped()),
  loops: 1,
  asked_ms: NOON - MINUTE,
  help_ms: null,
  called: null,
  proven_commit: null,
  continuing: null,
  worktree_lost: 0,
};
interface Changes extends Partial<Omit<ResolutionView, 'row'>> {
  readonly row?: Partial<ResolutionView['row']>;
}
const decide = ({ row, ...changes }: Changes) =>
  decideResolution(
    { row: { ...ROW, ...row }, git: stopped(), agent: 'turn-over', undelivered: false, progressAt: NOON - MINUTE, ...changes },
    RESOLUTION_POLICY,
    NOON,
  );

const resolved = stopped({ unmerged: [] });
const marked = stopped({ unmerged: [], marked: ['a.txt'] });
const unstaged = stopped({ unmerged: [], unstaged: ['b.txt'] });
const another = stopped({ commit: 'd'.repeat(40) });
const fewer = stopped({ unmerged: ['b.txt'] });
const busy = { agent: 'busy' } as const;
const ago = (minutes: number) => ({ progressAt: NOON - minutes * MINUTE, row: { asked_ms: NOON - minutes * MINUTE } });

describe('a conflicting rebase', () => {
  test.each<[string, Changes, object]>([
    ['first stop: the agent is asked', { row: { stop: null, loops: 0 } }, { kind: 'ask', reason: 'first', loops: 1 }],
    ['completed: it is proven', { git: over('onto-main') }, { kind: 'prove' }],
    ['completed although a prompt is still on its way: it is proven', { git: over('onto-main'), undelivered: true }, { kind: 'prove' }],
    ['completed in the middle of the turn: the turn ends first', { git: over('onto-main'), ...busy }, { kind: 'wait' }],
    ['more conflicts: a new prompt for that commit', { git: another }, { kind: 'ask', reason: 'next-commit', loops: 1 }],
    ['continue needed: llmc continues', { git: resolved }, { kind: 'continue' }],
    ['continue was cut off: llmc continues', { git: over('onto-main'), row: { continuing: {} } }, { kind: 'continue' }],
    ['markers left: the agent is told', { git: marked }, { kind: 'ask', reason: 'markers', loops: 1 }],
    ['markers left again: counted', { git: marked, row: { stop: stopAt(marked) } }, { kind: 'ask', reason: 'markers', loops: 2 }],
    ['markers left a third time: a person', { git: marked, row: { stop: stopAt(marked), loops: 3 } }, { kind: 'call', reason: 'loop' }],
    ['resolved, but not all staged', { git: unstaged }, { kind: 'ask', reason: 'unstaged', loops: 1 }],
    ['aborted: given back', { git: over('old') }, { kind: 'give-back', reason: 'aborted' }],
    ['left for another commit: given back', { git: over('elsewhere') }, { kind: 'give-back', reason: 'left' }],
    ['turn over at the same stop: asked again', {}, { kind: 'ask', reason: 'unresolved', loops: 2 }],
    ['turn over with a part resolved: asked, not counted', { git: fewer }, { kind: 'ask', reason: 'unresolved', loops: 1 }],
    ['three turns at the same stop: a person', { row: { loops: 3 } }, { kind: 'call', reason: 'loop' }],
    ['the person was called once', { row: { loops: 3, called: 'loop' } }, { kind: 'wait' }],
    ['progress after the call: it goes on', { git: fewer, row: { loops: 3, called: 'loop' } }, { kind: 'ask', loops: 1 }],
    ['resolved after the call', { git: resolved, row: { loops: 3, called: 'loop' } }, { kind: 'continue' }],
    ['busy for less than 5 minutes', { ...busy, ...ago(4.9) }, { kind: 'wait' }],
    ['no progress for 5 minutes: help', { ...busy, ...ago(5) }, { kind: 'ask', reason: 'stuck', loops: 1 }],
    ['no second help while a prompt is on its way', { ...busy, ...ago(5), undelivered: true }, { kind: 'wait' }],
    ['progress restarts the patience', { ...busy, row: { asked_ms: NOON - 60 * MINUTE } }, { kind: 'wait' }],
    [
      'helped: 5 more minutes',
      { ...busy, progressAt: NOON - 9 * MINUTE, row: { asked_ms: 0, help_ms: NOON - 4 * MINUTE } },
      { kind: 'wait' },
    ],
    [
      'no progress since the help: a person',
      { ...busy, progressAt: NOON - 10 * MINUTE, row: { asked_ms: 0, help_ms: NOON - 5 * MINUTE } },
      { kind: 'call', reason: 'stuck' },
    ],
    ['progress since the help: help again later', { ...busy, row: { help_ms: NOON - 9 * MINUTE } }, { kind: 'wait' }],
    [
      'no progress for 5 minutes after the help worked: help again',
      { ...busy, progressAt: NOON - 6 * MINUTE, row: { asked_ms: NOON - 20 * MINUTE, help_ms: NOON - 9 * MINUTE } },
      { kind: 'ask', reason: 'stuck' },
    ],
    [
      'a person was called, and the agent works',
      { ...busy, progressAt: NOON - 60 * MINUTE, row: { asked_ms: NOON - 60 * MINUTE, called: 'stuck' } },
      { kind: 'wait' },
    ],
    [
      'its worktree was deleted: given back, also in the middle of a turn',
      { ...busy, git: over('old'), row: { worktree_lost: 1 } },
      { kind: 'give-back', reason: 'worktree_deleted' },
    ],
    [
      'its worktree was deleted, and the rebase was completed: it is proven',
      { git: over('onto-main'), row: { worktree_lost: 1 } },
      { kind: 'prove' },
    ],
    [
      'its worktree was deleted, and the rebase stands where it stood',
      { row: { worktree_lost: 1 } },
      { kind: 'ask', reason: 'unresolved' },
    ],
    ['aborted in the middle of the turn: the turn ends first', { ...busy, git: over('old') }, { kind: 'wait' }],
    ['the agent asks: a person answers', { agent: 'asks' }, { kind: 'wait' }],
    ['the agent crashed: its restart goes first', { agent: 'absent' }, { kind: 'wait' }],
    ['a prompt is on its way', { undelivered: true }, { kind: 'wait' }],
    [
      'git names a commit that is not the worker’s: a person',
      { git: stopped({ commit: undefined }) },
      { kind: 'call', reason: 'tampered' },
    ],
    [
      'sent back: the prompt goes out before anything is proven again',
      { git: over('onto-main'), undelivered: true, row: { proven_commit: 'h'.repeat(40) } },
      { kind: 'wait' },
    ],
    [
      'validation failed too often: nothing happens until something changes',
      { git: over('onto-main'), row: { called: 'validation', proven_commit: 'h'.repeat(40) } },
      { kind: 'wait' },
    ],
    [
      'another commit after that: it is proven',
      { git: over('onto-main'), row: { called: 'validation', proven_commit: 'g'.repeat(40) } },
      { kind: 'prove' },
    ],
  ])('%s', (_, changes, expected) => {
    expect(decide(changes)).toMatchObject(expected);
  });
});

describe('a rebase that is over', () => {
  const CLEAN: FinishedView = { losses: 0, hardStops: 0, sentBack: false, validated: true, failures: 0 };
  test.each<[string, Partial<FinishedView>, object]>([
    ['is settled when both sides survived', {}, { kind: 'settle', withLosses: false }],
    ['goes back with the lost lines', { losses: 2 }, { kind: 'send-back', what: 'losses' }],
    ['goes back with a hard stop', { hardStops: 1 }, { kind: 'send-back', what: 'losses' }],
    ['goes back with its losses before its validation counts', { losses: 2, validated: false }, { kind: 'send-back', what: 'losses' }],
    ['goes to a person when it comes back with losses', { losses: 2, sentBack: true }, { kind: 'settle', withLosses: true }],
    ['goes back with a failed validation', { validated: false }, { kind: 'send-back', what: 'validation' }],
    ['goes back with it a second time', { validated: false, failures: 1 }, { kind: 'send-back', what: 'validation' }],
    ['calls a person at the third', { validated: false, failures: 2 }, { kind: 'call', reason: 'validation' }],
  ])('%s', (_, changes, expected) => {
    expect(decideFinished({ ...CLEAN, ...changes }, RESOLUTION_POLICY)).toMatchObject(expected);
  });
});
