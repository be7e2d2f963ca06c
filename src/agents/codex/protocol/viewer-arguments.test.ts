import { expect, test } from 'vitest';
import { viewerArguments } from './viewer-arguments.ts';

test.each<[given: string, kept: string]>([
  ['', ''],
  ['-c model_provider="mine" -m gpt-5.5', '-c model_provider="mine" -m gpt-5.5'],
  ['-s workspace-write -c a=1', '-c a=1'],
  ['-c a=1 --sandbox=read-only -a never', '-c a=1'],
  ['-c sandbox_workspace_write.exclude_slash_tmp=true -c a=1', '-c a=1'],
  ['--config sandbox_mode="read-only" --search', '--search'],
  ['-c approval_policy="never"', ''],
  ['-c sandboxes_of_mine.x=1 -c a=sandbox_mode', '-c a=sandbox_mode'],
  ['--dangerously-bypass-approvals-and-sandbox --search --add-dir /x', '--search'],
  ['-c', '-c'],
])('%s → %s', (given, kept) => {
  const words = (line: string) => line.split(' ').filter((word) => word !== '');
  expect(viewerArguments(words(given))).toEqual(words(kept));
});
