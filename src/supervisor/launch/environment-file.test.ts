import { expect, test } from 'vitest';
import { environmentFile, incarnationIn } from './environment-file.ts';

test.each<[string, number | undefined]>([
  [`sh /root/run/workers/adam/launch.sh /root/run/workers/adam/${environmentFile(3)}\n`, 3],
  [`sh "/my root/launch.sh" "/my root/${environmentFile(12)}"`, 12],
  ['sh /root/run/workers/adam/waiting.sh', undefined],
  ['bash', undefined],
  ['', undefined],
])('%j was the start of incarnation %s', (words, incarnation) => {
  expect(incarnationIn(words)).toBe(incarnation);
});
