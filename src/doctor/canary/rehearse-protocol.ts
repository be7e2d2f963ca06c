import type { Agent } from '../../agents/agent.ts';
import type { Protocol } from '../../agents/protocol.ts';
import { VIEWER_WINDOW, viewerMark } from '../../terminal/panes.ts';
import type { CheckLog } from './check-log.ts';
import { Connection } from './connection.ts';
import { PROMPT } from './keyboard-checks.ts';
import { describeInstead, PROTOCOL_CHECKS, type ProtocolScene } from './protocol-checks.ts';
import { PROTOCOL_QUESTIONS, type ProtocolQuestion } from './questions.ts';
import type { CanaryStage, StagePorts } from './stage.ts';

/** The same time that the supervisor waits for a conversation before it notifies a person. */
const OPEN_MS = 30_000;
const STEP_MS = 12_000;

/** Runs one whole turn over the protocol channel, at no cost: open, prompt, work, end, then resume the conversation and read it again. */
export async function rehearseProtocol(
  { agent, protocol }: { readonly agent: Agent; readonly protocol: Protocol },
  stage: CanaryStage,
  log: CheckLog,
  { clock, random }: Pick<StagePorts, 'clock' | 'random'>,
): Promise<void> {
  using connection = new Connection(stage, protocol, clock);
  const scene: ProtocolScene = { agent, stage, connection, promptId: random.id(), conversation: '' };
  const ask = (name: ProtocolQuestion, patienceMs = STEP_MS) =>
    log.ask(
      name,
      patienceMs,
      async () => {
        const answer = await PROTOCOL_CHECKS[name](scene);
        const lost = answer === undefined ? await connection.lost() : undefined;
        return lost === undefined ? answer : { failed: lost };
      },
      () => describeInstead(name, scene),
    );
  const giveUp = (why: string) =>
    log.skip(
      asked(agent).filter((name) => !log.has(name)),
      why,
    );

  if (!(await ask('server', OPEN_MS))) return giveUp('there was no connection');
  if (!(await ask('conversation', OPEN_MS))) return giveUp('no conversation is open');
  scene.conversation = connection.channel?.dialogue.conversationId ?? '';
  connection.channel?.say(connection.channel.dialogue.prompt(scene.promptId, PROMPT));
  const begun = await Promise.all([ask('taken'), ask('at work')]);
  if (!begun.includes(true)) return giveUp('the agent did not start to work');
  stage.api.letGo();
  await Promise.all([ask('turn over'), ask('at rest')]);
  if ((await connection.ended()) !== undefined) return giveUp('its server ended');
  connection.leave(scene.conversation);
  await ask('taken up');
  if (agent.transcript !== undefined) await ask('kept');
  await openViewer(scene, protocol);
  await ask('viewer');
}

/** Without the questions that do not apply to this adapter. */
function asked({ transcript }: Agent): readonly ProtocolQuestion[] {
  return PROTOCOL_QUESTIONS.map(({ name }) => name).filter((name) => name !== 'kept' || transcript !== undefined);
}

async function openViewer({ stage, conversation }: ProtocolScene, protocol: Protocol): Promise<void> {
  const { terminal, session, request, socket } = stage;
  const argv = stage.prepare(protocol.viewer(request, socket, conversation));
  await terminal.openWindow(session, { name: VIEWER_WINDOW, mark: viewerMark(conversation), cwd: request.worktree, argv });
}
