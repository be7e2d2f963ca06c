import type { TakenPrompt, TakenStep, TakenView } from '../decide-taken.ts';
import type { Case } from './case.ts';

type TakenCase = Case<TakenView, never, TakenStep>;

const prompt = (id: string, changes: Partial<TakenPrompt> = {}): TakenPrompt => ({
  id,
  began: false,
  over: false,
  record: 'held',
  ...changes,
});
const HELD = prompt('held');
const LOST = prompt('lost', { record: 'missing' });
const OVER = prompt('over', { over: true });
const FIRST = { began: true } as const;

const row = (when: string, taken: readonly TakenPrompt[], step: TakenCase['step'], changes: Partial<TakenView> = {}): TakenCase => ({
  when,
  view: { taken, conversation: 'resume', asked: false, ...changes },
  step,
});
const FRESH = { conversation: 'fresh' } as const;
const ASKED = { asked: true } as const;

export const TAKEN_CASES: readonly TakenCase[] = [
  row('it had no prompt', [], { kind: 'nothing' }),
  row('its turn had ended', [OVER], { kind: 'nothing' }),
  row('its turn had ended, and its record does not have the prompt', [{ ...OVER, record: 'missing' }], { kind: 'nothing' }),
  row('its record has the prompt', [HELD], { kind: 'go_on', again: [] }),
  row('it keeps no record, or one that llmc cannot read', [prompt('a', { record: 'unknown' })], { kind: 'go_on', again: [] }),
  row('its record does not have the prompt', [LOST], { kind: 'again', again: ['lost'] }),
  row('its record has one of two prompts', [HELD, LOST], { kind: 'go_on', again: ['lost'] }),
  row('its record has none of two prompts', [LOST, prompt('b', { record: 'missing' })], { kind: 'again', again: ['lost', 'b'] }),
  row('one turn had ended, and its record does not have the next prompt', [OVER, LOST], { kind: 'again', again: ['lost'] }),
  row('it had asked a person', [HELD], { kind: 'question', again: [] }, ASKED),
  row('it had asked a person, and its record does not have the prompt', [LOST], { kind: 'again', again: ['lost'] }, ASKED),
  row('it had asked a person, and its record has one of two prompts', [HELD, LOST], { kind: 'go_on', again: ['lost'] }, ASKED),
  row('it had asked a person, and the turn had ended', [OVER], { kind: 'nothing' }, ASKED),
  row('it cannot resume', [prompt('a', FIRST)], { kind: 'story', again: [] }, FRESH),
  row('it cannot resume, and keeps no record', [prompt('a', { ...FIRST, record: 'unknown' })], { kind: 'story', again: [] }, FRESH),
  row('it cannot resume, and had asked a person', [prompt('a', FIRST)], { kind: 'story', again: [] }, { ...FRESH, ...ASKED }),
  row('it cannot resume, and its record does not have a later prompt', [LOST], { kind: 'story', again: [] }, FRESH),
  row('its record does not have its first prompt', [{ ...LOST, ...FIRST }], { kind: 'again', again: ['lost'] }, FRESH),
  row('it cannot resume, and its turn had ended', [OVER], { kind: 'nothing' }, FRESH),
];
