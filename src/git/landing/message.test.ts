import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeMessage, isAttribution, stripAttribution } from './message.ts';

const AGENTS = ['Co-Authored-By:*<noreply@*>', 'Co-Authored-By:*[bot]*', 'Reviewed-by-machine: *'];
const REAL = 'Co-Authored-By: Ada Lovelace <ada@example.test>';

describe('attribution', () => {
  test.each([
    'Co-Authored-By: Claude <noreply@anthropic.com>',
    'co-authored-by: Codex <noreply@openai.com>',
    '  Co-authored-by: indented <NoReply@y>',
    '> Co-Authored-By: renovate[bot] <29139614+renovate[bot]@users.noreply.github.com>',
    'Reviewed-by-machine: yes',
    '🤖 Generated with [Claude Code](https://claude.com/claude-code)',
    'Generated with Codex',
    'generated with an agent',
    '*Generated with [Tool](x)*',
    '🤖',
    '🤖 Created by a robot',
  ])('%j is dropped', (line) => {
    expect(isAttribution(line, AGENTS)).toBe(true);
  });

  test.each([
    'The table is generated with protoc.',
    'Honour the Co-Authored-By trailer when counting people',
    'Regenerated with the new seed',
    '🤖 Add a robot to the game',
    'Signed-off-by: A <a@b>',
    REAL,
    'Co-Authored-By: Claude Monet <1+claude@users.noreply.github.com>',
    'Reviewed-by-machine:',
    '',
  ])('%j stays', (line) => {
    expect(isAttribution(line, AGENTS)).toBe(false);
  });

  test('the rest of the message keeps its shape', () => {
    const message =
      'Add x\n\nWhy: y\n\n🤖 Generated with [Claude Code](u)\n\nCo-Authored-By: Claude <noreply@a>\nSigned-off-by: A <a@b>\n\n\n';
    expect(stripAttribution(message, AGENTS)).toBe('Add x\n\nWhy: y\n\nSigned-off-by: A <a@b>');
  });

  test('never leaves nothing, never leaves attribution, and a second time changes nothing', () => {
    const line = fc.oneof(fc.string(), fc.constantFrom('', 'Co-Authored-By: x <noreply@x>', '🤖 Generated with y', 'text\r'));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const once = stripAttribution(lines.join('\n'), AGENTS);
        expect(once.trim()).not.toBe('');
        expect(once.split('\n').some((each) => isAttribution(each, AGENTS))).toBe(false);
        expect(stripAttribution(once, AGENTS)).toBe(once);
      }),
    );
  });

  test('takes time in proportion to the line, whatever the pattern', () => {
    const line = `Co-Authored-By: ${'a'.repeat(1_000_000)}`;
    const began = process.cpuUsage();
    expect(isAttribution(line, [`${'*a'.repeat(90)}*b`])).toBe(false);
    // Of the processor, not of the clock: a busy machine is slow in any case.
    expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
  });
});

describe('the message of several commits', () => {
  const joined = (...messages: string[]) => composeMessage(messages, AGENTS);

  test('begins with the first, and the others follow once each', () => {
    expect(joined('Add x\n\nBody', 'Fix x\n\nCo-Authored-By: C <noreply@c>', 'Fix x')).toBe('Add x\n\nBody\n\nFix x');
  });

  test('leaves out fixups that say nothing, and commits that were nothing but attribution', () => {
    expect(joined('Add x', 'fixup! Add x', 'Generated with z')).toBe('Add x');
  });

  test('is never empty', () => {
    expect(joined()).toBe('Untitled change');
    expect(joined('fixup! gone')).toBe('Untitled change');
  });

  test('keeps people as co-authors and drops agents', () => {
    expect(joined(`Add x\n\n${REAL}\nCo-Authored-By: Claude <noreply@anthropic.com>`)).toBe(`Add x\n\n${REAL}`);
  });

  test.each([
    ['each once, in order', ['A\n\nFixes: #1\nSigned-off-by: X <x@x>', 'B\n\nwhy\n\nSigned-off-by: X <x@x>\nFixes: #2']],
    ['with a second line', ['A\n\nFixes: a long\n  reason\nSigned-off-by: X <x@x>', 'B\n\nFixes: #2']],
    ['beside a line that is none', ['A\n\n[x: renamed]\nSigned-off-by: X <x@x>', 'B']],
  ])('has the trailers of all commits where git finds them: %s', (_, messages) => {
    const message = joined(...messages);
    const found = execFileSync('git', ['interpret-trailers', '--parse'], { input: message, encoding: 'utf8' });
    const each = messages.map((one) => execFileSync('git', ['interpret-trailers', '--parse'], { input: one, encoding: 'utf8' }));
    expect(found).toBe(
      [...new Set(each.join('').split('\n'))]
        .filter((line) => line !== '')
        .join('\n')
        .concat('\n'),
    );
  });

  test.each(['A\n\nThe reason: none\nand more', 'feat: a subject is not a trailer', 'A\n\n  indented: text'])(
    'does not move the text of %j to the end',
    (first) => {
      expect(joined(first, 'B')).toBe(`${first}\n\nB`);
    },
  );
});
