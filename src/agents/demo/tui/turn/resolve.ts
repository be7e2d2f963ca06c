import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resolve } from '../scenario/step.ts';
import type { RunCommand, ShellResult } from './shell.ts';

/** Resolves the conflicts of a rebase in one of the ways of `resolve:`, and returns git's last answer. */
export async function resolveConflicts(cwd: string, run: RunCommand, how: Resolve, signal: AbortSignal): Promise<ShellResult> {
  if (how === 'abort') return run(['git', 'rebase', '--abort'], signal);
  const listed = await run(['git', 'diff', '--name-only', '--diff-filter=U', '-z'], signal);
  const paths = [...new Set(listed.output.split('\0'))].filter((path) => path !== '');
  for (const path of paths) if (how !== 'markers') rewrite(join(cwd, path), how);
  if (paths.length > 0) await run(['git', 'add', '--all', '--', ...paths], signal);
  if (how === 'markers' || how === 'staged') return { status: 0, output: `staged ${paths.join(', ')}` };
  return run(['git', ...IDENTITY, '-c', 'core.editor=true', 'rebase', '--continue'], signal);
}

// Without a configured identity git refuses to commit (git 2.39).
const IDENTITY = ['-c', 'user.name=llmc demo agent', '-c', 'user.email=demo-agent@llmc.invalid'];

function rewrite(file: string, how: Exclude<Resolve, 'abort' | 'markers'>): void {
  // One side deleted it and the other one changed it: git left the changed file.
  if (existsSync(file)) writeFileSync(file, withoutMarkers(readFileSync(file, 'utf8'), how));
}

/** Keeps the lines of both sides, or of one: during a rebase the first part is main's and the second the worker's. */
export function withoutMarkers(text: string, how: Exclude<Resolve, 'abort' | 'markers'>): string {
  const kept: string[] = [];
  let part: 'outside' | 'main' | 'base' | 'worker' = 'outside';
  for (const line of text.split('\n')) {
    if (part === 'outside' && line.startsWith('<<<<<<< ')) part = 'main';
    else if (part === 'main' && line.startsWith('||||||| ')) part = 'base';
    else if ((part === 'main' || part === 'base') && line === '=======') part = 'worker';
    else if (part === 'worker' && line.startsWith('>>>>>>> ')) part = 'outside';
    else if (part === 'outside' || (part !== 'base' && (how === 'both' || how === 'staged' || how === part))) kept.push(line);
  }
  return kept.join('\n');
}
