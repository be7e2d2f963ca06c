import { expect, test } from 'vitest';
import { REVIEWED } from '../../../test/support/accepted-work.ts';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { stageOfRun } from '../../../test/support/stage-of-run.ts';
import { acceptWork } from '../../workers/accept-work.ts';
import type { QuestionView } from '../../workflow/view/run-view.ts';
import { withApprovedWork } from './approved-work.ts';

const asking = (commit: string): QuestionView => ({
  run: 'swarm-1',
  number: 1,
  type: 'approval',
  stage: 'look',
  text: 'Approve the result of two?',
  task: null,
  prompt: null,
  see: [],
  approves: { stage: 'two', commit, files: [] },
  options: ['approve'],
  recommended: 'approve',
  asked_ms: 0,
  default: null,
  by_itself_ms: null,
  attempts: [],
  progress: null,
  terminal: null,
});

test('the question about a result shows its own work, and not what the run has landed on a branch before', async () => {
  await using work = await scratchWork({ repo: 'landing = "branch"', worker: REVIEWED });
  const { context, repo } = work;
  await stageOfRun(work, 'swarm-1-one', { 'one.txt': 'one\n' });
  await acceptWork(context, { worker: 'swarm-1-one' });
  const commit = await repo.run(['rev-parse', 'HEAD'], await stageOfRun(work, 'swarm-1-two', { 'two.txt': 'two\n' }));
  const [question] = await withApprovedWork(context, [asking(commit)]);
  expect(question?.work).toMatchObject({ problems: [], diff: expect.stringContaining('two.txt') });
  expect(question?.work?.diff).not.toContain('one.txt');
});
