import type { Agent } from '../../agents/agent.ts';
import { namesIn, readTextIfThere } from '../../system/files/files.ts';
import type { CheckAnswer } from './check-log.ts';
import type { Connection } from './connection.ts';
import { PROMPT } from './keyboard-checks.ts';
import type { ProtocolQuestion } from './questions.ts';
import type { CanaryStage } from './stage.ts';
import { lastLinesText } from './witness.ts';

export interface ProtocolScene {
  readonly agent: Agent;
  readonly stage: CanaryStage;
  readonly connection: Connection;
  /** llmc's own id of the prompt. */
  readonly promptId: string;
  /** Empty until the conversation is open. */
  conversation: string;
}

/** One attempt to settle each question. */
export const PROTOCOL_CHECKS: Readonly<Record<ProtocolQuestion, (scene: ProtocolScene) => Promise<CheckAnswer>>> = {
  async server({ connection }) {
    if (connection.connect()) return { passed: 'it accepted the connection' };
    const end = await connection.ended();
    return end === undefined ? undefined : { failed: end };
  },
  async conversation({ connection }) {
    const { dialogue, live } = connection.channel ?? {};
    if (dialogue?.problem !== undefined) return { failed: dialogue.problem };
    return dialogue?.conversationId && live?.activity.kind === 'ready'
      ? { passed: `${dialogue.conversationId} is open and ready` }
      : undefined;
  },
  async taken({ connection, promptId }) {
    const fate = connection.channel?.dialogue.fateOf(promptId);
    if (typeof fate === 'object') return { failed: `it was refused: ${fate.refused}` };
    const found = connection.received('prompt_accepted', ({ id, text }) => id === promptId && text === PROMPT);
    return found && { passed: `${found.name}, with the same id and text` };
  },
  async 'at work'({ connection }) {
    return connection.channel?.live?.activity.kind === 'processing' ? { passed: 'it says processing' } : undefined;
  },
  async 'turn over'({ connection }) {
    const failure = connection.received('turn_failed');
    if (failure?.event.kind === 'turn_failed') return { failed: `the turn failed: ${failure.event.message}` };
    const found = connection.received('turn_ended');
    return found && { passed: found.name };
  },
  async 'at rest'({ connection }) {
    return connection.channel?.live?.activity.kind === 'ready' ? { passed: 'it says ready' } : undefined;
  },
  async 'taken up'({ connection, promptId, conversation }) {
    if (!connection.connect()) return undefined;
    const dialogue = connection.channel?.dialogue;
    if (dialogue?.problem !== undefined) return { failed: dialogue.problem };
    const found = dialogue?.conversationId === conversation && connection.received('prompt_accepted', ({ id }) => id === promptId);
    return found ? { passed: 'the conversation has the prompt, with the same id' } : undefined;
  },
  async kept({ agent, stage, conversation }) {
    return recorded(agent, stage, conversation).includes(agent.normalise(PROMPT)) ? { passed: 'with the same text' } : undefined;
  },
  async viewer({ agent, connection }) {
    const { screen, end } = await connection.viewer();
    if (end !== undefined) return { failed: end };
    return agent.showsPrompt(screen, PROMPT) ? { passed: 'the prompt is on its screen' } : undefined;
  },
};

/** What the canary found instead. */
export async function describeInstead(name: ProtocolQuestion, { agent, stage, connection, conversation }: ProtocolScene): Promise<string> {
  switch (name) {
    case 'server':
      return `${connection.channel?.ended ?? 'no server accepted the connection'}; ${await connection.describe()}`;
    case 'conversation':
      return `${connection.channel?.receivedAt === undefined ? 'no message arrived' : 'no message arrived that llmc understands'}; ${await connection.describe()}`;
    case 'at work':
    case 'at rest':
      return `it said ${connection.channel?.live?.activity.kind ?? 'nothing'}`;
    case 'taken':
    case 'turn over':
    case 'taken up':
      return `events: ${connection.eventNames.join(', ') || 'nothing'}`;
    case 'kept':
      return `${recorded(agent, stage, conversation).length} other prompts are in it`;
    case 'viewer':
      return lastLinesText((await connection.viewer()).screen);
  }
}

function recorded(agent: Agent, { env, request }: CanaryStage, conversation: string): readonly string[] {
  const path = agent.transcript?.path(env, request.worktree, conversation, namesIn) ?? '';
  return agent.transcript?.prompts(readTextIfThere(path) ?? '').map(({ text }) => agent.normalise(text)) ?? [];
}
