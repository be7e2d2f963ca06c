import { join } from 'node:path';
import { LlmcError } from '../../../base/error.ts';
import { visibleIn, visibleLine } from '../../../base/visible-text.ts';
import { systemClock } from '../../../system/clock.ts';
import { namesIn, readText, writePrivate } from '../../../system/files/files.ts';
import type { ShownRun } from '../../runs/run-agents.ts';
import { showText } from '../../runs/text/show-text.ts';
import { goDown, initDemoRoot, type Play, type Story, showCommand, showMain, startSupervisor } from '../commands.ts';
import { DEVELOPER, RUN, SCENARIOS, TASK } from './roles.ts';
import { type SwarmSummary, summariseSwarm } from './summary.ts';
import { readTasks } from './tasks.ts';

const POLL_MS = 200;

async function setUp(play: Play): Promise<void> {
  const { stage } = play;
  await initDemoRoot(play);
  for (const [role, turns] of Object.entries(SCENARIOS)) writePrivate(join(stage.scenarios, `${role}.yaml`), JSON.stringify({ turns }));
}

async function goUp(play: Play): Promise<void> {
  play.narrator.chapter('The supervisor moves the runs of workflows. Without one, "llmc run" starts it in the background.');
  play.narrator.remark('Lines that start with ▸ at the left are those of the supervisor.');
  await startSupervisor(play);
}

async function begin(play: Play): Promise<void> {
  const { stage, narrator } = play;
  narrator.chapter('llmc run starts a workflow: research, build, review until it is right, land. Each role gets a worker of its own.');
  await showCommand(play, ['run', 'swarm', '--input', `task=${TASK}`, '--detach']);
  narrator.command(`llmc show ${RUN} --watch`);
  await watchUntil(play, () => readTasks(stage.record)['developer'] === 1);
}

async function killSupervisor(play: Play): Promise<void> {
  const { stage, narrator } = play;
  narrator.chapter('kill -9 ends the supervisor while the developer works. The agent lives in tmux, and the run in a database.');
  narrator.command('kill -9 %1');
  await stage.killSupervisor();
  await showCommand(play, ['show', RUN]);
  narrator.remark('The next supervisor goes on with the run. It repeats no stage and no prompt.');
  await startSupervisor(play);
}

async function untilRight(play: Play): Promise<void> {
  const { stage, narrator } = play;
  narrator.chapter('The reviewer gets the commit in its own worktree and asks for changes. The developer makes them, then it approves.');
  narrator.command(`llmc show ${RUN} --watch`);
  await watchUntil(play, ({ reviews }) => reviews.length > 0);
  const folder = join(stage.layout.runs, RUN, 'artifacts');
  const verdict = namesIn(folder).find((name) => name.startsWith('review-1-')) ?? '';
  narrator.remark('What the reviewer asked for:');
  narrator.command(`cat ${join('runs', RUN, 'artifacts', verdict)}`);
  for (const line of readText(join(folder, verdict)).trimEnd().split('\n')) narrator.output(visibleLine(line));
}

async function land(play: Play): Promise<void> {
  const { narrator } = play;
  narrator.chapter('The landing is yours: the normal review of one diff, and the normal accept.');
  await showCommand(play, ['review', DEVELOPER]);
  await showCommand(play, ['accept', DEVELOPER, '--yes']);
  await showCommand(play, ['wait', RUN, '--for', 'done', '--timeout', '1m']);
  narrator.remark('Main has one commit, without attribution lines:');
  await showMain(play);
}

async function report(play: Play): Promise<void> {
  play.narrator.chapter('llmc report says what the run left, what failed, and what was done about it.');
  await showCommand(play, ['report', RUN]);
}

/** Prints the run whenever one of its stages has moved, as `llmc show --watch` does. */
async function watchUntil({ stage, narrator }: Play, isReached: (run: ShownRun) => boolean): Promise<void> {
  for (let last = ''; ; ) {
    const run: ShownRun = JSON.parse(await stage.llmc(['show', RUN, '--json']));
    const moves = JSON.stringify(run.stages.map(({ id, state, round }) => [id, isUnderWay(state) ? 'under way' : state, round]));
    if (moves !== last) {
      const text = showText({ ...visibleIn(run), inputs: {} }, systemClock.now(), {
        color: false,
        columns: Number.POSITIVE_INFINITY,
        atRoot: (line) => line,
      });
      for (const line of text.split('\n')) narrator.output(line);
    }
    last = moves;
    if (isReached(run)) return;
    if (run.ended_ms !== null || run.questions.length > 0)
      throw new LlmcError('INTERNAL', `${RUN} did not come as far as it should`, { details: JSON.stringify(run, undefined, 2) });
    await stage.unlessInterrupted(systemClock.sleep(POLL_MS));
  }
}

function isUnderWay(state: ShownRun['stages'][number]['state']): boolean {
  return state === 'acting' || state === 'working' || state === 'cooling';
}

/** One run of the workflow `swarm`, from its task to main. */
export const SWARM_STORY: Story<SwarmSummary> = {
  chapters: [setUp, goUp, begin, killSupervisor, untilRight, land, report, goDown],
  summarise: summariseSwarm,
  command: 'llmc demo --workflow',
};
