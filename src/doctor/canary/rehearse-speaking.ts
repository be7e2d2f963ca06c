import type { Agent } from '../../agents/agent.ts';
import type { Protocol } from '../../agents/protocol.ts';
import { VIEWER_WINDOW, viewerMark } from '../../terminal/panes.ts';
import type { Book } from './check-log.ts';
import { OF_SPEAKING, type SpeakingQuestion } from './checks.ts';
import { Line } from './connection.ts';
import { PROMPT } from './looks.ts';
import { insteadOf, SPEAKING_LOOKS, type SpokenScene } from './speaking-looks.ts';
import type { Stage, StagePorts } from './stage.ts';

/** As long as the supervisor waits for a conversation before it calls a person. */
const OPEN_MS = 30_000;
const STEP_MS = 12_000;

/** One whole turn with an agent nobody pays for, spoken to over a connection like the supervisor's: open, prompt, work, end, and all that again from its record. */
export async function rehearseSpeaking(
  { agent, protocol }: { readonly agent: Agent; readonly protocol: Protocol },
  stage: Stage,
  book: Book,
  { clock, random }: Pick<StagePorts, 'clock' | 'random'>,
): Promise<void> {
  using line = new Line(stage, protocol, clock);
  const scene: SpokenScene = { agent, stage, line, promptId: random.id(), conversation: '' };
  const ask = (name: SpeakingQuestion, patienceMs = STEP_MS) =>
    book.ask(
      name,
      patienceMs,
      async () => {
        const answer = await SPEAKING_LOOKS[name](scene);
        const lost = answer === undefined ? await line.lost() : undefined;
        return lost === undefined ? answer : { failed: lost };
      },
      () => insteadOf(name, scene),
    );
  const giveUp = (why: string) =>
    book.skip(
      asked(agent).filter((name) => !book.has(name)),
      why,
    );

  if (!(await ask('server', OPEN_MS))) return giveUp('nobody was there to speak to');
  if (!(await ask('conversation', OPEN_MS))) return giveUp('no conversation was open');
  scene.conversation = line.channel?.dialogue.conversationId ?? '';
  line.channel?.say(line.channel.dialogue.prompt(scene.promptId, PROMPT));
  const begun = await Promise.all([ask('taken'), ask('at work')]);
  if (!begun.includes(true)) return giveUp('it did not begin to work');
  stage.api.letGo();
  await Promise.all([ask('turn over'), ask('at rest')]);
  if ((await line.ended()) !== undefined) return giveUp('its server ended');
  line.leave(scene.conversation);
  await ask('taken up');
  if (agent.transcript !== undefined) await ask('kept');
  await openViewer(scene, protocol);
  await ask('viewer');
}

/** Only what this adapter has eyes for. */
function asked({ transcript }: Agent): readonly SpeakingQuestion[] {
  return OF_SPEAKING.map(({ name }) => name).filter((name) => name !== 'kept' || transcript !== undefined);
}

async function openViewer({ stage, conversation }: SpokenScene, protocol: Protocol): Promise<void> {
  const { terminal, session, request, socket } = stage;
  const argv = stage.prepare(protocol.viewer(request, socket, conversation));
  await terminal.openWindow(session, { name: VIEWER_WINDOW, mark: viewerMark(conversation), cwd: request.worktree, argv });
}
