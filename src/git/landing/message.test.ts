import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeMessage, isAttribution, stripAttribution } from './message.ts';

describe('attribution', () => {
  test.each([
    'Co-Authored-By: Claude <noreply@anthropic.com>',
    'co-authored-by: someone <x@y>',
    '  Co-authored-by: indented <x@y>',
    '🤖 Generated with [Claude Code](https://claude.com/claude-code)',
    'Generated with Codex',
    'generated with an agent',
    '*Generated with [Tool](x)*',
    '🤖',
    '🤖 Created by a robot',
  ])('%j is dropped', (line) => {
    expect(isAttribution(line)).toBe(true);
  });

  test.each([
    'The table is generated with protoc.',
    'Honour the Co-Authored-By trailer when counting people',
    'Regenerated with the new seed',
    '🤖 Add a robot to the game',
    'Signed-off-by: A <a@b>',
    '',
  ])('%j stays', (line) => {
    expect(isAttribution(line)).toBe(false);
  });

  test('the rest of the message keeps its shape', () => {
    const message = 'Add x\n\nWhy: y\n\n🤖 Generated with [Claude Code](u)\n\nCo-Authored-By: Claude <n@a>\nSigned-off-by: A <a@b>\n\n\n';
    expect(stripAttribution(message)).toBe('Add x\n\nWhy: y\n\nSigned-off-by: A <a@b>');
  });

  test('never leaves nothing, never leaves attribution, and a second time changes nothing', () => {
    const line = fc.oneof(fc.string(), fc.constantFrom('', 'Co-Authored-By: x', '🤖 Generated with y', 'text\r'));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const once = stripAttribution(lines.join('\n'));
        expect(once.trim()).not.toBe('');
        expect(once.split('\n').some(isAttribution)).toBe(false);
        expect(stripAttribution(once)).toBe(once);
      }),
    );
  });
});

describe('the message of several commits', () => {
  test('begins with the first, and the others follow once each', () => {
    expect(composeMessage(['Add x\n\nBody', 'Fix x\n\nCo-Authored-By: C <c@c>', 'Fix x'])).toBe('Add x\n\nBody\n\nFix x');
  });

  test('leaves out fixups that say nothing, and commits that were nothing but attribution', () => {
    expect(composeMessage(['Add x', 'fixup! Add x', 'Generated with z'])).toBe('Add x');
  });

  test('is never empty', () => {
    expect(composeMessage([])).toBe('Untitled change');
    expect(composeMessage(['fixup! gone'])).toBe('Untitled change');
  });
});
