import type { Agent } from '../../agents/agent.ts';
import type { Rehearsal } from '../../agents/rehearsal.ts';
import type { Clock } from '../../base/ports.ts';
import type { Answer, Book } from './check-log.ts';
import { OF_TYPING, type TypingQuestion } from './checks.ts';
import { instead, LOOKS, PROMPT, type Scene } from './looks.ts';
import type { Stage } from './stage.ts';
import { startupDialog } from './startup-dialog.ts';
import { Witness } from './witness.ts';

// Generous: the workers of a whole fleet may be starting beside it, and nobody waits for it.
const START_MS = 60_000;
const STEP_MS = 12_000;
/** Claude Code shows its box some tenths of a second before it takes keys. */
const SETTLE_MS = 1_000;
/** Between the text and its Enter: together they would count as one paste. */
const PAUSE_MS = 200;
const ENTERS = 3;
const ENTER_MS = 3_000;

/** One whole turn with an agent nobody pays for, typed to: start, prompt, work, end, exit. */
export async function rehearseTyping(
  player: { readonly agent: Agent; readonly rehearsal: Rehearsal },
  stage: Stage,
  book: Book,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const { agent, rehearsal } = player;
  const { terminal, session, api } = stage;
  const witness = new Witness(agent, stage, clock);
  const scene: Scene = { agent, witness, prompts: api.prompts };
  const asked = OF_TYPING.map(({ name }) => name).filter((name) => applies(name, agent, rehearsal));
  const ask = async (name: TypingQuestion, also: () => Promise<Answer> = async () => undefined, patienceMs = STEP_MS) => {
    if (!asked.includes(name)) return;
    await book.ask(
      name,
      patienceMs,
      async () => (await LOOKS[name](scene)) ?? (await also()),
      () => instead(name, scene),
    );
  };
  /** Enter is pressed again while the text is seen to stay in the box, as for a worker. */
  const submit = async (text: string) => {
    const stays = async () => {
      const { pane, reading } = await witness.look();
      return pane?.dead === false && reading.box.kind === 'text' && reading.box.text.trim() === text;
    };
    for (let presses = 0; presses < ENTERS; presses += 1) {
      await clock.sleep(PAUSE_MS, signal);
      await terminal.keys(session, ['Enter']);
      for (const end = clock.now() + ENTER_MS; clock.now() < end; await clock.sleep(PAUSE_MS, signal)) if (!(await stays())) return;
    }
  };

  await ask('ready', startupDialog(agent, stage, witness, clock), START_MS);
  const { pane, reading } = await witness.look();
  if (pane === undefined || pane.dead || reading.activity.kind.startsWith('awaiting')) {
    book.skip(
      asked.filter((name) => name !== 'ready'),
      'it did not become ready',
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

/** Only what this adapter has ears for. */
function applies(name: TypingQuestion, agent: Agent, { hooks }: Rehearsal): boolean {
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
