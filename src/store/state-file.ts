import type { z } from 'zod';
import { describeError, LlmcError } from '../base/error.ts';
import { fault } from '../base/fault.ts';
import type { Files } from '../base/ports.ts';
import { findRefusal } from '../base/refusal.ts';
import { refusalHint, refusalText } from '../base/refusal-text.ts';
import { systemFiles } from '../system/files/system-files.ts';
import type { Layout } from './layout.ts';
import { type State, stateSchema } from './state.ts';

export type StateRead =
  | { readonly kind: 'ok'; readonly state: State }
  | { readonly kind: 'missing' }
  | { readonly kind: 'broken'; readonly problem: string };

export function readStateFile(path: string, files: Pick<Files, 'readText'> = systemFiles): StateRead {
  try {
    const text = files.readText(path);
    return text === undefined ? { kind: 'missing' } : readState(text);
  } catch (error) {
    // The file may be sound: a repair would put a good file aside.
    if (findRefusal(error) === 'too_many_files')
      throw new LlmcError('FILESYSTEM_ERROR', `cannot read ${path}: ${refusalText('too_many_files')}`, {
        hint: refusalHint('too_many_files'),
        cause: error,
      });
    return { kind: 'broken', problem: describeError(error) };
  }
}

function readState(text: string): StateRead {
  const parsed = stateSchema.safeParse(JSON.parse(text));
  return parsed.success ? { kind: 'ok', state: parsed.data } : { kind: 'broken', problem: describeIssues(parsed.error) };
}

/**
 * Keeps the previous valid file as the backup, then replaces it. The caller has checked the state. Returns the text: passed as `known`
 * to the next call, it saves parsing a file that has not changed, which takes longer the more workers there are.
 */
export function writeStateFile(layout: Layout, state: State, known?: string, files: Files = systemFiles): string {
  // The file may have been broken since it was read; then it is not a backup.
  if (isSound(layout.state, known, files)) files.copy(layout.state, layout.stateBackup);
  const text = `${JSON.stringify(state, null, 2)}\n`;
  files.replace(layout.state, text, { beforeRename: () => fault('state:before-rename') });
  return text;
}

function isSound(path: string, known: string | undefined, files: Files): boolean {
  try {
    const text = files.readText(path);
    return text !== undefined && (text === known || readState(text).kind === 'ok');
  } catch {
    return false;
  }
}

function describeIssues(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
}
