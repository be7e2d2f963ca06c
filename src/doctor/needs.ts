import { describeError } from '../base/error.ts';
import { visibleText } from '../base/visible-text.ts';
import type { Config } from '../config/schema.ts';
import { makeLayout } from '../store/layout.ts';
import { inOwnPlaces, type Worker } from '../store/state.ts';
import { type DoctorContext, type Finding, warning } from './check.ts';

/** For checks that need the configuration in force. Only the config check reports a broken config.toml. */
export async function withConfig(context: DoctorContext, check: (config: Config) => Promise<Finding>): Promise<Finding> {
  let config: Config;
  try {
    config = await context.config();
  } catch {
    return warning('not checked: there is no usable configuration');
  }
  return check(config);
}

/** For checks that need the registry of workers. */
export async function withWorkers(context: DoctorContext, check: (workers: readonly Worker[]) => Promise<Finding>): Promise<Finding> {
  const read = context.readState();
  if (read.kind !== 'ok') return warning('not checked: there is no usable state file');
  return check(Object.values(inOwnPlaces(read.state, makeLayout(context.root).worktree).workers));
}

export type ToolVersion =
  | { readonly kind: 'version'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'no-answer'; readonly reason: string };

/** Runs a program for its version, with empty input and a short timeout, so that it cannot start to work. */
export async function readVersion(
  context: Pick<DoctorContext, 'processes'>,
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): Promise<ToolVersion> {
  const [file, ...args] = argv;
  try {
    const { outcome, stdout } = await context.processes.run({ file, args, env, stdin: '' }, { timeoutMs: 5_000 });
    if (outcome.kind === 'not-started') return outcome.missing ? { kind: 'missing' } : { kind: 'no-answer', reason: 'cannot be started' };
    if (outcome.kind !== 'exited')
      return { kind: 'no-answer', reason: outcome.kind === 'timeout' ? 'did not answer within 5 s' : 'was stopped' };
    if (outcome.status !== 0) return { kind: 'no-answer', reason: `ended with status ${outcome.status}` };
    return { kind: 'version', text: visibleText(stdout.trim().split('\n')[0] ?? '').slice(0, 80) };
  } catch (error) {
    return { kind: 'no-answer', reason: describeError(error) };
  }
}
