import type { Agent } from '../../agents/agent.ts';
import { namesIn, readTextIfThere } from '../../system/files/files.ts';
import type { Answer } from './check-log.ts';
import type { SpeakingQuestion } from './checks.ts';
import type { Line } from './connection.ts';
import { PROMPT } from './looks.ts';
import type { Stage } from './stage.ts';
import { lastWords } from './witness.ts';

export interface SpokenScene {
  readonly agent: Agent;
  readonly stage: Stage;
  readonly line: Line;
  /** llmc's own name for the prompt. */
  readonly promptId: string;
  /** Set once there is one. */
  conversation: string;
}

/** How each question is settled, by one look. */
export const SPEAKING_LOOKS: Readonly<Record<SpeakingQuestion, (scene: SpokenScene) => Promise<Answer>>> = {
  async server({ line }) {
    if (line.reach()) return { passed: 'it took the connection' };
    const end = await line.ended();
    return end === undefined ? undefined : { failed: end };
  },
  async conversation({ line }) {
    const { dialogue, live } = line.channel ?? {};
    if (dialogue?.problem !== undefined) return { failed: dialogue.problem };
    return dialogue?.conversationId && live?.activity.kind === 'ready'
      ? { passed: `${dialogue.conversationId} is open and ready` }
      : undefined;
  },
  async taken({ line, promptId }) {
    const fate = line.channel?.dialogue.fateOf(promptId);
    if (typeof fate === 'object') return { failed: `it was refused: ${fate.refused}` };
    const found = line.heard('prompt_accepted', ({ id, text }) => id === promptId && text === PROMPT);
    return found && { passed: `${found.name}, with the same id and text` };
  },
  async 'at work'({ line }) {
    return line.channel?.live?.activity.kind === 'processing' ? { passed: 'it says processing' } : undefined;
  },
  async 'turn over'({ line }) {
    const failure = line.heard('turn_failed');
    if (failure?.event.kind === 'turn_failed') return { failed: `the turn failed: ${failure.event.message}` };
    const found = line.heard('turn_ended');
    return found && { passed: found.name };
  },
  async 'at rest'({ line }) {
    return line.channel?.live?.activity.kind === 'ready' ? { passed: 'it says ready' } : undefined;
  },
  async 'taken up'({ line, promptId, conversation }) {
    if (!line.reach()) return undefined;
    const dialogue = line.channel?.dialogue;
    if (dialogue?.problem !== undefined) return { failed: dialogue.problem };
    const found = dialogue?.conversationId === conversation && line.heard('prompt_accepted', ({ id }) => id === promptId);
    return found ? { passed: 'its record holds the prompt, under the same id' } : undefined;
  },
  async kept({ agent, stage, conversation }) {
    return recorded(agent, stage, conversation).includes(agent.normalise(PROMPT)) ? { passed: 'with the same text' } : undefined;
  },
  async viewer({ agent, line }) {
    const { screen, end } = await line.viewer();
    if (end !== undefined) return { failed: end };
    return agent.showsPrompt(screen, PROMPT) ? { passed: 'the prompt stands on its screen' } : undefined;
  },
};

/** What was there in place of what was asked for. */
export async function insteadOf(name: SpeakingQuestion, { agent, stage, line, conversation }: SpokenScene): Promise<string> {
  switch (name) {
    case 'server':
      return `${line.channel?.ended ?? 'nobody took the connection'}; ${await line.describe()}`;
    case 'conversation':
      return `${line.channel?.heardAt === undefined ? 'nothing was heard' : 'nothing llmc understands was heard'}; ${await line.describe()}`;
    case 'at work':
    case 'at rest':
      return `it said ${line.channel?.live?.activity.kind ?? 'nothing'}`;
    case 'taken':
    case 'turn over':
    case 'taken up':
      return `heard: ${line.eventNames.join(', ') || 'nothing'}`;
    case 'kept':
      return `${recorded(agent, stage, conversation).length} other prompts stood in it`;
    case 'viewer':
      return lastWords((await line.viewer()).screen);
  }
}

function recorded(agent: Agent, { env, request }: Stage, conversation: string): readonly string[] {
  const path = agent.transcript?.path(env, request.worktree, conversation, namesIn) ?? '';
  return agent.transcript?.prompts(readTextIfThere(path) ?? '').map(({ text }) => agent.normalise(text)) ?? [];
}
