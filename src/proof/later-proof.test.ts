import { expect, test } from 'vitest';
import { laterProof } from './later-proof.ts';
import type { HardStop, Loss, Proof } from './proof.ts';
import { judgeProof } from './verdict.ts';

function proof(dropped: readonly Loss[] = [], stops: readonly HardStop[] = [], resurrected: readonly Loss[] = []): Proof {
  const unexplained = [...dropped, ...resurrected].filter(({ explained }) => !explained).length;
  return {
    stops: [...stops],
    dropped: [...dropped],
    resurrected: [...resurrected],
    replaced: [],
    added: [],
    notes: [],
    counts: { files: 1, dropped: dropped.length, resurrected: resurrected.length, replaced: 0, added: 0, unexplained },
  };
}

const loss = (side: Loss['side'], text: string, line = 1): Loss => ({
  side,
  path: 'a.txt',
  line,
  text,
  by: null,
  origin: null,
  explained: false,
});
const LOST: HardStop = { kind: 'lost_file', path: 'a.txt', side: 'both' };
const MARKERS: HardStop = { kind: 'markers', path: 'a.txt', line: 3 };

test.each([
  ['a line of main that a later commit removes is dropped', proof(), proof([loss('main', 'm')]), 'losses'],
  ['a line of main that comes back later is listed', proof(), proof([], [], [loss('main', 'm')]), 'losses'],
  ['the worker may change its own lines', proof(), proof([loss('worker', 'w')]), 'clean'],
  ['the worker may change what was there before both', proof(), proof([loss('both', 'b')]), 'clean'],
  ['what was lost stays lost, on another line too', proof([loss('worker', 'w', 1)]), proof([loss('worker', 'w', 9)]), 'losses'],
  ['what stands is listed, also if no side has it any more', proof([loss('main', 'm')]), proof(), 'losses'],
  ['a file that the resolution lost is still lost', proof([], [LOST]), proof(), 'hard_stop'],
  ['a file may be deleted later', proof(), proof([], [LOST]), 'clean'],
  ['markers are never right', proof(), proof([], [MARKERS]), 'hard_stop'],
] as const)('%s', (_, standing, now, verdict) => {
  expect(judgeProof(laterProof(standing, now))).toBe(verdict);
});

test('a loss that stands is counted once', () => {
  expect(laterProof(proof([loss('main', 'm', 1)]), proof([loss('main', 'm', 9)])).counts).toMatchObject({ dropped: 1, unexplained: 1 });
});

test('a branch that is not on main’s commit keeps what stands', () => {
  const standing = proof([loss('main', 'm')]);
  expect(laterProof(standing, undefined)).toBe(standing);
});
