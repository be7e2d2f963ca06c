import { expect, test } from 'vitest';
import { shownCommand } from './shown-command.ts';

test.each([
  ["/bin/bash -lc 'touch /root/x'", 'touch /root/x'],
  ['/bin/bash -lc true', 'true'],
  ["bash -c 'echo '\\''hi'\\'' there'", "echo 'hi' there"],
  ['/bin/zsh -lc "echo \\"$HOME\\""', 'echo "$HOME"'],
  ["/bin/bash -lc 'a\nb'", 'a\nb'],
  ['git push', 'git push'],
  ['fish -c x', 'x'],
  ['', ''],
])('%j', (command, shown) => {
  expect(shownCommand(command)).toBe(shown);
});
