import { parse } from 'yaml';
import { jsonText, visibleText } from '../../base/visible-text.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import type { Run } from '../model/run.ts';
import type { HistoryLine, LoggedError } from '../store/ports.ts';
import { type ErrorEntry, errorEntries } from '../view/error-entry.ts';

export interface LogFacts {
  readonly errors: readonly LoggedError[];
  readonly history: readonly HistoryLine[];
}

/**
 * `log.yaml` of a run that has ended: every failure and every decision. The last line has the version of the run, so that a file that
 * is older than its run, or not whole, is recognised.
 */
export function logText(run: Run, { errors, history }: LogFacts, at: number): string {
  const { id, plan, status, level, clock, error } = run;
  const entries = errorEntries(run, error === null ? errors : withLast(errors, error));
  return [
    '# Written by llmc when the run ended.',
    `workflow_id: ${quoted(id)}`,
    `workflow: ${quoted(plan.name)}`,
    `status: ${status}`,
    `degradation_level: ${level}`,
    `started: ${time(clock.startedMs)}`,
    `ended: ${time(clock.endedMs ?? at)}`,
    `written: ${time(at)}`,
    ...list('error_log', entries.map(entryLines)),
    ...list(
      'history',
      history.map(({ at: when, step, text }) => [`{ at: ${time(when)}, stage: ${quoted(step)}, text: ${quoted(text)} }`]),
    ),
    versionLine(run),
    '',
  ].join('\n');
}

export function versionLine({ version }: Pick<Run, 'version'>): string {
  return `version: ${version}`;
}

/** Whether a reader gets back what was written. */
export function isSoundLog(text: string, { id, version }: Pick<Run, 'id' | 'version'>): boolean {
  const read: unknown = parse(text, { maxAliasCount: 0 });
  if (typeof read !== 'object' || read === null || !('workflow_id' in read) || !('version' in read)) return false;
  return read.workflow_id === id && read.version === version;
}

/** An abort and a timeout of the whole run are about no stage, so only the run itself has them. */
function withLast(errors: readonly LoggedError[], last: ErrorRecord): readonly LoggedError[] {
  return errors.some(({ id }) => id === last.id) ? errors : [...errors, { ...last, outcome: 'failed' }];
}

function entryLines({ timestamp, severity, context, resolution, ...entry }: ErrorEntry): readonly string[] {
  const { agent, role, item, attempt } = context;
  return [
    `timestamp: ${timestamp}`,
    `workflow_id: ${quoted(entry.workflow_id)}`,
    `stage: ${quoted(entry.stage)}`,
    `error_type: ${entry.error_type}`,
    `severity: ${severity}`,
    `message: ${quoted(entry.message)}`,
    `context: { agent: ${quoted(agent)}, role: ${quoted(role)}, item: ${quoted(item)}, attempt: ${attempt} }`,
    `resolution: { action_taken: ${quoted(resolution.action_taken)}, successful: ${resolution.successful} }`,
  ];
}

function list(key: string, entries: readonly (readonly string[])[]): readonly string[] {
  if (entries.length === 0) return [`${key}: []`];
  return [`${key}:`, ...entries.flatMap((lines) => lines.map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`))];
}

function time(at: number): string {
  return new Date(at).toISOString();
}

/** Agents write the texts of questions, remarks and messages: nothing in them is read as YAML, or executed by a terminal. */
function quoted(text: string | null): string {
  return text === null ? 'null' : jsonText(visibleText(text));
}
