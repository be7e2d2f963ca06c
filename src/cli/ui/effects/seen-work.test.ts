import { expect, test } from 'vitest';
import { LlmcError } from '../../../base/error.ts';
import type { SeenWork } from '../../../tui/model/effect.ts';
import type { Surroundings } from '../outcome.ts';
import { acceptSeen, rejectSeen } from './seen-work.ts';

const SEEN: SeenWork = { head: 'old', diff: 'the diff', message: 'Add it', proof: null, isWhole: true };

/** The supervisor in place of which `call` answers. */
function answering(call: (name: string, request: { ifHead?: string }) => Promise<object>): Surroundings {
  const around: unknown = { own: { call }, shell: { options: { patrol: true } } };
  const isAround = (value: unknown): value is Surroundings => value === around;
  if (!isAround(around)) throw new Error('not the surroundings');
  return around;
}

/** The work now has another commit than the one that was on the screen. */
async function accepted(seen: Partial<SeenWork>, now: { diff?: string; message?: string; warnings?: readonly { kind: string }[] }) {
  const called: string[] = [];
  const call = async (name: string, { ifHead }: { ifHead?: string }) => {
    called.push(ifHead === undefined ? name : `${name} ${ifHead}`);
    if (ifHead === 'old')
      throw new LlmcError('WORK_CHANGED', 'the work of adam has changed since it was shown', { hint: 'llmc review adam' });
    return {
      head: 'new',
      diff: 'the diff',
      message: 'Add it',
      proof: null,
      warnings: [],
      commit: 'c0ffee',
      branch: 'main',
      subject: 'Add it',
      ...now,
    };
  };
  const outcome = await acceptSeen({ kind: 'accept', worker: 'adam', seen: { ...SEEN, ...seen } }, answering(call)).catch(
    (error: unknown) => error instanceof LlmcError && error.code,
  );
  return { outcome, called };
}

test('the same commit with another message, as another view may have edited it, does not land', async () => {
  const { outcome, called } = await accepted({ head: 'new' }, { message: 'Add that' });
  expect([outcome, called]).toEqual(['WORK_CHANGED', ['review new', 'review']]);
});

test('another commit of the same work, as after a rebase, lands', async () => {
  const { called } = await accepted({}, {});
  expect(called).toEqual(['review old', 'review', 'review new', 'accept']);
});

test.each<[string, Partial<SeenWork>, Parameters<typeof accepted>[1]]>([
  ['another diff', {}, { diff: 'another diff' }],
  ['another message', {}, { message: 'Add that' }],
  ['another proof', { proof: 'what was replaced' }, {}],
  ['a diff that leaves white space out', { isWhole: false }, {}],
  ['a diff that leaves a long file out', {}, { warnings: [{ kind: 'omitted' }] }],
])('another commit with %s does not land: it was not on the screen', async (_, seen, now) => {
  const { outcome, called } = await accepted(seen, now);
  expect(outcome).toBe('WORK_CHANGED');
  expect(called).not.toContain('accept');
});

test.each([
  [null, 'good', 'adam has the feedback.'],
  [7, 'bad', 'adam has this feedback already: it was not sent again.'],
])('feedback that a reject cut off at %s has stored is not said to be sent', async (earlier_ms, tone, text) => {
  const reject = { kind: 'reject', worker: 'adam', work: null, feedback: 'Shorter.', notes: [], words: 'Shorter.', drafts: [] } as const;
  const { notice } = await rejectSeen(
    reject,
    answering(async () => ({ state: 'acked', earlier_ms, changed_drafts: [] })),
  );
  expect(notice).toEqual({ tone, text });
});

test('a comment whose newer text was not sent is named with the feedback that was', async () => {
  const drafts = [{ id: 'one', text: 'Why a?' }];
  const reject = { kind: 'reject', worker: 'adam', work: null, feedback: 'Shorter.', notes: [], words: 'Shorter.', drafts } as const;
  const call = async () => ({ state: 'acked', earlier_ms: null, changed_drafts: ['one'] });
  expect(await rejectSeen(reject, answering(call))).toEqual({
    changedDrafts: ['one'],
    notice: {
      tone: 'bad',
      text: 'adam has the feedback. 1 draft comment changed while the text before was sent: the newer text was not sent, and stays.',
    },
  });
});
