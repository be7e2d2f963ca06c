import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { describeError } from '../../../../base/error.ts';
import type { BadResult, ResultContent } from '../scenario/step.ts';
import type { RunCommand } from '../turn/shell.ts';
import { type AskedFile, OUT_FOLDER } from './asked-files.ts';
import { BROKEN_TEXT, goodContent, verdictText, WRONG_TEXT } from './content.ts';

/** Longer than a run accepts. The file has no blocks, so it costs no space. */
const HUGE_BYTES = 256 * 1024 * 1024;

export interface Leaving {
  readonly cwd: string;
  readonly run: RunCommand;
  /** The task in a few words. */
  readonly task: string;
  /** How many verdicts with remarks the agent has left in this conversation. */
  readonly remarksGiven: number;
}

/** What was left, in words for the screen; `remarks` if it was a verdict that asks for changes. */
export interface Left {
  readonly text: string;
  readonly remarks: boolean;
}

/** Leaves a result as a task asks for it, or one of the bad ones. A second time it replaces the first. */
export async function leaveResult(file: AskedFile, content: ResultContent, leaving: Leaving, signal: AbortSignal): Promise<Left> {
  const out = join(leaving.cwd, OUT_FOLDER);
  const path = join(out, file.path);
  const inside = relative(out, path);
  if (isAbsolute(file.path) || inside === '' || inside.startsWith('..'))
    return { text: `${file.path} is outside ${OUT_FOLDER}`, remarks: false };
  try {
    mkdirSync(dirname(path), { recursive: true });
    // What is there may be a link of an earlier turn: writing through it would change another file.
    rmSync(path, { recursive: true, force: true });
    if (content.how === 'bad') return { text: await leaveBad(path, content.bad, leaving.run, signal), remarks: false };
    const remarks = content.how === 'remarks' && (content.rounds === null || leaving.remarksGiven < content.rounds);
    writeFileSync(path, textOf(file, content, leaving.task, remarks));
    return { text: remarks ? 'asks for changes' : 'written', remarks };
  } catch (error) {
    return { text: describeError(error), remarks: false };
  }
}

function textOf(file: AskedFile, content: Exclude<ResultContent, { how: 'bad' }>, task: string, remarks: boolean): string {
  switch (content.how) {
    case 'good':
      return goodContent(file, task);
    case 'text':
      return content.text;
    case 'remarks':
      return verdictText(remarks ? content.issues : []);
  }
}

async function leaveBad(path: string, bad: BadResult, run: RunCommand, signal: AbortSignal): Promise<string> {
  switch (bad) {
    case 'missing':
      return 'not written';
    case 'empty':
      writeFileSync(path, '');
      return 'an empty file';
    case 'broken':
      writeFileSync(path, BROKEN_TEXT);
      return 'text that does not parse';
    case 'wrong':
      writeFileSync(path, WRONG_TEXT);
      return 'text that does not fit';
    case 'binary':
      writeFileSync(path, Buffer.from([0, 0xff, 0xfe, 0x1b, 0x5b, 0x32, 0x4a, 0]));
      return 'bytes that are not text';
    case 'huge': {
      const opened = openSync(path, 'w');
      ftruncateSync(opened, HUGE_BYTES);
      closeSync(opened);
      return `${HUGE_BYTES} bytes`;
    }
    case 'link':
      symlinkSync('/etc/passwd', path);
      return 'a link to /etc/passwd';
    case 'folder':
      mkdirSync(path);
      return 'a folder';
    case 'pipe': {
      const { status, output } = await run(['mkfifo', path], signal);
      return status === 0 ? 'a pipe' : output.trim();
    }
  }
}
