import { findAgent } from '../../agents/registry.ts';
import type { Canary } from '../../store/findings/canaries.ts';
import { KEYBOARD_QUESTIONS, PROTOCOL_QUESTIONS } from './questions.ts';
import type { ChannelUsed } from './stage.ts';

/** The channel that the canary used; null if the agent has only one, or if the canary ended before it chose. */
export function channelTried({ adapter, checks }: Pick<Canary, 'adapter' | 'checks'>): ChannelUsed | null {
  if (findAgent(adapter).protocol === undefined) return null;
  const tried = checks.filter(({ verdict }) => verdict !== 'not_tried');
  const isTried = (question: { readonly name: string }) => tried.some(({ name }) => name === question.name);
  if (PROTOCOL_QUESTIONS.some(isTried)) return 'protocol';
  return KEYBOARD_QUESTIONS.some(isTried) ? 'keyboard' : null;
}
