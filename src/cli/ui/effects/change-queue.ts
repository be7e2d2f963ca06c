import type { Effect } from '../../../tui/model/effect.ts';
import type { EffectOutcome, Surroundings } from '../outcome.ts';

type OfQueue = Extract<Effect, { kind: 'list-queue' | 'cancel-task' | 'move-task' | 'edit-task' | 'cancel-message' | 'edit-message' }>;

const LATEST = 500;

export async function changeQueue(effect: OfQueue, { own, dispatch }: Surroundings): Promise<EffectOutcome> {
  const good = (text: string): EffectOutcome => ({ notice: { tone: 'good', text } });
  switch (effect.kind) {
    case 'list-queue':
      dispatch({
        kind: 'queue',
        root: own.root,
        tasks: await own.call('queueList', { all: false, limit: LATEST }),
        messages: await own.call('messages', {}),
      });
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
    case 'cancel-message': {
      const { id, worker } = await own.call('messageCancel', { worker: effect.worker, id: effect.id });
      return good(`Message ${id} is canceled: ${worker} does not get it.`);
    }
    case 'edit-message': {
      const { id, worker } = await own.call('messageEdit', { worker: effect.worker, id: effect.id, text: effect.text });
      return good(`Message ${id} is changed: ${worker} gets the new words.`);
    }
  }
}
