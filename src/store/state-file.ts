import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { LlmcError, messageOf } from '../base/error.ts';
import { fault } from '../base/fault.ts';
import { atomicWrite } from '../system/atomic-write.ts';
import type { Layout } from './layout.ts';
import { type State, stateSchema } from './state.ts';

export type StateRead =
  | { readonly kind: 'ok'; readonly state: State }
  | { readonly kind: 'missing' }
  | { readonly kind: 'broken'; readonly problem: string };

export function readStateFile(path: string): StateRead {
  if (!existsSync(path)) return { kind: 'missing' };
  try {
    const parsed = stateSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? { kind: 'ok', state: parsed.data } : { kind: 'broken', problem: describeIssues(parsed.error) };
  } catch (error) {
    return { kind: 'broken', problem: messageOf(error) };
  }
}

/** Keeps the previous valid state as the backup, then replaces the file. */
export function writeStateFile(layout: Layout, state: State): void {
  const checked = stateSchema.safeParse(state);
  if (!checked.success) throw new LlmcError('INTERNAL', `refused to write an invalid state: ${describeIssues(checked.error)}`);
  // Somebody may have broken the file since it was read: what it holds then is no backup.
  if (readStateFile(layout.state).kind === 'ok') copyFileSync(layout.state, layout.stateBackup);
  atomicWrite(layout.state, `${JSON.stringify(checked.data, null, 2)}\n`, { beforeRename: () => fault('state:before-rename') });
}

function describeIssues(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
}
