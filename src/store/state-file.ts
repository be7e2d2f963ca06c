import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { messageOf } from '../base/error.ts';
import { fault } from '../base/fault.ts';
import { atomicWrite } from '../system/files/atomic-write.ts';
import type { Layout } from './layout.ts';
import { type State, stateSchema } from './state.ts';

export type StateRead =
  | { readonly kind: 'ok'; readonly state: State }
  | { readonly kind: 'missing' }
  | { readonly kind: 'broken'; readonly problem: string };

export function readStateFile(path: string): StateRead {
  if (!existsSync(path)) return { kind: 'missing' };
  try {
    return readState(readFileSync(path, 'utf8'));
  } catch (error) {
    return { kind: 'broken', problem: messageOf(error) };
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
export function writeStateFile(layout: Layout, state: State, known?: string): string {
  // The file may have been broken since it was read; then it is not a backup.
  if (isSound(layout.state, known)) copyFileSync(layout.state, layout.stateBackup);
  const text = `${JSON.stringify(state, null, 2)}\n`;
  atomicWrite(layout.state, text, { beforeRename: () => fault('state:before-rename') });
  return text;
}

function isSound(path: string, known: string | undefined): boolean {
  try {
    const text = readFileSync(path, 'utf8');
    return text === known || readState(text).kind === 'ok';
  } catch {
    return false;
  }
}

function describeIssues(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
}
