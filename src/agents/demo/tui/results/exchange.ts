import type { Step } from '../scenario/step.ts';
import { editFile } from '../turn/edit.ts';
import type { Stage } from '../turn/stage.ts';
import { fillIn } from '../turn/task.ts';
import { type AskedFile, OUT_FOLDER } from './asked-files.ts';
import { leaveResult } from './leave.ts';

type ExchangeStep = Extract<Step, { kind: 'leave' | 'message' | 'progress' }>;

/** Writes what a run reads from the worktree: results, messages and progress. */
export async function exchange(step: ExchangeStep, stage: Stage, signal: AbortSignal): Promise<void> {
  switch (step.kind) {
    case 'leave':
      for (const file of filesOf(step.file, stage)) await leave(file, step, stage, signal);
      return;
    case 'message': {
      const { to, text } = step;
      // A counter would start again in a new process, and then a message would replace an earlier one.
      const name = `${stage.now()}-${to.replace(/[^\w-]/g, '-')}.yaml`;
      return write(`messages/${name}`, { to, text: fillIn(text, stage.words) }, stage);
    }
    case 'progress': {
      const { done, total, note } = step;
      return write('progress.yaml', { done, total, note: fillIn(note, stage.words) }, stage);
    }
  }
}

/** All that the task asks for, or the named one, with its schema if the task asks for it. */
function filesOf(named: string | null, { files, words }: Stage): readonly AskedFile[] {
  if (named === null) return files;
  const path = fillIn(named, words);
  return [files.find((file) => file.path === path) ?? { path }];
}

async function leave(file: AskedFile, { content }: Extract<Step, { kind: 'leave' }>, stage: Stage, signal: AbortSignal): Promise<void> {
  const finish = stage.tool('Write', `Write(${OUT_FOLDER}/${file.path})`);
  const filled = content.how === 'text' ? { ...content, text: fillIn(content.text, stage.words) } : content;
  const leaving = { cwd: stage.cwd, run: stage.run, task: stage.gist, remarksGiven: stage.remarksGiven() };
  const { text, remarks } = await leaveResult(file, filled, leaving, signal);
  if (remarks) stage.remarked();
  finish(text);
}

/** Each line is a key and a JSON value, which is YAML too: the yaml package takes longer to load than this program to start. */
function write(file: string, fields: Readonly<Record<string, string | number>>, stage: Stage): void {
  const finish = stage.tool('Write', `Write(${OUT_FOLDER}/${file})`);
  const text = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  const written = editFile(stage.cwd, `${OUT_FOLDER}/${file}`, { how: 'content', text: text.join('') }, false);
  finish(written.ok ? 'written' : written.reason);
}
