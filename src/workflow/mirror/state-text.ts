import { createHash } from 'node:crypto';
import { z } from 'zod';
import { jsonText, visibleLine } from '../../base/visible-text.ts';
import type { Plan } from '../definition/plan.ts';
import { splitAddress } from '../model/address.ts';
import { isOver, type Run, type Step } from '../model/run.ts';
import { listItems } from '../model/stage-at.ts';
import { countItems } from '../next/items/counts.ts';
import { RUN_STATUSES, runStateSchema, stepSchema } from '../store/run-schema.ts';

/** Changes when a reader of an older llmc could misunderstand the file. */
const FORMAT = 1;

const planSchema = z.custom<Plan>((value) => typeof value === 'object' && value !== null && 'stages' in value && 'roles' in value);
const basicSchema = z.object({ id: z.string(), plan: planSchema, inputs: z.record(z.string(), z.unknown()) });
const headSchema = z.object({ ...basicSchema.shape, files: runStateSchema.shape.files });
const wholeSchema = z.object({ ...basicSchema.shape, status: z.enum(RUN_STATUSES), version: z.int(), state: runStateSchema });

const listSchema = z.object({
  forEach: z.string(),
  items: z.array(z.object({ key: z.string(), value: z.unknown(), after: z.array(z.string()), recoveries: z.int() })),
});

/** What a rebuild needs of a run when its state is lost. */
export type RunHead = z.output<typeof headSchema>;

/** `state.yaml`: a summary for people, then everything that a rebuild needs, on one line of JSON, which is YAML too. */
export function stateText(run: Run, at: number): string {
  const { id, plan, inputs, status, version, ...state } = run;
  const current = Object.values(run.steps).filter(
    (step) => !isOver(step) && step.state.kind !== 'waiting' && splitAddress(step.address).key === null,
  );
  return documentText(
    [
      `workflow_id: ${yaml(id)}`,
      `workflow: ${yaml(plan.name)}`,
      `status: ${status}`,
      `version: ${version}`,
      `written: ${new Date(at).toISOString()}`,
      `stage_current: [${current.map(({ address }) => yaml(address)).join(', ')}]`,
      'stages:',
      ...plan.stages.map((stage) => {
        const counts = stage.kind === 'for_each' ? countItems(run, stage) : undefined;
        const items = counts === undefined ? '' : `, ${counts.done} of ${counts.total} items`;
        const { state, marks } = run.steps[stage.id] ?? { state: { kind: 'waiting' }, marks: [] };
        return `  ${yaml(stage.id)}: ${yaml([`${state.kind}${items}`, ...marks].join(', '))}`;
      }),
    ],
    { id, plan, inputs, status, version, state },
  );
}

/** `workflow.yaml`: the plan of the run, its inputs, which never change, and the files that they came from. */
export function headText({ id, plan, inputs, files }: Run): string {
  return documentText([`workflow_id: ${yaml(id)}`, `workflow: ${yaml(plan.name)}`, `digest: ${plan.digest}`], { id, plan, inputs, files });
}

/** `stage_<id>_complete.yaml`: a stage that has ended, with its result. */
export function markerText(step: Step, at: number): string {
  const { address, state, marks, result } = step;
  return documentText(
    [
      `stage: ${yaml(address)}`,
      `state: ${state.kind}`,
      `completed: ${new Date(at).toISOString()}`,
      `marks: [${marks.map(yaml).join(', ')}]`,
      `artifacts: [${Object.values(result?.artifacts ?? {})
        .map(({ path }) => yaml(path))
        .join(', ')}]`,
    ],
    step,
  );
}

/** `stage_<id>_items.yaml`: the items of a `for_each`. */
export function itemsText(run: Pick<Run, 'steps'>, forEach: string): string {
  const items = listItems(run, forEach).flatMap((address) => run.steps[address]?.item ?? []);
  return documentText([`stage: ${yaml(forEach)}`, `items: [${items.map(({ key }) => yaml(key)).join(', ')}]`], { forEach, items });
}

export function readList(text: string): z.output<typeof listSchema> | undefined {
  return listSchema.safeParse(dataIn(text)).data;
}

/** The run of a `state.yaml`; undefined if a part is missing, changed or not understood. */
export function readState(text: string): Run | undefined {
  const read = wholeSchema.safeParse(dataIn(text));
  if (!read.success) return undefined;
  const { state, ...rest } = read.data;
  return { ...state, ...rest };
}

/** Whether a text is what was written. Cheaper than to read it: with hundreds of items, the schema takes most of the time. */
export function isSound(text: string): boolean {
  return dataIn(text) !== undefined;
}

export function readHead(text: string): RunHead | undefined {
  return headSchema.safeParse(dataIn(text)).data;
}

export function readMarker(text: string): Step | undefined {
  return stepSchema.safeParse(dataIn(text)).data;
}

const NOTICE = '# Written by llmc, for people and to rebuild the run. Changes here have no effect.';

/** A file for people, with the data that llmc reads back on one line of JSON, which is YAML too. */
export function documentText(summary: readonly string[], data: unknown): string {
  const json = JSON.stringify(data);
  return [NOTICE, `format: ${FORMAT}`, ...summary, `sha256: ${hashJson(json)}`, `data: ${json}`, ''].join('\n');
}

/** Undefined unless the data is what was written. */
export function dataIn(text: string): unknown {
  // Not with dots: agents may write U+2028, which JSON leaves as it is and which ends a line for a dot.
  const [, format, hash, json] = /^(?:#[^\n]*\n)?format: (\d+)\n(?:[^\n]*\n)*?sha256: ([0-9a-f]{64})\ndata: ([^\n]*)\n$/.exec(text) ?? [];
  if (json === undefined || Number(format) !== FORMAT || hashJson(json) !== hash) return undefined;
  return JSON.parse(json);
}

function hashJson(json: string): string {
  return createHash('sha256').update(json).digest('hex');
}

/** A text of YAML in quotes, so that nothing in it is read as something else. */
export function yaml(text: string): string {
  return jsonText(visibleLine(text));
}
