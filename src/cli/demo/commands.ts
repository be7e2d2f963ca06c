import { LlmcError } from '../../base/error.ts';
import { read } from '../../git/run.ts';
import { ask, reachSupervisor } from '../../supervisor/api/client.ts';
import { systemClock } from '../../system/clock.ts';
import { readText, writePrivate } from '../../system/files/files.ts';
import type { Narrator } from './narrator.ts';
import { TESTS } from './repository.ts';
import type { DemoStage } from './stage.ts';

export interface Play {
  readonly stage: DemoStage;
  readonly narrator: Narrator;
  readonly version: string;
}

/** What a demo shows, and what it counts at the end. */
export interface Story<Summary> {
  readonly chapters: readonly ((play: Play) => Promise<void>)[];
  /** Throws if the demo did not do what it says. */
  readonly summarise: (stage: DemoStage, base: string, elapsedMs: number) => Promise<Summary>;
  /** The command that plays it. */
  readonly command: string;
}

const POLL_MS = 30;

/** Runs an llmc command as a person would type it, and prints both. */
export async function showCommand({ stage, narrator }: Play, args: readonly string[]): Promise<void> {
  narrator.command(['llmc', ...args].map(quoted).join(' '));
  await stage.llmc(args, narrator.output);
}

function quoted(word: string): string {
  const [, name, value] = /^(\w+=)(.*\s.*)$/.exec(word) ?? [];
  if (name !== undefined) return `${name}"${value}"`;
  return /\s/.test(word) ? `"${word}"` : word;
}

export async function initDemoRoot(play: Play): Promise<void> {
  const { stage, narrator } = play;
  narrator.chapter(
    'llmc init creates a root for a repository: a clone with configuration and state. The repository itself is not changed.',
  );
  await showCommand(play, ['init', '--source', stage.source, '--agent', 'demo']);
  const config = readText(stage.layout.config);
  const validated = config.replace(/^# validate = .*$/m, `validate = ["${TESTS}"]`);
  // The demo plays the person, perhaps without a terminal, and its agents do only what their scenario says.
  writePrivate(stage.layout.config, validated.replace('[defaults]\n', '[defaults]\nallow_agents_to_decide = true\n'));
  narrator.remark(`In config.toml: validate = ["${TESTS}"], which must pass before work lands.`);
}

/** Starts the supervisor and waits until it serves commands. */
export async function startSupervisor({ stage, narrator, version }: Play): Promise<void> {
  narrator.command('llmc up &');
  const supervisor = stage.startSupervisor(narrator.aside);
  for (;;) {
    const socket = await reachSupervisor(stage.layout.apiSocket);
    if (socket !== undefined) {
      await stage.unlessInterrupted(ask(socket, { version, name: 'ready', args: {}, say: narrator.aside })).finally(() => socket.destroy());
      return;
    }
    if (supervisor.hasEnded())
      throw new LlmcError('SUPERVISOR_FAILED', 'the supervisor did not start', {
        hint: 'llmc doctor',
        details: (await supervisor.ended).stderr,
      });
    await stage.unlessInterrupted(systemClock.sleep(POLL_MS));
  }
}

export async function showMain({ stage, narrator }: Play): Promise<void> {
  narrator.command('git log --stat --format="%h %an: %s" main');
  const log = await stage.git.ok(read(stage.source, 'log', '--stat', '--format=%h %an: %s', 'main'));
  for (const line of log.split('\n').filter((text) => text !== '')) narrator.output(line);
}

export async function goDown(play: Play): Promise<void> {
  play.narrator.chapter('llmc down stops everything. Unfinished work would be kept and continue at the next "llmc up".');
  await showCommand(play, ['down']);
}
