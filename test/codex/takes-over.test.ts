import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemProcesses } from '../../src/system/processes/processes.ts';
import type { Step as ClaudeStep } from '../claude/api-steps.ts';
import { installedClaude } from '../claude/install.ts';
import { LiveClaude } from '../claude/live-claude.ts';
import { ScriptedApi } from '../claude/scripted-api.ts';
import { isAlive, scratchTmux, until } from '../support/scratch-tmux.ts';
import { installedCodex } from './install.ts';
import { LiveCodex } from './live-codex.ts';
import type { Step } from './responses-steps.ts';
import { ScriptedResponses } from './scripted-responses.ts';

const claudeProgram = await installedClaude();
const codexProgram = await installedCodex();

/** Claude Code leaves a changed file, a new one, a staged one and half a result. */
const HALF_DONE = [
  'echo changed >> README.md',
  'echo new > new.txt',
  'echo staged > staged.txt',
  'git add staged.txt',
  'mkdir -p .llmc-task/out',
  'echo draft > .llmc-task/out/findings.md',
];

async function git(at: string, ...args: readonly string[]): Promise<string> {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.test'];
  const { outcome, stdout, stderr } = await systemProcesses.run({ file: 'git', args: [...identity, ...args], cwd: at });
  if (outcome.kind !== 'exited' || outcome.status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trimEnd();
}

describe.skipIf(claudeProgram === undefined || codexProgram === undefined)('Codex in the place of Claude Code', () => {
  test('continues in the worktree that a killed Claude Code left dirty', async () => {
    await using claudeApi = await ScriptedApi.start();
    await using codexApi = await ScriptedResponses.start();
    await using tmux = await scratchTmux();
    const before = async (project: string) => {
      await git(project, 'init', '--quiet', '--initial-branch=main');
      writeFileSync(join(project, 'README.md'), 'hello\n');
      await git(project, 'add', '--all');
      await git(project, 'commit', '--quiet', '-m', 'Begin');
      await appendFile(join(project, '.git/info/exclude'), '/.llmc-task/\n');
    };
    await using claude = await LiveClaude.start({ program: claudeProgram ?? '', tmux, api: claudeApi, name: 'clio', before });
    const worktree = claude.isolated.project;
    await claude.waitUntilReady();
    const work: ClaudeStep = { kind: 'tool', name: 'Bash', input: { command: HALF_DONE.join(' && '), description: 'Work' } };
    claudeApi.script('clio', work, { kind: 'stall', text: 'I go on' });
    await claude.send('Build it');
    await until('half of the work', async () => existsSync(join(worktree, '.llmc-task/out/findings.md')));
    await until('its second request', async () => claudeApi.requests('clio').length === 2);
    process.kill(claude.pane.pid, 'SIGKILL');
    await until('Claude Code to be dead', async () => !isAlive(claude.pane.pid));

    await using codex = await LiveCodex.start({ program: codexProgram ?? '', api: codexApi, name: 'cora', request: { worktree } });
    const line = await codex.connect();
    await line.opens();
    const exec = (cmd: string): Step => ({ kind: 'tool', name: 'exec_command', input: { cmd } });
    const patch = '*** Begin Patch\n*** Update File: .llmc-task/out/findings.md\n@@\n-draft\n+whole\n*** End Patch';
    codexApi.script(
      'cora',
      exec('git status --porcelain'),
      { kind: 'freeform', name: 'apply_patch', input: patch },
      exec('git add --all && git commit --quiet -m "Build it"'),
      { kind: 'text', text: 'Done.' },
    );
    await line.turn('d-1', 'Another agent began this task here. See git status, and finish it.');
    expect(line.events('permission_opened')).toEqual([]);
    expect(JSON.stringify(codexApi.requests('cora')[1]?.body)).toMatch(/ M README\.md.*A {2}staged\.txt.*\?\? new\.txt/);
    expect(await git(worktree, 'show', '--name-only', '--format=%s', 'HEAD')).toBe('Build it\n\nREADME.md\nnew.txt\nstaged.txt');
    expect(await git(worktree, 'status', '--porcelain')).toBe('');
    expect(readFileSync(join(worktree, '.llmc-task/out/findings.md'), 'utf8')).toBe('whole\n');
  });
});
