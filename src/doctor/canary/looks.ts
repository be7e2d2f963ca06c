import type { Agent } from '../../agents/agent.ts';
import type { Answer } from './check-log.ts';
import type { TypingQuestion } from './checks.ts';
import { howItEnded, type Witness } from './witness.ts';

/** Short and on one line, so that a box of any width shows all of it. */
export const PROMPT = 'llmc tries this version out: say OK.';

export interface Scene {
  readonly agent: Agent;
  readonly witness: Witness;
  /** Prompts that reached the demo API. */
  readonly prompts: readonly string[];
}

/** How each question is settled, by one look. */
export const LOOKS: Readonly<Record<TypingQuestion, (scene: Scene) => Promise<Answer>>> = {
  ready,
  async typed({ witness }) {
    const { box } = (await witness.look()).reading;
    return box.kind === 'text' && box.text.trim() === PROMPT ? { passed: 'screen: the text stands in the box' } : undefined;
  },
  async acknowledged({ agent, witness }) {
    const wanted = agent.normalise(PROMPT);
    const found = witness.reports().find(({ event }) => event.kind === 'prompt_accepted' && agent.normalise(event.text) === wanted);
    return found && { passed: `hook ${found.name}, with the same text` };
  },
  async busy({ witness }) {
    const { activity, rule } = (await witness.look()).reading;
    return activity.kind === 'processing' ? { passed: `screen: ${rule}` } : undefined;
  },
  async 'status file'({ witness }) {
    return (await witness.live()) === 'processing' ? { passed: 'it says processing' } : undefined;
  },
  async record({ agent, witness }) {
    const wanted = agent.normalise(PROMPT);
    return witness.recorded().some((text) => agent.normalise(text) === wanted) ? { passed: 'with the same text' } : undefined;
  },
  async 'end of turn'({ witness }) {
    const found = witness.reports().find(({ event }) => event.kind === 'turn_ended');
    return found && { passed: `hook ${found.name}` };
  },
  'ready again': ready,
  async exit({ witness }) {
    const { pane } = await witness.look();
    return pane?.dead ? { passed: `ended with ${howItEnded(pane)}` } : undefined;
  },
};

async function ready({ witness }: Scene): Promise<Answer> {
  const { pane, reading } = await witness.look();
  if (pane?.dead) return { failed: await witness.describe() };
  return reading.activity.kind === 'ready' && reading.box.kind === 'empty' ? { passed: `screen: ${reading.rule}` } : undefined;
}

/** What was there in place of what was asked for. */
export async function instead(name: TypingQuestion, { witness, prompts, agent }: Scene): Promise<string> {
  switch (name) {
    case 'acknowledged': {
      const heard = prompts.some((text) => agent.normalise(text) === agent.normalise(PROMPT));
      return `${heard ? 'the prompt reached the demo API, but no report came' : await witness.describe()}; ${reportsOf(witness)}`;
    }
    case 'end of turn':
      return reportsOf(witness);
    case 'status file':
      return `it said ${(await witness.live()) ?? 'nothing'}`;
    case 'record':
      return `${witness.recorded().length} other prompts stood in it`;
    default:
      return await witness.describe();
  }
}

function reportsOf(witness: Witness): string {
  return `hooks that reported: ${[...new Set(witness.reports().map(({ name }) => name))].join(', ') || 'none'}`;
}
