import type { Agent } from '../../agents/agent.ts';
import type { CheckAnswer } from './check-log.ts';
import type { KeyboardQuestion } from './questions.ts';
import { howItEnded, type Witness } from './witness.ts';

/** Short and on one line, so that an input box of any width shows all of it. */
export const PROMPT = 'llmc tries this version out: say OK.';

export interface KeyboardScene {
  readonly agent: Agent;
  readonly witness: Witness;
  /** Prompts that reached the demo API. */
  readonly prompts: readonly string[];
}

/** One attempt to settle each question. */
export const KEYBOARD_CHECKS: Readonly<Record<KeyboardQuestion, (scene: KeyboardScene) => Promise<CheckAnswer>>> = {
  ready,
  async typed({ witness }) {
    const { box } = (await witness.capture()).reading;
    return box.kind === 'text' && box.text.trim() === PROMPT ? { passed: 'screen: the text is in the input box' } : undefined;
  },
  async acknowledged({ agent, witness }) {
    const wanted = agent.normalise(PROMPT);
    const found = witness.reports().find(({ event }) => event.kind === 'prompt_accepted' && agent.normalise(event.text) === wanted);
    return found && { passed: `hook ${found.name}, with the same text` };
  },
  async busy({ witness }) {
    const { activity, rule } = (await witness.capture()).reading;
    return activity.kind === 'processing' ? { passed: `screen: ${rule}` } : undefined;
  },
  async 'status file'({ witness }) {
    return (await witness.statusFile()) === 'processing' ? { passed: 'it says processing' } : undefined;
  },
  async record({ agent, witness }) {
    const wanted = agent.normalise(PROMPT);
    return witness.transcript().some((text) => agent.normalise(text) === wanted) ? { passed: 'with the same text' } : undefined;
  },
  async 'end of turn'({ witness }) {
    const found = witness.reports().find(({ event }) => event.kind === 'turn_ended');
    return found && { passed: `hook ${found.name}` };
  },
  'ready again': ready,
  async exit({ witness }) {
    const { pane } = await witness.capture();
    return pane?.dead ? { passed: `ended with ${howItEnded(pane)}` } : undefined;
  },
};

async function ready({ witness }: KeyboardScene): Promise<CheckAnswer> {
  const { pane, reading } = await witness.capture();
  if (pane?.dead) return { failed: await witness.describe() };
  return reading.activity.kind === 'ready' && reading.box.kind === 'empty' ? { passed: `screen: ${reading.rule}` } : undefined;
}

/** What the canary found instead. */
export async function instead(name: KeyboardQuestion, { witness, prompts, agent }: KeyboardScene): Promise<string> {
  switch (name) {
    case 'acknowledged': {
      const arrived = prompts.some((text) => agent.normalise(text) === agent.normalise(PROMPT));
      return `${arrived ? 'the prompt reached the demo API, but no report came' : await witness.describe()}; ${describeReports(witness)}`;
    }
    case 'end of turn':
      return describeReports(witness);
    case 'status file':
      return `it said ${(await witness.statusFile()) ?? 'nothing'}`;
    case 'record':
      return `${witness.transcript().length} other prompts are in it`;
    default:
      return await witness.describe();
  }
}

function describeReports(witness: Witness): string {
  return `hooks that reported: ${[...new Set(witness.reports().map(({ name }) => name))].join(', ') || 'none'}`;
}
