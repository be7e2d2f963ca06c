import { commandLine } from '../../base/shell-quote.ts';
import type { Run } from '../model/run.ts';
import type { ChangeRefusal, PlanChange } from '../next/change/model.ts';
import { hasBegun } from '../next/change/plan-change.ts';

/** What a changed workflow would do to a run. The names are part of the contract of `--json`. */
export interface ChangeView {
  /** Stages of which other work is asked, also those that have not begun. */
  readonly changed: readonly string[];
  /** Stages, and stages of items, that have begun and begin again. */
  readonly again: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Stages with other times or reactions: these count from now on. */
  readonly settings: readonly string[];
  /** Roles with another agent, model or fallback, or another `when_unavailable`, from now on. */
  readonly roles: readonly string[];
  /** Items that stay as they are, because their work has landed. */
  readonly landed: readonly string[];
}

export function changeView({ steps }: Pick<Run, 'steps'>, change: PlanChange): ChangeView {
  const { changed, stages, lists, added, removed, settings, roles } = change;
  const ofItems = lists.flatMap(({ items }) => items.flatMap(({ again }) => again));
  return {
    again: [...stages.filter((stage) => hasBegun(steps[stage]) && !removed.includes(stage)), ...ofItems],
    changed,
    added,
    removed,
    settings,
    roles,
    landed: lists.flatMap(({ landed }) => landed),
  };
}

/** Why a run cannot go on with the file, and what to do. */
export function changeRefusalText({ id, plan }: Pick<Run, 'id' | 'plan'>, refusal: ChangeRefusal): string {
  switch (refusal.kind) {
    case 'other_workflow':
      return `the file is the workflow "${refusal.name}", and ${id} is a run of "${plan.name}"`;
    case 'input_gone':
      return `the input "${refusal.input}" is gone; a run keeps its inputs`;
    case 'input_changed':
      return `the input "${refusal.input}" has another type; a run keeps its inputs`;
    case 'input_missing':
      return `the input "${refusal.input}" is new and not optional; ${id} has no value for it`;
    case 'offered':
      return `the work of ${refusal.offered} waits for your review, and ${refusal.gone} is gone from the file; accept or reject the work first`;
    case 'landed':
      return refusal.landed === refusal.because
        ? `${refusal.landed} has landed, and it has changed or is gone`
        : `${refusal.landed} has landed, and ${refusal.because} before it has changed`;
  }
}

export function hintFor({ id }: Pick<Run, 'id'>, refusals: readonly ChangeRefusal[], file: string): string {
  if (refusals.some(({ kind }) => kind === 'offered')) return commandLine('llmc', 'show', id);
  const landed = refusals.find((each) => each.kind === 'landed');
  if (landed === undefined) return `Correct the file, or begin a new run: ${commandLine('llmc', 'run', file)}`;
  return `Leave ${landed.because} as it was, or continue ${id} as it is: ${commandLine('llmc', 'resume', id)}`;
}
