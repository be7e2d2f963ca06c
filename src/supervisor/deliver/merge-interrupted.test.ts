import { expect, test } from 'vitest';
import { aDelivery } from '../samples.ts';
import { mergeInterrupted } from './merge-interrupted.ts';

test('a prompt taken back goes out in front of the message that interrupted it, and the row says so', () => {
  const before = aDelivery({ id: '0123456789', text: 'Build the house', sent_text: 'Build the house', state: 'acked' });
  const row = aDelivery({ text: '!In brick', sent_text: 'In brick', text_hash: 'old', changes: '["line breaks made \\\\n"]' });
  const { text, sent_text, text_hash, changes } = mergeInterrupted(before, row);
  expect(text, 'to be made safe again for whoever it is typed into').toBe('Build the house\n\n!In brick');
  expect(sent_text).toBe('Build the house\n\nIn brick');
  expect(text_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.parse(changes)).toEqual(['line breaks made \\n', expect.stringContaining('put behind 01234567')]);
});
