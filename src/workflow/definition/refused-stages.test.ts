import { expect, test } from 'vitest';
import { BUILD, flow, HEAD, PLAN, problems, type Refused } from './refused.fixture.ts';

test.each<Refused>([
  ['a word as a stage', flow('  - land\n'), ['7:5 stages[2]: found the string "land", expected a mapping']],
  [
    'a stage of no kind',
    flow('  - { id: x, prompt: hello }\n'),
    ['7:5 stages[2]: found none of role, review, for_each, command, land, expected exactly one'],
  ],
  [
    'a stage whose kind is misspelt',
    flow('  - { id: x, roel: lead, prompt: hello }\n'),
    ['7:14 unknown key "roel" in stages[2]; did you mean "role"?'],
  ],
  [
    'a stage of two kinds',
    flow('  - { id: x, role: lead, review: build, prompt: hello }\n'),
    ['7:26 found "review" besides "role", expected only one of role, review, for_each, command, land in a stage'],
  ],
  [
    'a stage without an id',
    flow('  - { land: build }\n'),
    ['7:5 stages[2].id is missing; expected the id of a stage: up to 32 of a-z, 0-9, ".", "_" and "-"'],
  ],
  [
    'a number as an id',
    flow('  - { id: 7, land: build }\n'),
    ['7:11 stages[2].id: found the number 7, expected the id of a stage: up to 32 of a-z, 0-9, ".", "_" and "-"; write it in quotes'],
  ],
  [
    'an id with a space',
    flow('  - { id: "a b", land: build }\n'),
    ['7:11 stages[2].id: found the string "a b", expected the id of a stage: up to 32 of a-z, 0-9, ".", "_" and "-"'],
  ],
  [
    'an id that paths use',
    flow('  - { id: item, land: build }\n'),
    ['7:11 the id "item" cannot be used: llmc has this name for something else'],
  ],
  ...['messages', 'review.diff', 'handoff.md', 'Messages'].map((id): [string, string, string[]] => [
    `the id ${id}, which the files of an agent use`,
    flow(`  - { id: ${id}, land: build }\n`),
    [`7:11 the id "${id}" cannot be used: llmc keeps something else under this name where agents find the results of stages`],
  ]),
  [
    'an id that cannot be in the name of a ref',
    flow('  - { id: a..b, land: build }\n'),
    ['7:11 stages[2].id: found the string "a..b", expected the id of a stage: up to 32 of a-z, 0-9, ".", "_" and "-"'],
  ],
  [
    'an id with the ending of a lock',
    flow('  - { id: x.lock, land: build }\n'),
    ['7:11 stages[2].id: found the string "x.lock", expected the id of a stage: up to 32 of a-z, 0-9, ".", "_" and "-"'],
  ],
  ['an id twice', flow('  - { id: build, land: build }\n'), ['7:11 there is another stage with the id "build"; expected an id of its own']],
  [
    'an id twice, once inside a for_each',
    flow('  - id: all\n    for_each: { of: inputs.angles }\n    stages:\n      - { id: build, role: lead, prompt: x }\n'),
    ['10:15 there is another stage with the id "build"; expected an id of its own'],
  ],
  [
    'a key of another kind of stage',
    flow('  - { id: land, land: build, max_rounds: 2 }\n'),
    ['7:30 unknown key "max_rounds" in stages[2]; it belongs in a stage with review'],
  ],
  [
    'a key of a stage that nobody knows',
    flow('  - { id: land, land: build, colour: red }\n'),
    [
      '7:30 unknown key "colour" in stages[2]; expected one of id, needs, when, when_unknown, when_not, require, timeout, circuit_breaker, on_failure, land, by',
    ],
  ],
  [
    'a misspelt key of a stage',
    flow('  - { id: land, land: build, timout: 3h }\n'),
    ['7:30 unknown key "timout" in stages[2]; did you mean "timeout"?'],
  ],
  ['a missing prompt', flow('  - { id: x, role: lead }\n'), ['7:5 stages[2].prompt is missing; expected a string that is not empty']],
  [
    'an empty prompt',
    flow('  - { id: x, role: lead, prompt: "" }\n'),
    ['7:34 stages[2].prompt: found the string "", expected a string that is not empty'],
  ],
  [
    'a misspelt role',
    flow('  - { id: x, role: laed, prompt: x }\n'),
    ['7:20 stages[2].role: there is no role "laed"; did you mean "lead"?'],
  ],
  [
    'a role that does not exist',
    flow('  - { id: x, role: painter, prompt: x }\n'),
    ['7:20 stages[2].role: there is no role "painter"; expected one of lead, builder, checker'],
  ],
  [
    'a role without any roles',
    'name: flow\nstages:\n  - { id: x, role: lead, prompt: x }\n',
    ['3:20 stages[0].role: there is no role "lead"; declare it under roles'],
  ],
  [
    'a misspelt reviewer',
    flow('  - { id: r, review: build, by: cheker }\n'),
    ['7:33 stages[2].by: there is no role "cheker"; did you mean "checker"?'],
  ],
  [
    'a misspelt person',
    flow('  - { id: r, review: build, by: persn }\n'),
    ['7:33 stages[2].by: there is no role "persn"; did you mean "person"?'],
  ],
  [
    'a shell line as the reviewer, without a list',
    flow('  - { id: r, review: build, by: npm test }\n'),
    ['7:33 stages[2].by: found the string "npm test", expected a role, person, or a list of shell lines'],
  ],
  [
    'a review by nobody',
    flow('  - { id: r, review: build }\n'),
    ['7:5 stages[2].by is missing; expected a role, person, or a list of shell lines'],
  ],
  [
    'no rounds',
    flow('  - { id: r, review: build, by: checker, max_rounds: 0 }\n'),
    ['7:54 stages[2].max_rounds: found the number 0, expected an integer from 1 to 20'],
  ],
  [
    'a review of a misspelt stage',
    flow('  - { id: r, review: biuld, by: checker }\n'),
    ['7:22 stages[2].review: there is no stage "biuld"; did you mean "build"?'],
  ],
  [
    'a review of a later stage',
    `${HEAD}  - { id: r, review: build, by: checker }\n${PLAN}${BUILD}`,
    ['5:22 stages[0].review: the stage "build" does not end before "r" begins; expected an earlier stage with a role'],
  ],
  [
    'review itself',
    flow('  - { id: r, review: r, by: checker }\n'),
    ['7:22 stages[2].review: the stage "r" does not end before "r" begins; expected one of build, plan'],
  ],
  [
    'review of a review',
    flow('  - { id: r, review: build, by: checker }\n  - { id: s, review: r, by: person }\n'),
    ['8:22 stages[3].review: the stage "r" has no role; expected one of build, plan'],
  ],
  [
    'a review of a stage that runs beside it',
    flow('  - { id: r, review: build, by: checker, needs: plan }\n'),
    ['7:22 stages[2].review: the stage "build" does not end before "r" begins; expected plan'],
  ],
  [
    'a review of a stage inside a for_each',
    flow(
      '  - id: all\n    for_each: { of: inputs.angles }\n    stages: [{ id: one, role: lead, prompt: x }]\n  - { id: r, review: one, by: checker }\n',
    ),
    ['10:22 stages[3].review: the stage "one" is inside a for_each; expected one of build, plan'],
  ],
  [
    'a landing of a stage without a commit',
    flow('  - { id: land, land: plan }\n'),
    ['7:23 stages[2].land: the stage "plan" leaves no commit; expected build'],
  ],
  [
    'a landing of a misspelt stage',
    flow('  - { id: land, land: bild }\n'),
    ['7:23 stages[2].land: there is no stage "bild"; did you mean "build"?'],
  ],
  [
    'a landing by a misspelt person',
    flow('  - { id: land, land: build, by: persn }\n'),
    ['7:34 stages[2].by: found the string "persn", expected one of "person", "run"; did you mean "person"?'],
  ],
  [
    'a landing of a command',
    flow('  - { id: c, command: make }\n  - { id: land, land: c }\n'),
    ['8:23 stages[3].land: the stage "c" has no role; expected build'],
  ],
  [
    'a second landing of the same stage',
    flow('  - { id: land, land: build }\n  - { id: again, land: build }\n'),
    ['8:24 stages[3].land: the stage "build" is landed by "land" already'],
  ],
  [
    'two landings whose conditions can both hold',
    flow(
      '  - { id: land, land: build, when: { inputs.fast: { is: true } } }\n  - { id: again, land: build, when: { inputs.tier: { is: simple } } }\n',
    ),
    ['8:24 stages[3].land: the stage "build" is landed by "land" already'],
  ],
  [
    'two landings of which a run takes one',
    flow(
      '  - { id: land, land: build, when: { inputs.fast: { is: true } } }\n  - { id: by-run, land: build, by: run, when: { inputs.fast: { is: false } } }\n',
    ),
    [],
  ],
  [
    'two landings of which a run takes one, by any of several conditions',
    flow(
      '  - { id: land, land: build, when: [{ inputs.fast: { is: true } }, { inputs.tier: { is: simple } }] }\n  - { id: by-run, land: build, by: run, when: { inputs.fast: { is: false }, inputs.tier: { is: complex } } }\n',
    ),
    [],
  ],
  [
    'two landings whose conditions can both hold, by one of several',
    flow(
      '  - { id: land, land: build, when: [{ inputs.fast: { is: true } }, { inputs.tier: { is: simple } }] }\n  - { id: by-run, land: build, by: run, when: { inputs.fast: { is: false } } }\n',
    ),
    ['8:25 stages[3].land: the stage "build" is landed by "land" already'],
  ],
  [
    'when_not outside of a for_each, and alone',
    flow('  - { id: x, command: make, when_not: { leave: inputs.task } }\n'),
    ['7:29 stages[2].when_not: expected only together with when', '7:29 stages[2].when_not: expected only inside a for_each'],
  ],
  [
    'when_not with a path that nobody knows',
    flow(
      '  - { id: all, for_each: { of: inputs.angles }, stages: [{ id: x, command: make, when: { inputs.fast: { is: true } }, when_not: { leave: inputs.tsak } }] }\n',
    ),
    ['7:138 stages[2].stages[0].when_not: there is no input "tsak"; did you mean "task"?'],
  ],
  ['a duration of nothing', `timeout: 0s\n${flow()}`, ['1:10 timeout: found the string "0s", expected a duration such as 90s, 30m or 2h']],
  [
    'more inputs than a person could name',
    `name: flow\ninputs: { ${Array.from({ length: 101 }, (_, index) => `i${index}: { type: text }`).join(', ')} }\nstages: [{ id: a, command: make }]`,
    ['2:9 inputs: found a mapping, expected at most 100'],
  ],
  [
    'more paths than a text needs',
    flow(`  - { id: x, role: lead, prompt: "${Array.from({ length: 201 }, (_, index) => `{{x${index}}}`).join('')}" }\n`),
    ['7:34 stages[2].prompt: found 201 different paths, expected at most 200'],
  ],
  [
    'a misspelt need',
    flow('  - { id: land, land: build, needs: [biuld] }\n'),
    ['7:38 stages[2].needs[0]: there is no stage "biuld"; did you mean "build"?'],
  ],
  [
    'a need inside a for_each',
    flow(
      '  - id: all\n    for_each: { of: inputs.angles }\n    stages: [{ id: one, role: lead, prompt: x }]\n  - { id: land, land: build, needs: [build, one] }\n',
    ),
    ['10:45 stages[3].needs[1]: the stage "one" is inside "all"; expected one of plan, build, all'],
  ],
  [
    'a need outside of the for_each',
    flow('  - id: all\n    for_each: { of: inputs.angles }\n    stages: [{ id: one, role: lead, prompt: x, needs: build }]\n'),
    ['9:55 stages[2].stages[0].needs: the stage "build" is outside of this for_each; expected a stage of this list'],
  ],
  ['a need of itself', flow('  - { id: x, command: make, needs: x }\n'), ['7:36 stages[2].needs: a stage cannot wait for itself']],
  [
    'a cycle',
    flow('  - { id: a, command: make, needs: c }\n  - { id: b, command: make }\n  - { id: c, command: make }\n'),
    ['7:36 stages[2].needs: these stages wait for each other: a, c, b, a'],
  ],
])('stages, reviews, landings and needs: %s', (_, text, expected) => {
  expect(problems(text)).toEqual(expected);
});
