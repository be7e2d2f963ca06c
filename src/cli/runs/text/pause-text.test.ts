import { expect, test } from 'vitest';
import { runLine, runView } from '../../../workflow/view/run-view.ts';
import { Told } from '../../../workflow/view/told.fixture.ts';
import { pauseLines } from './pause-text.ts';

const atWork = () => new Told().work('research').reply('develop', { kind: 'started' });

test('a run that pauses counts down', () => {
  const told = atWork().tell({ kind: 'pause', now: false });
  const view = runView(told.run, [], told.at + 12_000);
  expect(view).toMatchObject({ status: 'running', waiting_kind: 'pause', waiting_for: 'agents save what they have (18s left)' });
  expect(pauseLines(view, told.at + 12_000)).toEqual(['! pausing: agents save what they have, 18s left']);
});

test('a paused run says what is complete, partial and not started, and how it goes on', () => {
  const told = atWork().tell({ kind: 'pause', now: true });
  const view = runView(told.run, told.tasks(), told.at);
  if (view.pause === null) throw new Error('it is not paused');
  expect(view.pause).toEqual({
    since_ms: told.at,
    until_ms: null,
    complete: ['research'],
    partial: ['develop'],
    not_started: ['review', 'land'],
    files: null,
  });
  const progress = { done: 2, total: 5, note: 'tests' };
  const stages = view.stages.map((stage) => (stage.id === 'develop' ? { ...stage, progress } : stage));
  const found = { ...view.pause, files: '/root/runs/swarm-1/partial' };
  expect(pauseLines({ ...view, stages, pause: found }, told.at + 60_000)).toEqual([
    '! paused 1m ago',
    '    complete: research',
    '    partial: develop (40 %: tests)',
    '    not started: review, land',
    '    unfinished files: /root/runs/swarm-1/partial',
    '    llmc resume swarm-1',
    '    llmc resume swarm-1 --restart develop    from its beginning',
    '    llmc resume swarm-1 --skip-to review    not recommended: the results may have gaps',
  ]);
  expect(runLine(told.run, told.tasks(), told.at)).toMatchObject({ status: 'paused', waiting_for: 'it goes on when you resume it' });
});

test('a task that is still in the queue has not started', () => {
  const told = new Told().tell({ kind: 'pause', now: false });
  expect(runView(told.run, told.tasks(), told.at).pause).toMatchObject({
    complete: [],
    partial: [],
    not_started: expect.arrayContaining(['research']),
  });
});

test('a run that moves has no such lines', () => {
  const told = atWork();
  expect(pauseLines(runView(told.run, [], told.at), told.at)).toEqual([]);
});
