import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readWorkflow } from './read-workflow.ts';
import { LARGEST_WORKFLOW, readYaml } from './read-yaml.ts';
import { workflowSchema } from './schema.ts';

const repository = join(import.meta.dirname, '../../..');
const FIXTURES = ['workflows/swarm.yaml', 'test/fixtures/workflows/stories.yaml', 'test/fixtures/workflows/literature-review.yaml'];
const BUILT_IN = readdirSync(join(repository, 'workflows')).map((name) => `workflows/${name}`);
const textOf = (file: string) => readFileSync(join(repository, file), 'utf8');

const HEAD =
  'name: flow\ninputs: { task: { type: text }, tier: { one_of: [simple, complex] }, fast: { type: flag }, angles: { type: list }, epic: { type: file } }\nroles: { lead: {}, builder: { fallback: codex }, checker: {} }\nstages:\n';
const PLAN = '  - { id: plan, role: lead, output: [outline.yaml, notes.md], prompt: "Plan {{inputs.task}}" }\n';
const BUILD = '  - { id: build, role: builder, prompt: "Build {{plan}}" }\n';
const flow = (...stages: string[]) => `${HEAD}${PLAN}${BUILD}${stages.join('')}`;
const KNOWN = { agents: ['claude', 'codex', 'demo'], name: 'flow' };

function problems(text: string): readonly string[] {
  const reading = readWorkflow(text, KNOWN);
  return reading.kind === 'valid' ? [] : reading.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe('a workflow is refused with the line, the column and what was expected', () => {
  test.each<[string, string, string[]]>([
    ['an empty file', '', ['1:1 the file is empty; expected a workflow with name and stages']],
    ['comments only', '# later\n', ['1:1 the file is empty; expected a workflow with name and stages']],
    ['a list', '- a\n- b', ['1:1 the file is not a mapping; expected a workflow with name and stages']],
    ['a word', 'swarm', ['1:1 the file is not a mapping; expected a workflow with name and stages']],
    [
      'a bracket that is not closed',
      'name: [flow',
      ['1:12 not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ]'],
    ],
    [
      'two mistakes of syntax',
      'name: @flow\nstages: @x',
      [
        '1:7 not valid YAML: plain value cannot start with reserved character @',
        '2:9 not valid YAML: plain value cannot start with reserved character @',
      ],
    ],
    ['a tab', 'name: flow\nstages:\n\t- id: x', ['3:1 not valid YAML: tabs are not allowed as indentation']],
    ['two documents', 'name: flow\n---\nname: other', ['2:1 found a second document, expected one per file']],
    ['another version', '%YAML 1.1\n---\nname: flow', ['1:1 found a %YAML line, expected none: the file is read as YAML 1.2']],
    ['a key twice', 'name: flow\nname: flow\n', ['2:1 the key "name" is here twice']],
    ['a tag', 'name: !env HOME\n', ['1:12 found the tag !env, expected a value without a tag']],
    ['a merge key', 'a: &a { b: 1 }\nc:\n  <<: *a\n', ['3:3 found a merge key, expected the keys themselves']],
    [
      'a number without an end',
      'name: [.inf, .nan]\n',
      [expect.stringContaining('1:8 found .inf or .nan'), expect.stringContaining('1:14 found')],
    ],
    ['an unknown alias', 'name: *flow\n', ['1:7 found the alias *flow, expected one whose anchor &flow ends before it']],
    ['an alias inside its anchor', 'stages: &s\n  - *s\n', ['2:5 found the alias *s, expected one whose anchor &s ends before it']],
    [
      'a placeholder without quotes',
      flow('  - { id: more, role: lead, prompt: {{inputs.task}} }\n'),
      ['7:37 a text that begins with {{ needs quotes'],
    ],
    ['a key that is a list', '? [a, b]\n: c', ['1:3 found a key that is not a word']],
    ['__proto__', 'name: flow\n__proto__: { x: 1 }', ['2:1 the key "__proto__" cannot be used']],
    [
      'a missing name',
      `${flow().replace('name: flow\n', '')}`,
      ['1:1 name is missing; expected a name: a lower-case letter, then up to 31 of a-z, 0-9 and "-"'],
    ],
    ['missing stages', 'name: flow', ['1:1 stages is missing; expected a list of 1 to 200 stages']],
    ['no stages', 'name: flow\nstages: []', ['2:9 stages: found a list, expected a list of 1 to 200 stages']],
    ['stages that are not a list', 'name: flow\nstages: { id: a }', ['2:9 stages: found a mapping, expected a list of 1 to 200 stages']],
    ['a misspelt key at the top', `nmae: flow\n${flow()}`, ['1:1 unknown key "nmae" at the top level; did you mean "name"?']],
    [
      'a key at the top that nobody knows',
      `colour: red\n${flow()}`,
      ['1:1 unknown key "colour" at the top level; expected one of name, description, timeout, inputs, roles, stages'],
    ],
    [
      'a name with a space',
      flow().replace('name: flow', 'name: My Flow'),
      ['1:7 name: found the string "My Flow", expected a name: a lower-case letter, then up to 31 of a-z, 0-9 and "-"'],
    ],
    [
      'a name that differs from the file',
      flow().replace('name: flow', 'name: flows'),
      ['1:7 name: found the string "flows", expected "flow", because the file has this name'],
    ],
    [
      'a number as the name',
      flow().replace('name: flow', 'name: 7'),
      ['1:7 name: found the number 7, expected a name: a lower-case letter, then up to 31 of a-z, 0-9 and "-"'],
    ],
    [
      'a timeout without a unit',
      `timeout: 30\n${flow()}`,
      ['1:10 timeout: found the number 30, expected a duration such as 90s, 30m or 2h'],
    ],
    [
      'a timeout in words',
      `timeout: 8 hours\n${flow()}`,
      ['1:10 timeout: found the string "8 hours", expected a duration such as 90s, 30m or 2h'],
    ],
    [
      'an unknown type of an input',
      flow().replace('type: text', 'type: string'),
      ['2:25 inputs.task.type: found the string "string", expected one of "text", "file", "items", "flag", "list"'],
    ],
    [
      'a misspelt type of an input',
      flow().replace('type: text', 'type: txt'),
      ['2:25 inputs.task.type: found the string "txt", expected one of "text", "file", "items", "flag", "list"; did you mean "text"?'],
    ],
    [
      'an input without a type',
      flow().replace('{ type: text }', '{}'),
      ['2:11 inputs.task: found neither type nor one_of, expected one of them'],
    ],
    [
      'an input with type and one_of',
      flow().replace('{ type: text }', '{ type: text, one_of: [a] }'),
      ['2:31 inputs.task: found type and one_of, expected only one of them'],
    ],
    [
      'an input with a space in its name, and its use',
      flow().replace('task:', '"my task":'),
      [
        '2:11 the name "my task" cannot be used: expected the name of an input: a letter, then up to 31 of a-z, 0-9, "_" and "-"',
        '5:77 stages[0].prompt: {{inputs.task}}: there is no input "task"; expected one of my task, tier, fast, angles, epic',
      ],
    ],
    [
      'roles as a list',
      flow().replace('{ lead: {}, builder: { fallback: codex }, checker: {} }', '[lead, builder]'),
      ['3:8 roles: found a list, expected a mapping'],
    ],
    ['a role without a value', flow().replace('lead: {}', 'lead: '), ['3:16 roles.lead: found nothing, expected a mapping']],
    [
      'a misspelt key of a role',
      flow().replace('lead: {}', 'lead: { fallbak: codex }'),
      ['3:18 unknown key "fallbak" in roles.lead; did you mean "fallback"?'],
    ],
    [
      'an agent that does not exist',
      flow().replace('lead: {}', 'lead: { agent: cluade }'),
      ['3:25 roles.lead.agent: there is no agent "cluade"; did you mean "claude"?'],
    ],
    [
      'a fallback to itself',
      flow().replace('lead: {}', 'lead: { agent: demo, fallback: demo }'),
      ['3:41 roles.lead.fallback: an agent cannot be its own fallback'],
    ],
    [
      'a misspelt when_unavailable',
      flow().replace('lead: {}', 'lead: { when_unavailable: skp }'),
      ['3:36 roles.lead.when_unavailable: found the string "skp", expected one of "ask", "skip", "stop"; did you mean "skip"?'],
    ],
    [
      'a role that is called person',
      flow().replace('lead: {}', 'lead: {}, person: {}'),
      ['3:20 the name "person" cannot be used: `by: person` means a person'],
    ],
    [
      'a role with a capital letter',
      flow().replace('lead: {}', 'lead: {}, Tester: {}'),
      ['3:20 the name "Tester" cannot be used: expected the name of a role: a lower-case letter, then up to 15 of a-z, 0-9 and "-"'],
    ],
    [
      'a path in the prompt of a role',
      flow().replace('lead: {}', 'lead: { prompt: "do {{inputs.task}}" }'),
      ['3:30 roles.lead.prompt: found {{inputs.task}}, expected paths only in the prompt of a stage'],
    ],
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
    [
      'an id twice',
      flow('  - { id: build, land: build }\n'),
      ['7:11 there is another stage with the id "build"; expected an id of its own'],
    ],
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
    [
      'a duration of nothing',
      `timeout: 0s\n${flow()}`,
      ['1:10 timeout: found the string "0s", expected a duration such as 90s, 30m or 2h'],
    ],
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
    [
      'template unknown stage',
      flow('  - { id: x, role: lead, prompt: "see {{plna}}" }\n'),
      ['7:39 stages[2].prompt: {{plna}}: there is no input or stage "plna"; did you mean "plan"?'],
    ],
    [
      'template unknown input',
      flow('  - { id: x, role: lead, prompt: "see {{inputs.taks}}" }\n'),
      ['7:39 stages[2].prompt: {{inputs.taks}}: there is no input "taks"; did you mean "task"?'],
    ],
    [
      'template inputs typo',
      flow('  - { id: x, role: lead, prompt: "see {{input.task}}" }\n'),
      ['7:39 stages[2].prompt: {{input.task}}: there is no input or stage "input"; did you mean "inputs"?'],
    ],
    [
      'template unknown artifact',
      flow('  - { id: x, role: lead, prompt: "see {{plan.outlin}}" }\n'),
      ['7:39 stages[2].prompt: {{plan.outlin}}: plan has no "outlin"; did you mean "outline"?'],
    ],
    [
      'template that names what a file contains',
      flow('  - { id: x, role: lead, prompt: "see {{plan.outline.sections}}" }\n'),
      ['7:39 stages[2].prompt: {{plan.outline.sections}}: plan.outline is a text and has no field "sections"'],
    ],
    [
      'template that names a review',
      flow('  - { id: r, review: build, by: checker }\n  - { id: x, role: lead, prompt: "see {{r}}" }\n'),
      ['8:39 stages[3].prompt: {{r}}: r leaves nothing that a text can name'],
    ],
    [
      'template field of text',
      flow('  - { id: x, role: lead, prompt: "see {{plan.notes.first}}" }\n'),
      ['7:39 stages[2].prompt: {{plan.notes.first}}: plan.notes is a text and has no field "first"'],
    ],
    [
      'template later',
      `${HEAD}  - { id: x, role: lead, prompt: "see {{plan}}" }\n${PLAN}`,
      ['5:39 stages[0].prompt: {{plan}}: the stage "plan" does not end before "x" begins; expected inputs'],
    ],
    [
      'template itself',
      flow('  - { id: x, role: lead, prompt: "see {{x}}" }\n'),
      ['7:39 stages[2].prompt: {{x}}: the stage "x" has no results yet; expected one of inputs, build, plan'],
    ],
    [
      'template item outside',
      flow('  - { id: x, role: lead, prompt: "see {{item.id}}" }\n'),
      ['7:39 stages[2].prompt: {{item.id}}: item is known only inside a for_each; expected one of inputs, build, plan'],
    ],
    [
      'template field of item',
      flow('  - id: all\n    for_each: { of: inputs.angles }\n    stages:\n      - { id: one, role: lead, prompt: "{{item.id}}" }\n'),
      ['10:41 stages[2].stages[0].prompt: {{item.id}}: item is a text and has no field "id"'],
    ],
    [
      'template expression',
      flow('  - { id: x, role: lead, prompt: "see {{inputs.task | upper}}" }\n'),
      ['7:39 stages[2].prompt: {{inputs.task | upper}}: expected a path such as {{inputs.task}}'],
    ],
    [
      'template unclosed',
      flow('  - { id: x, role: lead, prompt: "see {{inputs.task" }\n'),
      ['7:39 stages[2].prompt: found {{ without its }}, expected a path such as {{inputs.task}}'],
    ],
    [
      'template in block',
      flow('  - id: x\n    role: lead\n    prompt: |\n      First line.\n      Then {{inputs.tsk}}.\n'),
      ['11:12 stages[2].prompt: {{inputs.tsk}}: there is no input "tsk"; did you mean "task"?'],
    ],
    [
      'template in command',
      flow('  - { id: x, command: ["echo ok", "echo {{inputs.task}}"] }\n'),
      ['7:41 stages[2].command[1]: found {{inputs.task}}, expected a shell line without {{ }}: a value could contain a command'],
    ],
    [
      'template nested from outside',
      flow(
        '  - id: all\n    for_each: { of: inputs.angles }\n    stages: [{ id: one, role: lead, prompt: x }]\n  - { id: x, role: lead, prompt: "{{one}}" }\n',
      ),
      ['10:35 stages[3].prompt: {{one}}: the stage "one" is inside "all"; expected one of inputs, all, build, plan'],
    ],
    [
      'for_each unknown path',
      flow('  - id: all\n    for_each: { of: inputs.angels }\n    stages: [{ id: one, role: lead, prompt: x }]\n'),
      ['8:21 stages[2].for_each.of: there is no input "angels"; did you mean "angles"?'],
    ],
    [
      'for_each text',
      flow('  - id: all\n    for_each: { of: inputs.task }\n    stages: [{ id: one, role: lead, prompt: x }]\n'),
      ['8:21 stages[2].for_each.of: inputs.task is a text, expected a list'],
    ],
    [
      'for_each md',
      flow('  - id: all\n    for_each: { of: plan.notes }\n    stages: [{ id: one, role: lead, prompt: x }]\n'),
      ['8:21 stages[2].for_each.of: plan.notes is a text, expected a list'],
    ],
    [
      'for_each schema says no',
      flow(
        '  - { id: s, role: lead, prompt: x, output: { list.yaml: { type: object, properties: { items: { type: string } } } } }\n  - id: all\n    for_each: { of: s.list.items }\n    stages: [{ id: one, role: lead, prompt: x }]\n',
      ),
      ['9:21 stages[3].for_each.of: s.list.items is a text, expected a list'],
    ],
    [
      'for_each schema unknown',
      flow(
        '  - { id: s, role: lead, prompt: x, output: { list.yaml: { type: object, properties: { items: { type: array } } } } }\n  - id: all\n    for_each: { of: s.list.itms }\n    stages: [{ id: one, role: lead, prompt: x }]\n',
      ),
      ['9:21 stages[3].for_each.of: s.list has no "itms"; did you mean "items"?'],
    ],
    [
      'for_each no stages',
      flow('  - { id: all, for_each: { of: inputs.angles } }\n'),
      ['7:5 stages[2].stages is missing; expected a list of 1 to 200 stages'],
    ],
    [
      'for_each empty stages',
      flow('  - { id: all, for_each: { of: inputs.angles }, stages: [] }\n'),
      ['7:57 stages[2].stages: found a list, expected a list of 1 to 200 stages'],
    ],
    [
      'for_each inside',
      flow(
        '  - id: all\n    for_each: { of: inputs.angles }\n    stages:\n      - { id: two, for_each: { of: inputs.angles }, stages: [] }\n',
      ),
      ['10:20 a for_each cannot stand inside another for_each'],
    ],
    [
      'for_each after without key',
      flow('  - id: all\n    for_each: { of: inputs.angles, after: after }\n    stages: [{ id: one, role: lead, prompt: x }]\n'),
      ['8:36 stages[2].for_each.after: an item can wait for others only if key names them'],
    ],
    [
      'for_each parallel',
      flow('  - id: all\n    for_each: { of: inputs.angles, max_parallel: 100 }\n    stages: [{ id: one, role: lead, prompt: x }]\n'),
      ['8:50 stages[2].for_each.max_parallel: found the number 100, expected an integer from 1 to 32'],
    ],
    [
      'for_each agree_on',
      flow(
        '  - id: all\n    for_each: { of: inputs.angles, agree_on: "review[].doi" }\n    stages: [{ id: one, role: lead, prompt: x, output: reviews.yaml }]\n',
      ),
      ['8:46 stages[2].for_each.agree_on: no stage of an item leaves "review"; did you mean "reviews"?'],
    ],
    [
      'for_each status_file',
      flow(
        '  - id: all\n    for_each: { of: inputs.angles, status_file: inputs.task }\n    stages: [{ id: one, role: lead, prompt: x }]\n',
      ),
      ['8:49 stages[2].for_each.status_file: found inputs.task, which is not an input of the type file; expected inputs.epic'],
    ],
    [
      'for_each problem in one inner',
      flow(
        '  - id: all\n    for_each: { of: inputs.angles }\n    stages:\n      - { id: one, role: lead, prmpt: x }\n      - { id: two, review: one, by: cheker }\n',
      ),
      [
        '10:32 unknown key "prmpt" in stages[2].stages[0]; did you mean "prompt"?',
        '11:37 stages[2].stages[1].by: there is no role "cheker"; did you mean "checker"?',
      ],
    ],
    [
      'output typo',
      flow('  - { id: x, role: lead, prompt: x, output: comit }\n'),
      ['7:45 stages[2].output: found the string "comit", expected commit, answer, or files such as notes.md; did you mean "commit"?'],
    ],
    [
      'output outside',
      flow('  - { id: x, role: lead, prompt: x, output: ../x.md }\n'),
      ['7:45 stages[2].output: found the string "../x.md", expected commit, answer, or files such as notes.md'],
    ],
    [
      'output progress',
      flow('  - { id: x, role: lead, prompt: x, output: progress.yaml }\n'),
      ['7:45 stages[2].output: the file "progress.yaml" has another meaning; expected another name'],
    ],
    [
      'output same name',
      flow('  - { id: x, role: lead, prompt: x, output: [a.md, a.yaml] }\n'),
      ['7:52 stages[2].output: "a.md" and "a.yaml" are both called "a" in paths; expected another name'],
    ],
    [
      'output schema of md',
      flow('  - { id: x, role: lead, prompt: x, output: { a.md: { type: object } } }\n'),
      ['7:47 stages[2].output: only a YAML or JSON file can have a schema, and "a.md" is neither'],
    ],
    [
      'output bad schema',
      flow('  - { id: x, role: lead, prompt: x, output: { a.yaml: { type: objekt } } }\n'),
      ['7:47 stages[2].output: the schema of "a.yaml" is not a JSON Schema: Unsupported type: objekt'],
    ],
    [
      'when unknown path',
      flow('  - { id: x, command: make, when: { plan.outlne.size: { min: 1 } } }\n'),
      ['7:37 stages[2].when: plan has no "outlne"; did you mean "outline"?'],
    ],
    [
      'when unknown test',
      flow('  - { id: x, command: make, when: { inputs.tier: { equals: simple } } }\n'),
      ['7:52 unknown key "equals" in stages[2].when."inputs.tier"; expected one of is, in, min, max'],
    ],
    [
      'when empty',
      flow('  - { id: x, command: make, when: { inputs.tier: {} } }\n'),
      ['7:50 stages[2].when."inputs.tier": found a mapping, expected at least one of is, in, min, max'],
    ],
    [
      'when word',
      flow('  - { id: x, command: make, when: { inputs.tier: simple } }\n'),
      ['7:50 stages[2].when."inputs.tier": found the string "simple", expected a test such as { is: true } or { min: 2 }'],
    ],
    [
      'when never',
      flow('  - { id: x, command: make, when: { inputs.tier: { is: hard } } }\n'),
      ['7:50 stages[2].when: inputs.tier is never "hard", expected one of simple, complex'],
    ],
    [
      'when never flag',
      flow('  - { id: x, command: make, when: { inputs.fast: { is: "yes" } } }\n'),
      ['7:50 stages[2].when: inputs.fast is true or false, so it is never yes'],
    ],
    [
      'when min of text',
      flow('  - { id: x, command: make, when: { inputs.task: { min: 3 } } }\n'),
      ['7:50 stages[2].when: inputs.task is a text, expected is or in rather than min or max'],
    ],
    [
      'when min above max',
      flow('  - { id: x, command: make, when: { plan.outline.size: { min: 5, max: 3 } } }\n'),
      ['7:56 stages[2].when: no value is at least 5 and at most 3'],
    ],
    [
      'when expression',
      flow('  - { id: x, command: make, when: "inputs.fast == true" }\n'),
      ['7:35 stages[2].when: found the string "inputs.fast == true", expected conditions such as { inputs.fast: { is: true } }'],
    ],
    [
      'when_unknown alone',
      flow('  - { id: x, command: make, when_unknown: { inputs.fast: { is: true } } }\n'),
      ['7:29 stages[2].when_unknown: expected only together with when'],
    ],
    [
      'require shared without agree_on',
      flow(
        '  - id: all\n    for_each: { of: inputs.angles }\n    require: { shared: { min: 2 } }\n    stages: [{ id: one, role: lead, prompt: x }]\n',
      ),
      ['9:16 stages[2].require: shared needs agree_on in for_each; expected one of inputs, build, plan, all, done, failed, skipped, total'],
    ],
    [
      'require counter typo',
      flow(
        '  - id: all\n    for_each: { of: inputs.angles }\n    require: { doen: { min: 2 } }\n    stages: [{ id: one, role: lead, prompt: x }]\n',
      ),
      ['9:16 stages[2].require: there is no input or stage "doen"; did you mean "done"?'],
    ],
    [
      'trigger typo',
      flow('  - { id: x, command: make, on_failure: { tiemout: retry } }\n'),
      ['7:43 unknown key "tiemout" in stages[2].on_failure; did you mean "timeout"?'],
    ],
    [
      'strategy typo',
      flow('  - { id: x, command: make, on_failure: { timeout: retyr } }\n'),
      [
        '7:52 stages[2].on_failure.timeout: found the string "retyr", expected retry, restart, skip, substitute, ask, abort, { rollback: stage }, { skip: remark }, { ask: [option] }, or a list of them; did you mean "retry"?',
      ],
    ],
    [
      'strategy in list typo',
      flow('  - { id: x, command: make, on_failure: { timeout: [retry, aks] } }\n'),
      [
        '7:60 stages[2].on_failure.timeout[1]: found the string "aks", expected retry, restart, skip, substitute, ask, abort, { rollback: stage }, { skip: remark }, { ask: [option] }; did you mean "ask"?',
      ],
    ],
    [
      'rollback bare',
      flow('  - { id: x, command: make, on_failure: { timeout: rollback } }\n'),
      [
        '7:52 stages[2].on_failure.timeout: found the string "rollback", expected retry, restart, skip, substitute, ask, abort, { rollback: stage }, { skip: remark }, { ask: [option] }, or a list of them',
      ],
    ],
    [
      'rollback forward',
      flow('  - { id: x, command: make, on_failure: { timeout: { rollback: z } } }\n  - { id: z, command: make }\n'),
      ['7:64 stages[2].on_failure.timeout.rollback: the stage "z" does not come before "x"; expected one of build, plan, x'],
    ],
    [
      'rollback unknown',
      flow('  - { id: x, command: make, on_failure: { timeout: [retry, { rollback: paln }] } }\n'),
      ['7:72 stages[2].on_failure.timeout[1].rollback: there is no stage "paln"; did you mean "plan"?'],
    ],
    [
      'rollback key typo',
      flow('  - { id: x, command: make, on_failure: { timeout: { rolback: plan } } }\n'),
      ['7:54 unknown key "rolback" in stages[2].on_failure.timeout; did you mean "rollback"?'],
    ],
    [
      'two strategies in one',
      flow('  - { id: x, command: make, on_failure: { timeout: { rollback: plan, skip: why } } }\n'),
      ['7:52 stages[2].on_failure.timeout: found a mapping, expected exactly one of rollback, skip, ask'],
    ],
    [
      'after in a list',
      flow('  - { id: x, command: make, on_failure: { timeout: [{ after: 3, skip: why }] } }\n'),
      ['7:55 unknown key "after" in stages[2].on_failure.timeout[0]; expected one of rollback, skip, ask'],
    ],
    [
      'substitute without fallback',
      flow('  - { id: x, role: lead, prompt: x, on_failure: { crash: [retry, substitute] } }\n'),
      ['7:66 stages[2].on_failure.crash[1]: the role lead has no fallback; expected a role with a fallback, or another strategy'],
    ],
    [
      'substitute command',
      flow('  - { id: x, command: make, on_failure: { crash: substitute } }\n'),
      ['7:50 stages[2].on_failure.crash: no role works in this stage; expected a role with a fallback, or another strategy'],
    ],
    [
      'breaker scope',
      flow('  - { id: x, command: make, circuit_breaker: { scope: item } }\n'),
      ['7:55 stages[2].circuit_breaker.scope: found "item" outside of a for_each, expected "stage"'],
    ],
    [
      'breaker default',
      flow('  - { id: x, command: make, circuit_breaker: { when_open: skip, default: go, after: 5m } }\n'),
      ['7:65 stages[2].circuit_breaker.default: expected only with when_open: ask'],
    ],
    [
      'breaker after',
      flow('  - { id: x, command: make, circuit_breaker: { after: 5m } }\n'),
      ['7:48 stages[2].circuit_breaker.after: expected only together with default'],
    ],
    [
      'breaker when_open',
      flow('  - { id: x, command: make, circuit_breaker: { when_open: partail } }\n'),
      [
        '7:59 stages[2].circuit_breaker.when_open: found the string "partail", expected one of "partial", "skip", "ask", "abort"; did you mean "partial"?',
      ],
    ],
    [
      'breaker duration',
      flow('  - { id: x, command: make, circuit_breaker: { retry_after: soon } }\n'),
      ['7:61 stages[2].circuit_breaker.retry_after: found the string "soon", expected a duration such as 90s, 30m or 2h'],
    ],
    [
      'command empty',
      flow('  - { id: x, command: [] }\n'),
      ['7:23 stages[2].command: found a list, expected a string that is not empty or a list of strings that is not empty'],
    ],
    [
      'command mapping',
      flow('  - { id: x, command: { run: make } }\n'),
      ['7:23 stages[2].command: found a mapping, expected a string that is not empty or a list of strings that is not empty'],
    ],
    [
      'problems of shape and of references, in the order of the file',
      flow('  - { id: land, land: plan }\n').replace('role: lead', 'role: laed').replace('tier:', 'teir: 5, tier:'),
      [
        '2:39 inputs.teir: found the number 5, expected a mapping',
        '5:23 stages[0].role: there is no role "laed"; did you mean "lead"?',
        '7:23 stages[2].land: the stage "plan" leaves no commit; expected build',
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  test('a file that is too large, nested too deeply, or too large by its aliases', () => {
    expect(problems(`name: flow # ${'x'.repeat(LARGEST_WORKFLOW)}`)).toEqual(['1:1 found 131085 characters, expected at most 131072']);
    expect(problems(`name: ${'['.repeat(60)}${']'.repeat(60)}`)).toEqual(['1:47 nested too deeply']);
    expect(problems(`name: ${'['.repeat(20_000)}${']'.repeat(20_000)}`).map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'nested too deeply',
    ]);
    const aliases = ['a', 'b', 'c', 'd'].map(
      (name, index, all) => `${name}: &${name} [${`${index === 0 ? 'x' : `*${all[index - 1]}`},`.repeat(12)}]`,
    );
    expect(problems(aliases.join('\n'))).toEqual([expect.stringContaining('found more than 10000 values, with those that aliases repeat')]);
    // One text of 100 KB, a thousand times.
    const texts = `a: &a ${'x'.repeat(100_000)}\nb: [${'*a,'.repeat(1_000)}]`;
    expect(problems(texts)).toEqual([expect.stringContaining('found more than 131072 characters, with those that aliases repeat')]);
    const keys = `a: &a { ${'x'.repeat(100_000)}: 1 }\nb: [${'*a,'.repeat(1_000)}]`;
    expect(problems(keys)).toEqual([expect.stringContaining('found more than 131072 characters, with those that aliases repeat')]);
  });
});

describe('a workflow is accepted', () => {
  test.each([...new Set([...BUILT_IN, ...FIXTURES])])('%s, also by the schema for editors', (file) => {
    const text = textOf(file);
    expect(readWorkflow(text, { agents: KNOWN.agents })).toMatchObject({ kind: 'valid' });
    expect(workflowSchema.safeParse(readYaml(text).value).error).toBeUndefined();
  });

  test('with a byte order mark, CRLF and an alias', () => {
    const text = `\uFEFFname: flow\nstages:\n  - { id: a, command: &lines [make, make test] }\n  - { id: b, command: *lines }\n`.replaceAll(
      '\n',
      '\r\n',
    );
    expect(readWorkflow(text)).toMatchObject({
      kind: 'valid',
      plan: { stages: [{ lines: ['make', 'make test'] }, { lines: ['make', 'make test'] }] },
    });
  });
});

describe('any text is read without an exception', () => {
  const readable = (text: string): void => {
    const reading = readWorkflow(text, KNOWN);
    expect(reading.kind === 'valid' || reading.problems.length > 0).toBe(true);
  };

  test('random text', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => readable(Buffer.from(bytes).toString('latin1'))));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'{}[]:,-&*!|>%@"\'#? \n\tax<.0~'), { maxLength: 60 }), (letters) =>
        readable(letters.join('')),
      ),
    );
  });

  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ':',
    ': ',
    '- ',
    '&a ',
    '*a',
    '!x ',
    '{{',
    '}}',
    '\n',
    '\n  ',
    '"',
    "'",
    '~',
    '7',
    'id',
    'role',
    'stages',
    '<<',
    '__proto__',
    '\0',
    '…',
  ];

  test.each(FIXTURES)('random changes of %s', (file) => {
    const text = textOf(file);
    const change = fc.record({ at: fc.nat(text.length), cut: fc.nat(40), put: fc.constantFrom('', ...pieces) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        readable(changes.reduce((now, { at, cut, put }) => `${now.slice(0, at)}${put}${now.slice(at + cut)}`, text));
      }),
    );
  });

  test('random values in place of any part of a workflow', () => {
    const part = fc.constantFrom(
      'name',
      'inputs',
      'roles',
      'timeout',
      'stages',
      'id',
      'role',
      'prompt',
      'for_each',
      'needs',
      'on_failure',
      'output',
      'when',
      'by',
      'review',
      'land',
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        part,
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(part, tie('any'), { maxKeys: 6 }),
      ),
    })).any;
    fc.assert(fc.property(fc.dictionary(part, value), (workflow) => readable(JSON.stringify(workflow))));
  });
});
