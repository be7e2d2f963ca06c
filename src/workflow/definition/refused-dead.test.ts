import { expect, test } from 'vitest';
import { flow, problems, type Refused } from './refused.fixture.ts';

const REVIEW = '{ id: r, review: one, by: checker }';
const items = (forEach: string, inner = REVIEW) =>
  flow(`  - id: all\n    for_each: { of: inputs.angles }\n    ${forEach}\n    stages: [{ id: one, role: lead, prompt: x }, ${inner}]\n`);

test.each<Refused>([
  [
    'a disagreement beside a limit',
    flow('  - { id: r, review: build, by: checker, on_failure: { limit: ask, disagreement: skip } }\n'),
    ['7:68 stages[2].on_failure.disagreement: limit says what follows the last round, so disagreement never comes; remove one of them'],
  ],
  [
    'a disagreement below a limit',
    items('on_failure: { limit: ask }', REVIEW.replace(' }', ', on_failure: { disagreement: skip } }')),
    [
      '10:99 stages[2].stages[1].on_failure.disagreement: limit of the stage "all" says what follows the last round, so disagreement never comes; remove one of them',
    ],
  ],
  ['a disagreement alone', flow('  - { id: r, review: build, by: checker, on_failure: { disagreement: skip } }\n'), []],
  [
    'rounds of a stage without a review',
    flow('  - { id: x, role: lead, prompt: x, on_failure: { limit: skip, disagreement: skip } }\n'),
    [
      '7:51 stages[2].on_failure.limit: only a review has rounds; expected in the stage of the review',
      '7:64 stages[2].on_failure.disagreement: only a review has rounds; expected in the stage of the review',
    ],
  ],
  ['rounds of a for_each with a review', items('on_failure: { limit: skip }'), []],
  [
    'rounds of a for_each without a review',
    items('on_failure: { limit: skip }', '{ id: two, role: lead, prompt: x }'),
    ['9:19 stages[2].on_failure.limit: only a review has rounds; expected in the stage of the review'],
  ],
  [
    'a contradiction that nobody can find',
    flow('  - { id: x, role: lead, prompt: x, on_failure: { inconsistent: retry } }\n  - { id: y, review: x, by: [make] }\n'),
    [
      '7:51 stages[2].on_failure.inconsistent: only a review by a role gives this verdict; expected in such a stage, or in the one that it reviews',
    ],
  ],
  [
    'a contradiction that a review finds',
    flow('  - { id: x, role: lead, prompt: x, on_failure: { inconsistent: retry } }\n  - { id: y, review: x, by: checker }\n'),
    [],
  ],
  [
    'results of shell lines',
    flow('  - { id: x, command: make, on_failure: { invalid_output: retry, conflict: retry } }\n'),
    [
      '7:43 stages[2].on_failure.invalid_output: no agent works here that could leave a result; expected in a stage with a role',
      '7:66 stages[2].on_failure.conflict: only a landing can conflict; expected in a stage with land',
    ],
  ],
  [
    'a time for a landing, and a requirement of it',
    flow('  - { id: l, land: build, timeout: 1h, require: { build.round: { max: 2 } }, on_failure: { timeout: skip } }\n'),
    [
      '7:27 stages[2].timeout: a landing has no timeout: it waits for its review, and for main',
      '7:40 stages[2].require: the work has landed by then; expected in the stage that makes it',
      '7:92 stages[2].on_failure.timeout: a landing has no timeout: it waits for its review, and for main',
    ],
  ],
  [
    'a time and a breaker for a person',
    flow('  - { id: p, review: build, by: person, timeout: 1h, circuit_breaker: {}, on_failure: { crash: retry, timeout: skip } }\n'),
    [
      '7:41 stages[2].timeout: the review of a person has no timeout: the run waits for the answer',
      '7:54 stages[2].circuit_breaker: the review of a person does not fail, so its breaker would never open',
      '7:89 stages[2].on_failure.crash: no agent works here that could crash',
      '7:103 stages[2].on_failure.timeout: the review of a person has no timeout: the run waits for the answer',
    ],
  ],
  [
    'a prompt for shell lines',
    flow('  - { id: p, review: build, by: [make], prompt: Look at it. }\n'),
    ['7:41 stages[2].prompt: shell lines read no prompt; remove it, or name a role in by'],
  ],
])('options that have no effect where they stand: %s', (_, text, expected) => {
  expect(problems(text)).toEqual(expected);
});

test('all problems of a stage, a role and an input are reported at once: their shape and what they name', () => {
  const text = flow('  - { id: x, role: laed, timeuot: 1h, prompt: "see {{plna}}", on_failure: { timeout: { ask: [extnd] } } }\n')
    .replace('lead: {}', 'lead: { fallbak: codex, agent: cluade }')
    .replace('{ type: text }', '{ type: txt, one_of: [a] }')
    .replace('name: flow', 'name: flwo\ndescripton: x');
  expect(problems(text).map((line) => line.replace(/; .*/, ''))).toEqual([
    '1:7 name: found the string "flwo", expected "flow", because the file has this name',
    '2:1 unknown key "descripton" at the top level',
    '3:25 inputs.task.type: found the string "txt", expected one of "text", "file", "items", "flag", "list"',
    '4:18 unknown key "fallbak" in roles.lead',
    '4:41 roles.lead.agent: there is no agent "cluade"',
    '8:20 stages[2].role: there is no role "laed"',
    '8:26 unknown key "timeuot" in stages[2]',
    '8:52 stages[2].prompt: {{plna}}: there is no input or stage "plna"',
    '8:94 stages[2].on_failure.timeout.ask[0]: "extnd" is not an option of this question',
  ]);
});

test('what only follows from a broken part of a stage is not reported', () => {
  expect(
    problems(
      flow(
        '  - { id: x, role: lead, prompt: x, outptu: out.md, wehn: { inputs.fast: { is: true } }, when_unknown: { inputs.fast: { is: true } }, require: { x.out: { min: 1 } } }\n',
        '  - { id: y, role: lead, prompt: "{{x.out}}" }\n',
      ),
    ),
  ).toEqual([
    '7:37 unknown key "outptu" in stages[2]; did you mean "output"?',
    '7:53 unknown key "wehn" in stages[2]; did you mean "when"?',
  ]);
});
