import { expect, test } from 'vitest';
import { withoutMarkers } from './resolve.ts';

const CONFLICT = ['top', '<<<<<<< HEAD', 'main', '||||||| base', 'old', '=======', 'worker', '>>>>>>> abc (Subject)', 'end', ''].join('\n');

test.each([
  ['both', 'top\nmain\nworker\nend\n'],
  ['staged', 'top\nmain\nworker\nend\n'],
  ['main', 'top\nmain\nend\n'],
  ['worker', 'top\nworker\nend\n'],
] as const)('%s keeps the lines of that side', (how, expected) => {
  expect(withoutMarkers(CONFLICT, how)).toBe(expected);
});
