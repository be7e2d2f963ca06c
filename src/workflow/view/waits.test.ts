import { describe, expect, test } from 'vitest';
import { errorRecord } from '../../recovery/error-record.ts';
import type { Status } from '../../store/statuses.ts';
import { review, swarmPlan } from '../next/samples.ts';
import { runLine, runView } from './run-view.ts';
import { NOON, Told } from './told.fixture.ts';
import { listWaits } from './waits.ts';

const crash = {
  kind: 'crashed',
  error: errorRecord({ id: 'x', code: 'AGENT_CRASHED', message: 'status 1', component: '', at: NOON }),
} as const;
const byPerson = () =>
  swarmPlan((stages) => stages.map((stage) => (stage.id === 'review' ? review('review', 'develop', { by: { kind: 'person' } }) : stage)));

describe('a run waits for', () => {
  test.each<[string, Told, string, string, string]>([
    ['a place', new Told(), 'running', 'queue', 'research: researcher waits for a place among the agents of runs (max_agents)'],
    ['its agent', new Told().reply('research', { kind: 'started' }), 'running', 'agent', 'research: researcher works (timeout in 4h)'],
    [
      'an agent whose time is up',
      new Told().reply('research', { kind: 'started' }).tell({ kind: 'tick' }, 4 * 3_600_000),
      ...(['running', 'agent', 'research: researcher takes longer than it may and is asked how far it is'] as const),
    ],
    [
      'a usage limit',
      new Told().reply('research', { kind: 'started' }).reply('research', { kind: 'parked' }),
      ...(['running', 'limit', 'research: researcher waits for a usage limit'] as const),
    ],
    [
      'the answer to its agent',
      new Told().reply('research', { kind: 'started' }).reply('research', { kind: 'asked', question: 'Which port?' }),
      ...(['waiting', 'person', 'research: asks you (#1, blocked): Which port?'] as const),
    ],
    [
      'the time of the next try',
      new Told().reply('research', { kind: 'started' }).reply('research', crash),
      ...(['running', 'time', 'research: tries again at 12:00:05'] as const),
    ],
    [
      'an approval',
      new Told(byPerson()).work('research').work('develop', 'c1'),
      ...(['waiting', 'person', 'review: asks you (#1, approval): Approve the result of develop?'] as const),
    ],
    [
      'a review before the landing',
      new Told().work('research').work('develop', 'c1').judge('review').reply('land', { kind: 'started' }),
      ...(['waiting', 'review', 'land: waits for your review of swarm-1-developer'] as const),
    ],
  ])('%s', (_, told, status, kind, text) => {
    expect(runLine(told.run, told.tasks(), told.at)).toMatchObject({ status, waiting_kind: kind, waiting_for: text });
  });
});

test.each<[Status | undefined, string, string]>([
  [undefined, 'waiting', 'land: waits for your review of swarm-1-developer'],
  ['needs_review', 'waiting', 'land: waits for your review of swarm-1-developer'],
  ['rejected', 'running', 'land: developer works on your remarks'],
  ['rebasing', 'running', 'land: developer resolves a conflict with main'],
  ['needs_input', 'waiting', 'land: swarm-1-developer needs you: llmc why swarm-1-developer'],
  ['idle', 'running', 'land: its landing is under way'],
])('a landing whose worker is %s', (standing, status, text) => {
  const { run, at } = new Told().work('research').work('develop', 'c1').judge('review').reply('land', { kind: 'started' });
  const around = { standingOf: (worker: string) => (worker === 'swarm-1-developer' ? standing : undefined) };
  expect(runLine(run, [], at, around)).toMatchObject({ status, waiting_for: text });
});

test('an approval names the files and the commit to look at', () => {
  const { run, at } = new Told(byPerson()).work('research').work('develop', '0123456789abcdef');
  expect(runView(run, [], at, { folder: '/root/runs/swarm-1', repository: '/root' }).questions).toMatchObject([
    { type: 'approval', see: ['git -C /root show 0123456789ab'] },
  ]);
});

test('an action that is being performed does not wait in the queue', () => {
  const told = new Told();
  expect(listWaits(told.run, told.tasks('claimed'))).toEqual([{ kind: 'llmc', step: 'research', doing: 'attempt', dueMs: null }]);
  expect(listWaits(told.run, [])).toMatchObject([{ kind: 'llmc' }]);
});

test('a run that has ended waits for nothing', () => {
  const told = new Told().tell({ kind: 'abort', why: 'enough' });
  expect(listWaits(told.run, told.tasks())).toEqual([]);
  expect(runLine(told.run, [], told.at)).toMatchObject({ status: 'aborted', stage: null, waiting_for: null, ended_ms: told.at });
});
