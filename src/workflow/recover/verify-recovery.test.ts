import { describe, expect, test } from 'vitest';
import type { Run } from '../model/run.ts';
import { CRASH, result, Story } from '../next/samples.ts';
import type { OpenTask } from '../store/ports.ts';
import { isUnderWay, type RecoveryFacts, type Verification, verifyRecovery, type WorkerFacts } from './verify-recovery.ts';

const alive: WorkerFacts = { hasWorktree: true, session: 'alive' };
const developer = (facts: WorkerFacts = alive) => new Map([['swarm-1-developer', facts]]);

/** Research is done, and the developer has its task. */
function working(): Story {
  const story = new Story();
  story.turn('research').tell({ kind: 'collected', action: story.action('research'), result: FINDINGS });
  return story.tell({ kind: 'started', action: story.action('develop') });
}

const FINDINGS = result({ artifacts: { 'findings.md': { path: 'artifacts/research/findings.md', sha256: 'h', value: null } } });

function tasksOf({ actions, run, at }: Story, state: OpenTask['state'] = 'claimed'): readonly OpenTask[] {
  const acting = Object.values(run.steps).flatMap((step) => (step.state.kind === 'acting' ? [step.state.action] : []));
  return actions
    .filter(({ id }) => acting.includes(id))
    .map(({ id, step, task }) => ({ id, step, kind: task.kind, state, runAt: at, attempt: 1 }));
}

function verify(run: Run, facts: Partial<RecoveryFacts> = {}): Verification {
  return verifyRecovery(run, { workers: developer(), hasArtifact: () => true, tasks: [], ...facts });
}

describe('a recovery', () => {
  test('is complete when each agent that should work does, in its worktree, and the results are there', () => {
    expect(verify(working().run)).toEqual({
      verdict: 'sound',
      lines: ['swarm-1-developer works on develop, in its worktree', 'the results of 1 stage are there'],
    });
  });

  test.each<[string, Partial<RecoveryFacts>, Verification['verdict'], string]>([
    [
      'a session that is gone',
      { workers: developer({ ...alive, session: 'gone' }) },
      'problems',
      '! swarm-1-developer should work on develop, and its session is gone',
    ],
    ['no worktree', { workers: developer({ ...alive, hasWorktree: false }) }, 'problems', '! swarm-1-developer has no worktree'],
    ['a worker that was removed', { workers: new Map() }, 'problems', '! swarm-1-developer, which works on develop, is gone'],
    [
      'a result that is missing',
      { hasArtifact: () => false },
      'problems',
      '! the result artifacts/research/findings.md of research is missing',
    ],
    [
      'tmux that does not answer',
      { workers: developer({ ...alive, session: 'unknown' }) },
      'open',
      'swarm-1-developer works on develop; tmux did not answer',
    ],
  ])('finds %s', (_, facts, verdict, line) => {
    const found = verify(working().run, facts);
    expect(found.verdict).toBe(verdict);
    expect(found.lines).toContain(line);
    expect(found.lines.includes('look: llmc why swarm-1')).toBe(verdict === 'problems');
  });

  test('is open while an agent has not begun, and wrong if nobody performs what a stage waits for', () => {
    const story = new Story();
    expect(verify(story.run, { tasks: tasksOf(story) })).toMatchObject({
      verdict: 'open',
      lines: ['swarm-1-researcher has not begun research yet'],
    });
    expect(verify(story.run)).toMatchObject({
      verdict: 'problems',
      lines: ['! research waits for an action that nobody performs', expect.anything()],
    });
  });

  test('says that a question waits, and which messages do', () => {
    const story = working().tell({ kind: 'message', from: 'person', to: 'reviewer', text: 'hello' });
    for (const _ of [1, 2, 3, 4]) story.crash('develop').tick(60_000);
    const failed = verify(story.run);
    expect(failed.lines).toContain('! swarm-1 has failed again: the agent ended (status 1)');
    const deliver: OpenTask = { id: 'x', step: 'develop', kind: 'deliver', state: 'open', runAt: 0, attempt: 3 };
    expect(
      verify(working().tell({ kind: 'message', from: 'person', to: 'reviewer', text: 'hello' }).run, { tasks: [deliver] }).lines,
    ).toEqual([
      'swarm-1-developer works on develop, in its worktree',
      '1 message for reviewer go with its next task',
      '! 1 message could not be delivered yet',
      'the results of 1 stage are there',
      'look: llmc why swarm-1',
    ]);
    const asking = new Story();
    for (let each = 0; each < 4 && asking.run.escalations.length === 0; each += 1) {
      const action = asking.action('research');
      asking.tell({ kind: 'crashed', action, error: { ...CRASH, component: 'research' } }).tick(60_000);
    }
    expect(verify(asking.run)).toEqual({ verdict: 'sound', lines: ['research asks you (#1)'] });
  });
});

test('what is performed is waited for, what waits for a place not for long, and nothing for a run that stands still', () => {
  const story = new Story();
  expect(isUnderWay(story.run, tasksOf(story), story.at)).toBe('performed');
  expect(isUnderWay(story.run, tasksOf(story, 'open'), story.at)).toBe('queued');
  expect(isUnderWay(working().run, [], story.at)).toBeUndefined();
  const cooling = new Story().crash('research');
  expect(isUnderWay(cooling.run, [], cooling.at)).toBeUndefined();
  expect(isUnderWay(cooling.run, [], cooling.at + 60_000)).toBe('performed');
  expect(isUnderWay(story.tell({ kind: 'pause', now: true }).run, [], story.at)).toBeUndefined();
});
