import { expect, test } from 'vitest';
import { Shell } from '../shell.ts';
import { Input } from '../verb.ts';
import { rescue } from './rescue.ts';

test.each([
  ['--older-than', [], { olderThan: '30d' }],
  ['--dry-run', ['list'], { dryRun: true }],
  ['--older-than', ['show', 'adam'], { olderThan: '30d' }],
  ['--sizes', ['prune'], { sizes: true, olderThan: '30d' }],
  ['--into', ['list'], { into: 'adam' }],
])('%s with an action that does not take it is refused: %j', async (flag, args, options) => {
  const flags = { json: true, quiet: true, verbose: false, color: false, yes: true, patrol: false };
  const shell = new Shell({ ...flags, root: '/nowhere/llmc', version: '1.0.0', declarations: [] }, () => expect.unreachable());
  await expect(rescue.run(new Input(args, options), shell)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining(flag),
  });
});
