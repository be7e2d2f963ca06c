import { fault } from '../../base/fault.ts';
import { shortId } from '../../base/short-id.ts';
import type { Config } from '../../config/schema.ts';
import type { ConflictFacts } from '../../git/rebase/conflict-facts.ts';
import type { ResolutionStep } from '../../recovery/decide-resolution.ts';
import type { Database } from '../../store/database.ts';
import type { Worker } from '../../store/state.ts';
import { ackedDeliveries, updateDelivery } from '../../store/tables/deliveries.ts';
import { type Resolution, updateResolution } from '../../store/tables/resolutions.ts';
import type { WorkContext } from '../context.ts';
import { conflictHelpPrompt, conflictPrompt, stillUnmergedPrompt } from '../prompt/conflict-prompt.ts';
import type { Resolving } from '../prompt/conflict-words.ts';
import { prepareDelivery } from '../prompt/enqueue.ts';
import { continueRefusedPrompt, markersLeftPrompt } from '../prompt/resolution-prompts.ts';
import type { RuleResult } from './apply-conflict-rules.ts';

type Ask = Extract<ResolutionStep, { kind: 'ask' }>;

export interface Asking {
  readonly step: Ask;
  readonly facts: ConflictFacts | undefined;
  readonly rules: readonly RuleResult[];
}

/** Queues the prompt about a stop. The first one of a resolution begins an empty conversation, like a task. */
export function askAgent(context: WorkContext, config: Config, row: Resolution, asking: Asking): void {
  const { step, facts } = asking;
  const paths = facts?.files.map(({ path }) => path) ?? [];
  // A file that is staged without a marker is resolved: by a rule, by rerere or by the agent.
  const open = facts?.files.filter(({ state, markers }) => state === 'unmerged' || markers.length > 0).map(({ path }) => path) ?? [];
  const isHelp = step.reason === 'stuck';
  const now = context.clock.now();
  sendConflictPrompt(context, row, {
    text: choosePrompt(toResolving(config, row, context.store.worker(row.worker)), asking),
    why: step.why,
    // The help is about a turn that still runs.
    endsTurn: !isHelp,
    fields: {
      phase: 'asked',
      stop: step.stop,
      loops: step.loops,
      called: null,
      worktree_lost: 0,
      files: [...new Set([...row.files, ...paths])],
      ...(isHelp ? { help_ms: now } : { asked_ms: now, help_ms: null }),
    },
    worker: (worker) => Object.assign(worker, { conflicted_files: open.length > 0 ? open : paths, attention: null }),
  });
  fault('rebase:after-asked');
}

export interface ConflictMessage {
  readonly text: string;
  readonly why: string;
  readonly endsTurn: boolean;
  readonly fields: Partial<Resolution>;
  readonly worker?: (worker: Worker) => void;
}

/** Writes the prompt, the row and the worker in one transaction. */
export function sendConflictPrompt(context: WorkContext, row: Resolution, message: ConflictMessage): void {
  const { store, clock } = context;
  const attempts = row.attempts + 1;
  const delivery = prepareDelivery(context, {
    worker: row.worker,
    purpose: 'conflict',
    text: message.text,
    freshConversation: row.attempts === 0,
  });
  store.changeWorker(row.worker, {
    kind: 'rebase',
    summary: `${message.why}; prompt queued (${shortId(delivery.id)})`,
    change: (worker) => {
      worker.resolution_attempts = attempts;
      message.worker?.(worker);
    },
    rows: (database) => {
      if (message.endsTurn) endTurn(database, row.worker, clock.now());
      delivery.write(database);
      updateResolution(database, row.id, { ...message.fields, attempts });
    },
  });
}

export function endTurn(database: Database, worker: string, now: number): void {
  for (const { id } of ackedDeliveries(database, worker)) updateDelivery(database, id, { state: 'done', done_ms: now });
}

export function toResolving(config: Config, row: Resolution, { worktree_path: worktree, current_prompt: task }: Worker): Resolving {
  return { worktree, main: row.branch, task, checks: [...config.repo.format, ...config.repo.validate] };
}

function choosePrompt(resolving: Resolving, { step, facts: all = NO_FACTS, rules }: Asking): string {
  const facts = withoutLeft(all, rules);
  switch (step.reason) {
    case 'first':
    case 'next-commit':
      return conflictPrompt(resolving, facts, rules);
    case 'unresolved':
      return step.loops > 2 ? conflictHelpPrompt(resolving, facts) : stillUnmergedPrompt(resolving, facts);
    case 'markers':
      return markersLeftPrompt(resolving, facts);
    case 'unstaged':
      return continueRefusedPrompt(resolving, 'There are changes that are not staged (git status).');
    case 'stuck':
      return conflictHelpPrompt(resolving, facts);
  }
}

/** llmc itself resolves the files that wait for their command. */
function withoutLeft(facts: ConflictFacts, rules: readonly RuleResult[]): ConflictFacts {
  const left = new Set(rules.flatMap(({ kind, path }) => (kind === 'left' ? [path] : [])));
  return { ...facts, files: facts.files.filter(({ path }) => !left.has(path)) };
}

const NO_FACTS: ConflictFacts = { stop: undefined, files: [], leftOut: 0 };
