import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { workflowSettings } from '../../config/workflow-settings.ts';
import type { WorkContext } from '../../workers/context.ts';
import { isOfItem } from '../model/address.ts';
import type { Resumption } from '../model/event.ts';
import { isOver, type Run } from '../model/run.ts';
import { restartable } from '../next/interrupt/resume-choices.ts';
import { skipEffect } from '../next/interrupt/skip-effect.ts';
import { fromLast } from '../recover/recovery-text.ts';
import type { RunStore } from '../store/ports.ts';
import type { ChangeView } from './change-view.ts';
import type { WorkflowText } from './changed-workflow.ts';
import type { ControlResult } from './control-run.ts';
import { listParts, unknownPart } from './named-part.ts';
import { postEvent, type RunContext } from './post-event.ts';
import { collectRuns, requireLivingRun } from './require-run.ts';

/** How a paused run should go on; at most one of them. */
export interface ResumeRequest {
  readonly run: string;
  /** A stage, an item (`sections/s3`) or a stage of an item (`write/s3`) that runs again with everything after it. */
  readonly from?: string | undefined;
  /** The same under another name: it begins again. */
  readonly restart?: string | undefined;
  /** A stage that the run goes to, without what has not ended before it. */
  readonly skipTo?: string | undefined;
  /** A changed workflow that it goes on with. */
  readonly workflow?: WorkflowText | undefined;
}

export interface Resumed extends ControlResult {
  /** What runs again from its beginning, with what follows it. */
  readonly again: readonly string[];
  /** What is left out. */
  readonly skipped: readonly string[];
  /** Results that are used without their check. */
  readonly unverified: readonly string[];
  /** Stages below their `require`: the run asks before it goes on. */
  readonly asks: readonly string[];
  /** With a changed workflow: what it does to the run. */
  readonly change: ChangeView | null;
}

export type ResumeContext = RunContext & Pick<WorkContext, 'config'>;

/** Lets a paused run go on. One pause is resumed once. */
export async function resumeRun(context: ResumeContext, request: ResumeRequest): Promise<Resumed> {
  const runs = collectRuns(context);
  const run = await requirePaused(runs, request.run);
  const { id, version } = run;
  const { how, ...effect } = await planResume(run, request, {
    agents: async () => (await import('../library/library.ts')).listAgents(await context.config()),
    continueWithout: async () => workflowSettings(await context.config(), process.env).continueWithout,
  });
  const { isNew, taken } = await postEvent(context, id, `resume:${version}`, { kind: 'resume', how });
  if (!isNew) throw recordedAlready(id, context.supervised);
  if (taken && how.kind === 'changed' && (await runs.load(id))?.status === 'paused')
    throw new LlmcError('ILLEGAL_TRANSITION', `${id} stays paused: it changed after the workflow was checked`, {
      hint: `Try again: ${commandLine('llmc', 'show', id)}`,
    });
  return { run: id, taken, ...effect };
}

/** What a resumption would do. */
export async function previewResume(run: Run, request: ResumeRequest, known: Known): Promise<Resumed> {
  const { how: _how, ...effect } = await planResume(run, request, known);
  return { run: run.id, taken: false, ...effect };
}

interface Known {
  readonly agents: () => Promise<readonly string[] | undefined>;
  /** The roles that the configuration can do without. */
  readonly continueWithout: () => Promise<readonly string[]>;
}

interface ResumePlan extends Omit<Resumed, 'run' | 'taken'> {
  readonly how: Resumption;
}

async function planResume(run: Run, request: ResumeRequest, { agents, continueWithout }: Known): Promise<ResumePlan> {
  requireOne([request.from, request.restart, request.skipTo, request.workflow]);
  if (request.workflow !== undefined) {
    // Imported late: most resumptions read no YAML.
    const { changedWorkflow } = await import('./changed-workflow.ts');
    const { plan, change } = changedWorkflow(run, request.workflow, await agents());
    return { how: { kind: 'changed', plan }, again: [], ...ALL_STAYS, change };
  }
  const how = chooseResumption(run, request);
  return {
    how,
    again: how.kind === 'again' ? restartable(run, how.address) : [],
    ...(how.kind === 'skip_to' ? skipped(run, how.stage, await continueWithout()) : ALL_STAYS),
    change: null,
  };
}

const ALL_STAYS = { skipped: [], unverified: [], asks: [] } as const;

function skipped(run: Run, stage: string, continueWithout: readonly string[]): Pick<Resumed, keyof typeof ALL_STAYS> {
  const { left, ...rest } = skipEffect(run, stage, continueWithout);
  return { skipped: left, ...rest };
}

/** A run that is paused, or about to be. */
export async function requirePaused(runs: Pick<RunStore, 'load' | 'list'>, id: string): Promise<Run> {
  const run = await requireLivingRun(runs, id, ({ status, plan }) =>
    status === 'done' ? fromLast(id, plan) : commandLine('llmc', 'recover', id),
  );
  if (run.status === 'paused' || run.status === 'pausing') return run;
  throw new LlmcError('ILLEGAL_TRANSITION', `${id} is not paused: it goes on by itself`, { hint: commandLine('llmc', 'show', id) });
}

/** Another command has resumed the same pause. */
function recordedAlready(id: string, supervised: boolean): LlmcError {
  return supervised
    ? new LlmcError('ILLEGAL_TRANSITION', `another command resumes ${id} at this moment`, { hint: commandLine('llmc', 'show', id) })
    : new LlmcError('ILLEGAL_TRANSITION', `the resumption of ${id} is recorded already; it takes effect when the supervisor runs`, {
        hint: 'llmc up --detach',
      });
}

function requireOne(options: readonly unknown[]): void {
  if (options.filter((each) => each !== undefined).length > 1)
    throw new LlmcError('INVALID_ARGUMENT', 'expected one of --from, --restart, --skip-to and --workflow', { hint: 'llmc resume --help' });
}

function chooseResumption(run: Run, { from, restart, skipTo }: ResumeRequest): Resumption {
  if (skipTo !== undefined) return { kind: 'skip_to', stage: requireAhead(run, skipTo) };
  const address = from ?? restart;
  if (address === undefined) return { kind: 'go_on' };
  if (!listParts(run).includes(address)) throw unknown(run, address, from === undefined ? '--restart' : '--from');
  if (restartable(run, address).length > 0) return { kind: 'again', address };
  throw new LlmcError('INVALID_ARGUMENT', `${address} has not begun, so it cannot begin again`, {
    hint: commandLine('llmc', 'show', run.id),
  });
}

function requireAhead(run: Run, stage: string): string {
  if (!listParts(run).includes(stage)) throw unknown(run, stage, '--skip-to');
  if (isOfItem(stage))
    throw new LlmcError('INVALID_ARGUMENT', `${stage} is a part of a list, and a run skips to a stage of its file`, {
      hint: commandLine('llmc', 'show', run.id),
    });
  const step = run.steps[stage];
  if (step === undefined || !isOver(step)) return stage;
  throw new LlmcError('INVALID_ARGUMENT', `${stage} has ended, so the run cannot skip to it`, {
    hint: commandLine('llmc', 'resume', run.id, '--from', stage),
  });
}

function unknown(run: Run, name: string, option: string): LlmcError {
  const { message, hint } = unknownPart(run, name, ['resume', run.id, option]);
  return new LlmcError('INVALID_ARGUMENT', message, { hint });
}
