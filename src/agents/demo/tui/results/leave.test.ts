import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { scratchFolder } from '../../../../../test/repo/scratch.ts';
import { BAD_RESULTS, type ResultContent } from '../scenario/step.ts';
import type { RunCommand } from '../turn/shell.ts';
import { leaveResult } from './leave.ts';

const NEVER = new AbortController().signal;

function desk() {
  const scratch = scratchFolder();
  const cwd = scratch.path;
  const run: RunCommand = async ([file, ...args]) => {
    const { status, stderr } = spawnSync(file, args, { encoding: 'utf8' });
    return { status, output: stderr };
  };
  const path = (file: string) => join(cwd, '.llmc-task/out', file);
  const leave = (file: string, content: ResultContent, remarksGiven = 0) =>
    leaveResult({ path: file }, content, { cwd, run, task: 'Add "a" page', remarksGiven }, NEVER);
  return {
    cwd,
    run,
    path,
    leave,
    read: (file: string) => readFileSync(path(file), 'utf8'),
    [Symbol.dispose]: () => scratch[Symbol.dispose](),
  };
}

describe('a result', () => {
  test.for(['findings.md', 'deep/er/plan.yaml', 'plan.json', 'notes'])('%s has content that fits its name', async (file) => {
    using at = desk();
    await at.leave(file, { how: 'good' });
    const text = at.read(file);
    expect(text).toContain('page');
    if (/yaml|json/.test(file)) expect(parse(text)).toEqual({ summary: 'Add "a" page' });
  });

  test('satisfies the schema that the task names', async () => {
    using at = desk();
    const schema = { type: 'object', properties: { sections: { type: 'array', items: { type: 'object', required: ['id'] } } } };
    const leaving = { cwd: at.cwd, run: at.run, task: 'a page', remarksGiven: 0 };
    await leaveResult({ path: 'outline.yaml', schema }, { how: 'good' }, leaving, NEVER);
    expect(parse(at.read('outline.yaml'))).toEqual({ sections: [{ id: 'demo-1' }, { id: 'demo-2' }] });
  });

  test('that is a verdict approves, or asks for changes in the first rounds', async () => {
    using at = desk();
    const remarks = { how: 'remarks', issues: ['a.ts:1: "x" throws'], rounds: 2 } as const;
    expect(await at.leave('verdict.yaml', { how: 'good' })).toMatchObject({ remarks: false });
    expect(parse(at.read('verdict.yaml'))).toEqual({ verdict: 'approved', issues: [] });
    expect(await at.leave('verdict.yaml', remarks, 1)).toMatchObject({ remarks: true });
    expect(parse(at.read('verdict.yaml'))).toEqual({ verdict: 'changes', issues: ['a.ts:1: "x" throws'] });
    expect(await at.leave('verdict.yaml', remarks, 2)).toMatchObject({ remarks: false });
    expect(parse(at.read('verdict.yaml'))).toEqual({ verdict: 'approved', issues: [] });
    expect(await at.leave('verdict.yaml', { ...remarks, rounds: null }, 9)).toMatchObject({ remarks: true });
  });

  test.for(BAD_RESULTS)('can be %s, and is replaced by a good one', async (bad) => {
    using at = desk();
    await at.leave('verdict.yaml', { how: 'bad', bad });
    expect(kindOf(at.path('verdict.yaml'))).toBe(KINDS[bad]);
    await at.leave('verdict.yaml', { how: 'good' });
    expect(parse(at.read('verdict.yaml'))).toEqual({ verdict: 'approved', issues: [] });
  });

  test('never changes the file behind a link', async () => {
    using at = desk();
    mkdirSync(join(at.cwd, '.llmc-task/out'), { recursive: true });
    writeFileSync(join(at.cwd, 'precious'), 'kept');
    symlinkSync(join(at.cwd, 'precious'), at.path('findings.md'));
    await at.leave('findings.md', { how: 'text', text: 'new' });
    expect(readFileSync(join(at.cwd, 'precious'), 'utf8')).toBe('kept');
    expect(at.read('findings.md')).toBe('new');
  });

  test.for(['../x', '/tmp/llmc-leave-outside', '.'])('stays below the folder: %s', async (file) => {
    using at = desk();
    expect(await at.leave(file, { how: 'good' })).toMatchObject({ text: expect.stringContaining('outside') });
    expect(readdirSync(at.cwd)).toEqual([]);
  });
});

const KINDS = {
  missing: 'nothing',
  empty: 'file of 0',
  broken: 'file',
  wrong: 'file',
  binary: 'file',
  huge: `file of ${256 * 1024 * 1024}`,
  link: 'link',
  folder: 'folder',
  pipe: 'pipe',
} as const;

function kindOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'nothing';
  if (found.isSymbolicLink()) return 'link';
  if (found.isDirectory()) return 'folder';
  if (found.isFIFO()) return 'pipe';
  return found.size === 0 || found.size > 1_000_000 ? `file of ${found.size}` : 'file';
}
