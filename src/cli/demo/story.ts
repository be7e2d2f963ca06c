import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { read } from '../../git/run.ts';
import { ask, reachSupervisor } from '../../supervisor/api/client.ts';
import type { StatusReport } from '../../supervisor/report/status-report.ts';
import { systemClock } from '../../system/clock.ts';
import { readText, writePrivate } from '../../system/files/files.ts';
import { CAST, FEEDBACK, REVIEWED } from './cast.ts';
import type { Narrator } from './narrator.ts';
import { makeRepository, TESTS } from './repository.ts';
import type { Stage } from './stage.ts';

export interface Play {
  readonly stage: Stage;
  readonly narrator: Narrator;
  readonly version: string;
  /** Gives a reader time between two chapters. */
  readonly pause: () => Promise<void>;
}

const POLL_MS = 30;
const WHY_LINES = 22;

/** Runs all chapters and returns the first commit of the repository. The commands run as a person would type them. */
export async function runChapters(play: Play): Promise<string> {
  const { stage } = play;
  const base = await makeRepository(stage.git, stage.source);
  for (const chapter of [setUp, goUp, giveTasks, finishTasks, review, sendBack, land, explain, goDown]) {
    await chapter(play);
    await play.pause();
  }
  return base;
}

async function setUp(play: Play): Promise<void> {
  const { stage, narrator } = play;
  narrator.chapter(
    'llmc init creates a root for a repository: a clone with configuration and state. The repository itself is not changed.',
  );
  await shown(play, ['init', '--source', stage.source, '--agent', 'demo']);
  const config = readText(stage.layout.config);
  writePrivate(stage.layout.config, config.replace(/^# validate = .*$/m, `validate = ["${TESTS}"]`));
  narrator.remark(`In config.toml: validate = ["${TESTS}"], which must pass before work lands.`);
  for (const { worker, turns } of CAST) {
    writePrivate(join(stage.scenarios, `${worker}.yaml`), JSON.stringify({ turns }));
    await shown(play, ['add', worker]);
  }
}

async function goUp(play: Play): Promise<void> {
  const { stage, narrator, version } = play;
  narrator.chapter('The supervisor starts one agent per worker, each in its own tmux session and git worktree, and supervises them.');
  narrator.remark('Lines of the supervisor start with ▸. "llmc up --detach" would run it in the background.');
  narrator.command('llmc up &');
  const supervisor = stage.startSupervisor(narrator.aside);
  for (;;) {
    const socket = await reachSupervisor(stage.layout.apiSocket);
    if (socket !== undefined) {
      await stage.unlessInterrupted(ask(socket, { version, name: 'ready', args: {}, say: narrator.aside })).finally(() => socket.destroy());
      break;
    }
    if (supervisor.hasEnded())
      throw new LlmcError('SUPERVISOR_FAILED', 'the supervisor did not start', {
        hint: 'llmc doctor',
        details: (await supervisor.ended).stderr,
      });
    await stage.unlessInterrupted(systemClock.sleep(POLL_MS));
  }
  await shown(play, ['status']);
}

async function giveTasks(play: Play): Promise<void> {
  play.narrator.chapter('Three tasks at once. "llmc start" returns when the agent has acknowledged the prompt.');
  await Promise.all(CAST.map(({ worker, task }) => shown(play, ['start', '--worker', worker, '--prompt', task])));
  await shown(play, ['status']);
}

async function finishTasks(play: Play): Promise<void> {
  play.narrator.chapter('The workers work in parallel. The agent of carl crashes; llmc restarts it, and it continues its conversation.');
  await Promise.all(CAST.map(({ worker }) => shown(play, ['wait', worker, '--for', 'needs_review', '--timeout', '2m'])));
  const { stage, narrator } = play;
  narrator.command('llmc logs carl | grep -E ": (exit|launch):"');
  const log = await stage.llmc(['logs', 'carl']);
  for (const line of log.split('\n').filter((text) => /: (exit|launch):/.test(text))) narrator.output(line);
}

async function review(play: Play): Promise<void> {
  play.narrator.chapter('Review the work of adam: one diff against main.');
  await shown(play, ['review', REVIEWED]);
}

async function sendBack(play: Play): Promise<void> {
  const { narrator } = play;
  narrator.chapter('Reject it with feedback. The agent continues the same conversation and changes its commit.');
  const before = await commitOf(play);
  await shown(play, ['reject', '--worker', REVIEWED, FEEDBACK]);
  await shown(play, ['wait', REVIEWED, '--for', 'needs_review', '--timeout', '2m']);
  const after = await commitOf(play);
  if (before === after) throw new LlmcError('INTERNAL', 'the commit did not change after the rejection');
  narrator.remark(`The commit was ${before}, now it is ${after}:`);
  await shown(play, ['review', REVIEWED, '--stat']);
}

async function land(play: Play): Promise<void> {
  const { stage, narrator } = play;
  narrator.chapter('Accept each worker: rebase onto main, squash into one commit without attribution lines, run the tests, land.');
  for (const { worker } of CAST) await shown(play, ['accept', worker, '--yes']);
  narrator.remark('Main is linear, with one commit for each task:');
  narrator.command('git log --stat --format="%h %an: %s" main');
  const log = await stage.git.ok(read(stage.source, 'log', '--stat', '--format=%h %an: %s', 'main'));
  for (const line of log.split('\n').filter((text) => text !== '')) narrator.output(line);
}

async function explain(play: Play): Promise<void> {
  const { stage, narrator } = play;
  narrator.chapter('llmc why explains a status: the evidence for it, and the acknowledgement of each prompt.');
  narrator.command('llmc why carl --full');
  const lines = (await stage.llmc(['why', 'carl', '--full'])).split('\n');
  for (const line of lines.slice(0, WHY_LINES)) narrator.output(line);
  narrator.output(`… ${lines.length - WHY_LINES} more lines`);
}

async function goDown(play: Play): Promise<void> {
  play.narrator.chapter('llmc down stops everything. Unfinished work would be kept and continue at the next "llmc up".');
  await shown(play, ['down']);
}

async function shown({ stage, narrator }: Play, args: readonly string[]): Promise<void> {
  narrator.command(['llmc', ...args].map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' '));
  await stage.llmc(args, narrator.output);
}

async function commitOf({ stage }: Play): Promise<string> {
  const report: StatusReport = JSON.parse(await stage.llmc(['status', '--json']));
  return report.workers.find(({ name }) => name === REVIEWED)?.commit_sha?.slice(0, 12) ?? 'none';
}
