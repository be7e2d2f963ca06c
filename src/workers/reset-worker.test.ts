import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchWork } from '../../test/support/scratch-work.ts';
import { listRescues } from '../git/rescue/rescue.ts';
import { openGit } from '../git/run.ts';
import { treeFiles } from '../system/files/tree-files.ts';
import { Terminal } from '../terminal/terminal.ts';
import { resetWorker } from './reset-worker.ts';

test('a disk too full to save the work leaves the agent running, and with room again it makes one rescue', async () => {
  await using work = await scratchWork();
  const told: string[] = [];
  const terminal = new Terminal('/nowhere/tmux.sock', {
    run: async (command) => {
      told.push(command.args.join(' '));
      return { command, outcome: { kind: 'exited', status: 0 }, stdout: '', stderr: '', truncated: false };
    },
  });
  await writeFile(join(work.worktree, 'new.txt'), 'unsaved\n');
  const full = async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, copyfile'), { code: 'ENOSPC' });
  };
  const git = openGit(work.repo.processes, { files: { ...treeFiles, copy: full } });
  await expect(resetWorker({ ...work.context, terminal, git }, 'adam')).rejects.toThrow('ENOSPC');
  expect(told).toEqual([]);

  const { rescued } = await resetWorker({ ...work.context, terminal }, 'adam');
  expect(rescued).toMatch(/^adam\//);
  expect(told.length).toBeGreaterThan(0);
  const rescues = await listRescues(work.context.git, work.context.layout.root);
  expect(rescues.map(({ name }) => name)).toEqual([rescued]);
});
