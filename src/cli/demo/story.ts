import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import type { StatusReport } from '../../supervisor/report/status-report.ts';
import { writePrivate } from '../../system/files/files.ts';
import { CAST, FEEDBACK, REVIEWED } from './cast.ts';
import { goDown, initDemoRoot, type Play, type Story, showCommand, showMain, startSupervisor } from './commands.ts';
import { type DemoSummary, summarise } from './summary.ts';

const WHY_LINES = 22;

async function setUp(play: Play): Promise<void> {
  const { stage } = play;
  await initDemoRoot(play);
  for (const { worker, turns } of CAST) {
    writePrivate(join(stage.scenarios, `${worker}.yaml`), JSON.stringify({ turns }));
    await showCommand(play, ['add', worker]);
  }
}

async function goUp(play: Play): Promise<void> {
  const { narrator } = play;
  narrator.chapter('The supervisor starts one agent per worker, each in its own tmux session and git worktree, and supervises them.');
  narrator.remark('Lines of the supervisor start with ▸. "llmc up --detach" would run it in the background.');
  await startSupervisor(play);
  await showCommand(play, ['status']);
}

async function giveTasks(play: Play): Promise<void> {
  play.narrator.chapter('Three tasks at once. "llmc start" returns when the agent has acknowledged the prompt.');
  await Promise.all(CAST.map(({ worker, task }) => showCommand(play, ['start', '--worker', worker, '--prompt', task])));
  await showCommand(play, ['status']);
}

async function finishTasks(play: Play): Promise<void> {
  play.narrator.chapter('The workers work in parallel. The agent of carl crashes; llmc restarts it, and it continues its conversation.');
  await Promise.all(CAST.map(({ worker }) => showCommand(play, ['wait', worker, '--for', 'needs_review', '--timeout', '2m'])));
  const { stage, narrator } = play;
  narrator.command('llmc logs carl | grep -E ": (exit|launch):"');
  const log = await stage.llmc(['logs', 'carl']);
  for (const line of log.split('\n').filter((text) => /: (exit|launch):/.test(text))) narrator.output(line);
}

async function review(play: Play): Promise<void> {
  play.narrator.chapter('Review the work of adam: one diff against main.');
  await showCommand(play, ['review', REVIEWED]);
}

async function sendBack(play: Play): Promise<void> {
  const { narrator } = play;
  narrator.chapter('Reject it with feedback. The agent continues the same conversation and changes its commit.');
  const before = await readCommit(play);
  await showCommand(play, ['reject', '--worker', REVIEWED, FEEDBACK]);
  await showCommand(play, ['wait', REVIEWED, '--for', 'needs_review', '--timeout', '2m']);
  const after = await readCommit(play);
  if (before === after) throw new LlmcError('INTERNAL', 'the commit did not change after the rejection');
  narrator.remark(`The commit was ${before}, now it is ${after}:`);
  await showCommand(play, ['review', REVIEWED, '--stat']);
}

async function land(play: Play): Promise<void> {
  const { narrator } = play;
  narrator.chapter('Accept each worker: rebase onto main, squash into one commit without attribution lines, run the tests, land.');
  for (const { worker } of CAST) await showCommand(play, ['accept', worker, '--yes']);
  narrator.remark('Main is linear, with one commit for each task:');
  await showMain(play);
}

async function explain(play: Play): Promise<void> {
  const { stage, narrator } = play;
  narrator.chapter('llmc why explains a status: the evidence for it, and the acknowledgement of each prompt.');
  narrator.command('llmc why carl --full');
  const lines = (await stage.llmc(['why', 'carl', '--full'])).split('\n');
  for (const line of lines.slice(0, WHY_LINES)) narrator.output(line);
  narrator.output(`… ${lines.length - WHY_LINES} more lines`);
}

async function readCommit({ stage }: Play): Promise<string> {
  const report: StatusReport = JSON.parse(await stage.llmc(['status', '--json']));
  return report.workers.find(({ name }) => name === REVIEWED)?.commit_sha?.slice(0, 12) ?? 'none';
}

/** Three workers, from their tasks to main. */
export const WORKERS_STORY: Story<DemoSummary> = {
  chapters: [setUp, goUp, giveTasks, finishTasks, review, sendBack, land, explain, goDown],
  summarise,
  command: 'llmc demo',
};
