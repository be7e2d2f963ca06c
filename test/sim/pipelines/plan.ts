import type { Plan } from '../../../src/workflow/definition/plan.ts';
import { readWorkflow } from '../../../src/workflow/definition/read-workflow.ts';
import type { Run } from '../../../src/workflow/model/run.ts';
import { Dice } from './dice.ts';

/** A random pipeline with its inputs. */
export interface Pipeline {
  readonly plan: Plan;
  readonly inputs: Run['inputs'];
  /** The list that the agent of the outline leaves. */
  readonly sections: readonly unknown[];
}

type Draft = Readonly<Record<string, unknown>>;

const EACH = ['stage', 'stage', 'item'] as const;
const ASKED = ['extend', 'skip', 'abort'] as const;

/** What a random stage may name. */
interface Scope {
  readonly dice: Dice;
  /** Every role has a fallback, so that each may be replaced. */
  readonly fallbacks: boolean;
}

/** Two shapes: a review of the literature and an epic of stories, with every part that a workflow file can have, at random. */
export function randomPipeline(random: () => number): Pipeline {
  const dice = new Dice(random);
  const scope = { dice, fallbacks: dice.happens(0.5) };
  const draft = dice.happens(0.5) ? literature(scope) : stories(scope);
  const reading = readWorkflow(JSON.stringify(draft));
  if (reading.kind === 'invalid') throw new Error(reading.problems.map(({ message }) => message).join('\n'));
  const list = items(dice);
  const agents = { default: { primary: 'claude', fallback: 'codex' }, stories: { b: { primary: 'codex', fallback: false } } };
  return {
    plan: reading.plan,
    inputs: { angles: ['x', 'y', 'z'].slice(0, dice.from(1, dice.happens(0.2) ? 3 : 2)), list, agents },
    sections: list,
  };
}

export const ITEM_KEYS = ['a', 'b', 'c', 'd', 'e'];

/** None to five items, mostly one or two: more of them cost more time than they find. Later ones may wait for earlier ones. */
function items(dice: Dice): readonly unknown[] {
  const keys = ITEM_KEYS.slice(0, dice.happens(0.1) ? 0 : dice.from(1, dice.happens(0.2) ? 5 : 2));
  return keys.map((id, index) => ({ id, ...(index > 0 && dice.happens(0.3) && { after: keys.slice(0, index).slice(-dice.from(1, 2)) }) }));
}

function roles({ dice, fallbacks }: Scope): Draft {
  const role = (): Draft => ({
    when_unavailable: dice.oneOf(['ask', 'skip', 'stop', 'ask']),
    ...(fallbacks && { fallback: 'codex' }),
  });
  return Object.fromEntries(['lead', 'searcher', 'writer', 'validator', 'advocate'].map((name) => [name, role()]));
}

function breaker({ dice }: Scope, chance: number, scopes: typeof EACH | readonly ['stage'] = ['stage']): Draft {
  if (!dice.happens(chance)) return {};
  const when_open = dice.oneOf(['partial', 'skip', 'ask', 'ask', 'abort']);
  return {
    circuit_breaker: {
      scope: dice.oneOf(scopes),
      failures: dice.from(1, 3),
      retry_after: '15m',
      when_open,
      ...(when_open === 'ask' && dice.happens(0.5) && { default: dice.oneOf(['extend', 'skip']), after: '5m' }),
    },
  };
}

/** A reaction to one trigger: one strategy or a list. */
function reaction(dice: Dice, back: readonly string[], mayReplace: boolean): unknown {
  const one = (): unknown =>
    dice.oneOf<unknown>([
      ...(['retry', 'restart', 'skip', 'ask'] as const),
      ...(mayReplace ? (['substitute'] as const) : []),
      ...(dice.happens(0.2) ? (['abort'] as const) : []),
      { skip: 'uncertain', ...(dice.happens(0.3) && { notify: true }) },
      ...back.map((to) => ({ rollback: to })),
    ]);
  return dice.happens(0.5) ? one() : Array.from({ length: dice.from(1, 3) }, one);
}

/** `back`: the stages that it may go back to. */
function onFailure({ dice, fallbacks }: Scope, triggers: readonly string[], back: readonly string[] = []): Draft {
  const chosen = triggers.filter(() => dice.happens(0.5));
  const mayReplace = fallbacks && triggers.includes('crash');
  return chosen.length === 0
    ? {}
    : { on_failure: Object.fromEntries(chosen.map((trigger) => [trigger, reaction(dice, back, mayReplace)])) };
}

/** Work that the later stages can do without. */
function optional({ dice }: Scope): Draft {
  return dice.happens(0.3) ? { optional: true } : {};
}

function timeout({ dice }: Scope, chance: number): Draft {
  return dice.happens(chance) ? { timeout: dice.oneOf(['20m', '1h']) } : {};
}

const WORK = ['timeout', 'crash', 'invalid_output', 'network', 'unmet'] as const;
const JUDGE = ['timeout', 'crash', 'limit', 'inconsistent', 'cannot_judge', 'network'] as const;

/** What can come in a review: a file that names anything else is refused. */
function triggersOf(by: string | readonly string[]): readonly string[] {
  if (by === 'person') return ['limit'];
  return typeof by === 'string' ? JUDGE : JUDGE.filter((trigger) => trigger !== 'inconsistent' && trigger !== 'cannot_judge');
}

type Approval = (of: string, back: readonly string[]) => readonly Draft[];

function literature(scope: Scope): Draft {
  const { dice } = scope;
  const approval: Approval = (of, back) =>
    dice.happens(0.5) ? [{ id: `${of}-approval`, review: of, by: 'person', max_rounds: 2, ...onFailure(scope, ['limit'], back) }] : [];
  return {
    name: 'literature',
    inputs: { angles: { type: 'list' } },
    roles: roles(scope),
    ...(dice.happens(0.3) && { timeout: '12h' }),
    stages: [
      { id: '1', role: 'lead', prompt: 'p', output: 'scope.yaml', ...optional(scope), ...onFailure(scope, WORK), ...breaker(scope, 0.2) },
      ...approval('1', ['1']),
      search(scope),
      { id: '3', role: 'lead', prompt: 'p', output: 'outline.yaml', ...onFailure(scope, WORK, ['2']) },
      ...approval('3', ['2', '3']),
      sections(scope),
      ...(dice.happens(0.5) ? ending(scope, approval) : []),
    ],
  };
}

/** Half of the pipelines end with their sections: a run costs less then, and nothing is in motion beside them. */
function ending(scope: Scope, approval: Approval): readonly Draft[] {
  const { dice } = scope;
  return [
    { id: '7', role: 'lead', prompt: 'p', output: 'draft.md', ...onFailure(scope, WORK, ['sections']), ...breaker(scope, 0.2) },
    { id: '7.5', review: '7', by: 'advocate', max_rounds: 2, ...timeout(scope, 0.5), ...onFailure(scope, JUDGE, ['sections', '7']) },
    ...approval('7', ['sections']),
    ...(dice.happens(0.5) ? [{ id: '8', command: 'make', ...onFailure(scope, ['unmet', 'timeout'], ['7']) }] : []),
  ];
}

function search(scope: Scope): Draft {
  const { dice } = scope;
  return {
    id: '2',
    for_each: { of: 'inputs.angles', max_parallel: dice.from(1, 3), agree_on: 'reviews[].doi' },
    ...(dice.happens(0.6) && { require: { shared: { min: 1 } } }),
    ...timeout(scope, 0.5),
    ...breaker(scope, 0.4),
    ...onFailure(scope, ['unmet', 'timeout'], ['2', '1']),
    stages: [
      {
        id: 'search',
        role: 'searcher',
        prompt: 'p',
        output: 'reviews.yaml',
        ...optional(scope),
        ...onFailure(scope, WORK),
        ...breaker(scope, 0.3, EACH),
      },
    ],
  };
}

function sections(scope: Scope): Draft {
  const { dice } = scope;
  const disagreement = {
    on_failure: { disagreement: { after: 2, ask: ['uncertain', ...ASKED] }, crash: ['retry', { skip: 'uncertain' }] },
  };
  return {
    id: 'sections',
    for_each: { of: '3.outline.sections', key: 'id', after: 'after', max_parallel: dice.from(1, 3) },
    ...(dice.happens(0.6) && { require: { done: { min: 1 } } }),
    ...timeout(scope, 0.2),
    ...onFailure(scope, ['unmet', 'timeout', 'crash'], ['3']),
    stages: [
      {
        id: '5',
        role: 'writer',
        prompt: 'p',
        output: 'section.md',
        ...optional(scope),
        ...onFailure(scope, WORK),
        ...breaker(scope, 0.5, EACH),
      },
      {
        id: '6a',
        review: '5',
        by: 'validator',
        max_rounds: dice.from(1, 3),
        ...onFailure(scope, JUDGE, ['5']),
        ...breaker(scope, 0.3, EACH),
      },
      {
        id: '6c',
        review: '5',
        by: 'advocate',
        max_rounds: 2,
        ...timeout(scope, 0.7),
        ...breaker(scope, 0.6, EACH),
        ...(dice.happens(0.5) ? disagreement : onFailure(scope, JUDGE, ['5'])),
      },
    ],
  };
}

function stories(scope: Scope): Draft {
  const { dice } = scope;
  const by = dice.oneOf(['validator', 'person', ['npm test']]);
  // A recovery from a checkpoint before the list finds landings in it.
  const brief = dice.happens(0.4) ? [{ id: 'brief', role: 'lead', prompt: 'p', output: 'brief.md', ...onFailure(scope, WORK) }] : [];
  return {
    name: 'stories',
    inputs: { list: { type: 'items' }, agents: { type: 'file', optional: true } },
    roles: roles(scope),
    stages: [
      ...brief,
      {
        id: 'stories',
        for_each: {
          of: 'inputs.list',
          key: 'id',
          after: 'after',
          max_parallel: dice.from(1, 3),
          ...(dice.happens(0.4) && { agents: 'inputs.agents' }),
        },
        ...(dice.happens(0.5) && { require: { done: { min: 1 } } }),
        ...timeout(scope, 0.2),
        ...onFailure(scope, ['unmet', 'timeout', 'crash']),
        stages: [
          { id: 'create', role: 'lead', prompt: 'p', output: 'story.md', ...optional(scope), ...onFailure(scope, WORK) },
          {
            id: 'develop',
            role: 'writer',
            prompt: 'p',
            ...onFailure(scope, WORK, ['create']),
            ...breaker(scope, 0.4, EACH),
            ...timeout(scope, 0.3),
          },
          {
            id: 'review',
            review: 'develop',
            by,
            max_rounds: dice.from(1, 3),
            ...onFailure(scope, triggersOf(by), ['develop']),
            ...(by !== 'person' && breaker(scope, 0.4, EACH)),
          },
          {
            id: 'land',
            land: 'develop',
            by: dice.oneOf(['person', 'run']),
            ...onFailure(scope, ['conflict', 'network'], ['develop', 'create']),
          },
        ],
      },
      {
        id: 'check',
        command: 'make',
        ...onFailure(scope, ['unmet', 'timeout'], ['stories', ...brief.map(({ id }) => id)]),
        ...breaker(scope, 0.2),
      },
      ...(dice.happens(0.3)
        ? [{ id: 'summary', role: 'lead', prompt: 'p', output: 'summary.md', ...onFailure(scope, WORK, ['check', 'stories']) }]
        : []),
    ],
  };
}
