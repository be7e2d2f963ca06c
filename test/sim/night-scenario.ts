import type { Scenario, Step } from '../../src/agents/demo/tui/scenario/step.ts';

const REFUSED: Step = { kind: 'fail', type: 'overloaded', message: 'Overloaded', resetsInMs: null, continues: false };

/** Each prompt is some work and one commit. While the service is overloaded, a turn fails after its first step. */
export function nightScenario(isOverloaded: () => boolean, countTurns: () => number): Scenario {
  let refusals: readonly Step[] = [];
  let turn = 0;
  // The agent asks at the beginning of a turn and when it continues one: the refusals before stay, so that it finds its place.
  const stepsNow = (): readonly Step[] => {
    const turns = countTurns();
    refusals = [...(turns > turn ? [] : refusals), ...(isOverloaded() ? [REFUSED] : [])];
    turn = turns;
    return [
      { kind: 'edit', path: 'notes.md', change: { how: 'append', text: '{{task}}\n' } },
      ...refusals,
      ...[1, 2, 3].map((): Step => ({ kind: 'take', ms: 10_000 })),
      { kind: 'commit', message: '{{task}}' },
    ];
  };
  const always = {
    when: /./,
    misbehave: [],
    get steps() {
      return stepsNow();
    },
  };
  return { trustDialog: false, misbehave: [], turns: [always] };
}
