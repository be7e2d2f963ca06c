import type { Effect } from '../../../tui/model/effect.ts';
import type { Outcome, Surroundings } from '../outcome.ts';

type OfQueue = Extract<Effect, { kind: 'list-queue' | 'cancel-task' | 'move-task' | 'edit-task' }>;

const LATEST = 500;

export async function changeQueue(effect: OfQueue, { own, dispatch }: Surroundings): Promise<Outcome> {
  const good = (text: string): Outcome => ({ notice: { tone: 'good', text } });
  switch (effect.kind) {
    case 'list-queue':
      dispatch({ kind: 'queue', tasks: await own.call('queueList', { all: false, limit: LATEST }) });
      return {};
    case 'cancel-task':
      await own.call('queueCancel', { number: effect.number });
      return good(`Task ${effect.number} is canceled.`);
    case 'move-task':
      await own.call('queueMove', { number: effect.number, before: effect.before });
      return {};
    case 'edit-task':
      await own.call('queueEdit', { number: effect.number, prompt: effect.text });
      return good(`Task ${effect.number} has its new words.`);
  }
}
