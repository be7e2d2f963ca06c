import { basename, extname } from 'node:path';
import { visibleText } from '../../base/visible-text.ts';
import { evaluate } from '../definition/condition.ts';
import { inItem } from '../model/address.ts';
import type { Result, Run, Step } from '../model/run.ts';
import { itemAround, type RunStage } from '../model/stage-at.ts';
import { countItems } from './items/counts.ts';

type Values = Readonly<Record<string, unknown>>;

/** What conditions can name: the inputs, and each stage with its results; for a stage of an item, also the item and its stages. */
export function collectValues(run: Run, address = ''): Values {
  return collectNames(run, address, conditionValues);
}

/** Where the reader of a prompt finds a file that a stage left. `path`: in the folder of the run. */
export type PlaceOfFile = (file: { readonly address: string; readonly name: string; readonly path: string }) => string;

const inWorktree: PlaceOfFile = ({ address, name }) => `${IN_FOLDER}/${address}/${name}`;

/** What a prompt can name. A file is named by where its reader finds it, so that its content cannot pose as a prompt. */
export function promptValues(run: Run, address = '', placeOf: PlaceOfFile = inWorktree): Values {
  const values = collectNames(run, address, ({ address: at, result }) => textValues(at, result, placeOf));
  return Object.hasOwn(values, 'item') ? { ...values, item: quotedItem(values['item']) } : values;
}

/** An item is what an agent or a stranger wrote: an outline, an issue of a tracker. A list is written as JSON, with each text on one line. */
function quotedItem(item: unknown): unknown {
  if (typeof item === 'string') return quotedAnswer(item);
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, quotedItem(value)]));
}

/** A condition reads the stages that are there; those of an item by their ids, without its key. */
function collectNames({ plan, steps, inputs }: Run, address: string, valuesIn: (step: Step) => Values): Values {
  const names: Record<string, unknown> = {};
  for (const stage of plan.stages) {
    const step = steps[stage.id];
    if (step === undefined) continue;
    names[stage.id] = stage.kind === 'for_each' ? { ...valuesIn(step), ...countItems({ plan, steps }, stage) } : valuesIn(step);
  }
  const around = itemAround({ plan }, address);
  for (const { id } of around?.within.stages ?? []) {
    const step = steps[inItem(id, around?.key ?? '')];
    if (step !== undefined) names[id] = valuesIn(step);
  }
  const item = around && { item: steps[inItem(around.within.id, around.key)]?.item?.value };
  return { ...names, ...item, inputs };
}

function conditionValues({ result, round, marks, state }: Step): Values {
  const files = Object.entries(result?.artifacts ?? {}).map(([name, { value }]) => [basename(name, extname(name)), value]);
  const { commit, answer, verdict } = result ?? {};
  return { ...Object.fromEntries(files), round, marks, commit, answer, verdict: verdict?.verdict, state: state.kind };
}

function textValues(address: string, result: Result | null, placeOf: PlaceOfFile): Values {
  const files = Object.entries(result?.artifacts ?? {}).map(([name, { path }]) => [
    basename(name, extname(name)),
    placeOf({ address, name, path }),
  ]);
  const { commit, answer } = result ?? {};
  return { ...Object.fromEntries(files), ...(commit != null && { commit }), ...(answer != null && { answer: quotedAnswer(answer) }) };
}

/** The lines of a longer answer are quoted, so that none of them can pose as a line of the prompt. */
function quotedAnswer(answer: string): string {
  // Whatever else an agent's input takes for the end of a line is made visible: a carriage return, U+2028.
  const text = visibleText(answer);
  return text.includes('\n') ? `\n${quoteLines(text)}\n` : text;
}

/** What an agent wrote, inside a prompt for another one. */
export function quoteLines(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

/** Where an agent finds the results of earlier stages, in its worktree. */
export const IN_FOLDER = '.llmc-task/in';
/** Where it leaves its own. */
export const OUT_FOLDER = '.llmc-task/out';
/** In both: messages to the agent, and those that it sends. */
export const MESSAGES_FOLDER = 'messages';
/** In the second one: how far the agent is. */
export const PROGRESS_FILE = 'progress.yaml';
/** In the first folder, for a reviewer of a commit. */
export const DIFF_FILE = 'review.diff';

/** Whether the conditions of a stage let it begin. */
export function meetsConditions(run: Run, { id, when, whenUnknown }: RunStage): boolean {
  const values = collectValues(run, id);
  const met = when === undefined ? true : evaluate(when, values);
  return met === 'unknown' ? whenUnknown !== undefined && evaluate(whenUnknown, values) === true : met;
}

/** A `for_each` may also name its numbers alone: `done`, `shared`. */
export function requirementHolds(run: Run, stage: RunStage): boolean {
  if (stage.require === undefined) return true;
  const counts = stage.kind === 'for_each' ? countItems(run, stage) : {};
  return evaluate(stage.require, { ...collectValues(run, stage.id), ...counts }) === true;
}
/** In the folder `in` of an agent that takes over from another one. */
export const HANDOFF_FILE = 'handoff.md';
