import { openDialog } from '../../agents/activity.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Rehearsal } from '../../agents/rehearsal.ts';
import type { Clock } from '../../base/ports.ts';
import type { CheckAnswer, CheckLog } from './check-log.ts';
import { instead, KEYBOARD_CHECKS, type KeyboardScene, PROMPT } from './keyboard-checks.ts';
import { KEYBOARD_QUESTIONS, type KeyboardQuestion } from './questions.ts';
import type { CanaryStage } from './stage.ts';
import { startupDialog } from './startup-dialog.ts';
import { Witness } from './witness.ts';

// Generous, because many workers may be starting at the same time and no one waits for the canary.
const START_MS = 60_000;
const STEP_MS = 12_000;
/** Claude Code draws its input box some tenths of a second before it accepts keys. */
const SETTLE_MS = 1_000;
/** Between the text and Enter, because an agent reads both together as one paste. */
const PAUSE_MS = 200;
const ENTERS = 3;
const ENTER_MS = 3_000;

/** Runs one whole turn over the keyboard channel, at no cost: start, prompt, work, end, exit. */
export async function rehearseKeyboard(
  player: { readonly agent: Agent; readonly rehearsal: Rehearsal },
  stage: CanaryStage,
  log: CheckLog,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const { agent, rehearsal } = player;
  const { terminal, session, api } = stage;
  const witness = new Witness(agent, stage, clock);
  const scene: KeyboardScene = { agent, witness, prompts: api.prompts };
  const asked = KEYBOARD_QUESTIONS.map(({ name }) => name).filter((name) => applies(name, agent, rehearsal));
  const ask = async (name: KeyboardQuestion, also: () => Promise<CheckAnswer> = async () => undefined, patienceMs = STEP_MS) => {
    if (!asked.includes(name)) return;
    await log.ask(
      name,
      patienceMs,
      async () => (await KEYBOARD_CHECKS[name](scene)) ?? (await also()),
      () => instead(name, scene),
    );
  };
  /** Presses Enter again while the text stays in the input box, as for a worker. */
  const submit = async (text: string) => {
    const stays = async () => {
      const { pane, reading } = await witness.capture();
      return pane?.dead === false && reading.box.kind === 'text' && reading.box.text.trim() === text;
    };
    for (let presses = 0; presses < ENTERS; presses += 1) {
      await clock.sleep(PAUSE_MS, signal);
      await terminal.keys(session, ['Enter']);
      for (const end = clock.now() + ENTER_MS; clock.now() < end; await clock.sleep(PAUSE_MS, signal)) if (!(await stays())) return;
    }
  };

  await ask('ready', startupDialog(agent, stage, witness, clock), START_MS);
  const { pane, reading } = await witness.capture();
  if (pane === undefined || pane.dead || openDialog(reading.activity) !== undefined) {
    log.skip(
      asked.filter((name) => name !== 'ready'),
      'the agent did not become ready',
    );
    return;
  }
  await clock.sleep(SETTLE_MS, signal);
  await terminal.paste(session, PROMPT);
  await ask('typed');
  await submit(PROMPT);
  await Promise.all([ask('acknowledged'), ask('busy'), ask('status file')]);
  api.letGo();
  await Promise.all([ask('end of turn'), ask('ready again'), ask('record')]);
  await terminal.paste(session, agent.exitText);
  await submit(agent.exitText);
  await ask('exit');
}

/** Whether a question applies to this adapter. */
function applies(name: KeyboardQuestion, agent: Agent, { hooks }: Rehearsal): boolean {
  switch (name) {
    case 'acknowledged':
    case 'end of turn':
      return hooks;
    case 'status file':
      return agent.statusFile !== undefined;
    case 'record':
      return agent.transcript !== undefined;
    default:
      return true;
  }
}
