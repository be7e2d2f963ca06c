import { expect, test } from 'vitest';
import { shortId } from './short-id.ts';

test.each([
  ['0f0e7f27-1b83-4a5e-9d0c-1b831a7fa584', '0f0e7f27'],
  ['swarm-1.17', 'swarm-1.17'],
  ['literature-12.3', 'literature-12.3'],
  ['', ''],
])('%s is called %s', (id, expected) => {
  expect(shortId(id)).toBe(expected);
});
