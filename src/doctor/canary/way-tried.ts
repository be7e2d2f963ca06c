import { findAgent } from '../../agents/registry.ts';
import type { Canary } from '../../store/canaries.ts';
import { OF_SPEAKING, OF_TYPING } from './checks.ts';
import type { Way } from './stage.ts';

/** How the agent was talked to; null where there is but one way, or where it did not come to that. */
export function wayTried({ adapter, checks }: Pick<Canary, 'adapter' | 'checks'>): Way | null {
  if (findAgent(adapter).protocol === undefined) return null;
  const tried = checks.filter(({ verdict }) => verdict !== 'not_tried');
  const isTried = (question: { readonly name: string }) => tried.some(({ name }) => name === question.name);
  if (OF_SPEAKING.some(isTried)) return 'spoken';
  return OF_TYPING.some(isTried) ? 'typed' : null;
}
