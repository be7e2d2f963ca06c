import { expect, test } from 'vitest';
import { describeCommand } from './command.ts';

test.each([
  [{ file: 'git', args: ['-C', '/a/b', 'rev-parse', 'HEAD^{tree}'] }, 'git -C /a/b rev-parse HEAD^{tree}'],
  [{ file: 'git', args: ['commit', '-m', 'two words'] }, 'git commit -m "two words"'],
  [{ file: 'sh', args: ['-c', 'a; b', ''] }, 'sh -c "a; b" ""'],
  [{ file: 'x', args: ['line\nbreak', '$HOME', '`id`'] }, 'x "line\\nbreak" "$HOME" "`id`"'],
])('%o is shown on one line, and words stay apart', (command, text) => {
  expect(describeCommand(command)).toBe(text);
});

test('the description omits environment and standard input', () => {
  expect(describeCommand({ file: 'x', args: [], env: { TOKEN: 'secret' }, stdin: 'secret' })).toBe('x');
});
