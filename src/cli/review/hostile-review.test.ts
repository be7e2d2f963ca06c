import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { visibleIn } from '../../base/visible-text.ts';
import { reviewWork } from '../../workers/review-work.ts';
import { terminalText } from '../output.ts';
import { Shell } from '../shell.ts';
import { reviewBody, reviewHead } from '../text/review-text.ts';
import { Input } from '../verb.ts';
import { accept } from '../verbs/accept.ts';
import { rebase } from '../verbs/rebase.ts';
import { undo } from '../verbs/undo.ts';
import { openInVsCode } from './vscode.ts';

/** Clears the screen, sets the clipboard, reorders the line, and begins a line that looks like one of llmc. */
const TRICK = '\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u202Egnp\u2066\r\n! Validated: llmc accept adam\n\u009b31mx';
const HUGE = 'x'.repeat(300_000);
/** What a terminal would execute, and what reorders or hides text. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]/u;

const OPTIONS = { json: false, quiet: true, verbose: false, color: false, yes: false, patrol: false, version: '0', declarations: [] };
const shellAt = (root: string) => new Shell({ ...OPTIONS, root }, () => Promise.reject(new Error('not called')));
const SHELL = shellAt('/root');
const NO_INPUT = new Input([], {});
const SHA = 'a'.repeat(40);

test('names, subjects and summaries of an agent stay inside the lines that llmc prints about accept, undo and rebase', async () => {
  const landed = {
    worker: 'adam',
    landing: 'main',
    branch: 'main',
    commit: SHA,
    subject: TRICK,
    status: 'idle',
    run: null,
    how: 'merge',
  } as const;
  const formatted = { lines: ['fmt'], files: [TRICK] };
  const left = { worker: 'bea', code: 'REBASE_CONFLICT', message: TRICK, hint: TRICK };
  const undone = { landing: 'l', worker: 'adam', branch: 'main', commit: SHA, subject: TRICK, kind: 'take_back', revert: null } as const;
  const texts = [
    await accept.text?.(visibleIn({ ...landed, formatted, after_accept: null }), SHELL, NO_INPUT),
    await accept.text?.(
      visibleIn({
        accepted: [{ ...landed, formatted, after_accept: null }],
        earlier: [{ worker: 'carl', commit: SHA, subject: TRICK }],
        left: [left],
        after_accept: null,
      }),
      SHELL,
      NO_INPUT,
    ),
    await undo.text?.(visibleIn({ ...undone, outcome: 'undone', status: 'needs_review', conversation: 'kept' }), SHELL, NO_INPUT),
    await undo.text?.(visibleIn({ ...undone, outcome: 'planned', status: 'idle', conversation: null }), SHELL, NO_INPUT),
    await rebase.text?.(
      visibleIn({ worker: 'adam', branch: 'main', outcome: 'resolving', status: 'rebasing', files: [TRICK] }),
      SHELL,
      NO_INPUT,
    ),
  ];
  for (const text of texts) {
    expect(text).toContain('<U+202E>');
    expect(UNSAFE.test(terminalText(text ?? ''))).toBe(false);
    expect(text?.split('\n').filter((line) => line.startsWith('!'))).toEqual([]);
  }
});

test('a hostile change can neither write to the terminal nor begin a line of the head, and a huge line stays in the body', async () => {
  await using work = await scratchWork({
    worker: {
      status: 'needs_review',
      current_prompt: TRICK,
      summary: `${TRICK}${HUGE}`,
      attention: { kind: 'not_landed', problem: TRICK },
    },
  });
  const { repo, context, worktree } = work;
  await repo.commit(`Add\n\n${TRICK}`, { 'a\n! b.ts': `${TRICK}\n${HUGE}\n` }, worktree);
  const result = visibleIn(await reviewWork(context, { worker: 'adam' }));
  const display = { color: false, columns: 80, atRoot: (text: string) => text };
  const head = reviewHead(result, display);
  for (const text of [head, reviewBody(result, false)]) expect(UNSAFE.test(terminalText(text))).toBe(false);
  expect(Math.max(...head.split('\n').map((line) => line.length))).toBeLessThan(2_000);
  expect(head.split('\n').filter((line) => line.startsWith('! Validated') || line.startsWith('! b.ts'))).toEqual([]);
});

test('VS Code gets copies with harmless names in a folder of their own, which is gone afterwards', async () => {
  await using work = await scratchWork({ worker: { status: 'needs_review', current_prompt: 'x' } });
  const { repo, context, worktree } = work;
  const files = { '--install-extension=evil\n\u202E.ts': 'a\n', '.vscode/tasks.json': '{}\n', 'src/..\u001b[2J.md': 'b\n' };
  await repo.commit('Add', files, worktree);
  const result = visibleIn(await reviewWork(context, { worker: 'adam' }));
  const folder = mkdtempSync(join(tmpdir(), 'llmc-code-'));
  const before = process.env.PATH;
  try {
    const log = join(folder, 'log');
    writeFileSync(join(folder, 'code'), `#!/bin/sh\nfor each in "$@"; do printf '%s\\0' "$each"; done >> '${log}'\n`, { mode: 0o755 });
    process.env.PATH = `${folder}${delimiter}${before ?? ''}`;
    await openInVsCode(result, shellAt(context.layout.root));
    const words = readFileSync(log, 'utf8').split('\0').slice(0, -1);
    const options = words.filter((word) => word.startsWith('-'));
    expect([...new Set(options)].toSorted()).toEqual(['--diff', '--new-window', '--reuse-window', '--wait']);
    const paths = words.filter((word) => !word.startsWith('-'));
    expect(paths).toHaveLength(2 * 3 + 1);
    for (const path of paths) {
      expect(path.startsWith(tmpdir())).toBe(true);
      expect(path).toMatch(/^[\w./-]+$/);
      expect(existsSync(path)).toBe(false);
      expect(path).not.toContain(worktree);
    }
  } finally {
    process.env.PATH = before;
    rmSync(folder, { recursive: true, force: true });
  }
});
