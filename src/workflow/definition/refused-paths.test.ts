import { expect, test } from 'vitest';
import { flow, HEAD, PLAN, problems, type Refused } from './refused.fixture.ts';

test.each<Refused>([
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
    flow('  - id: all\n    for_each: { of: inputs.angles, status_file: inputs.task }\n    stages: [{ id: one, role: lead, prompt: x }]\n'),
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
])('templates and items: %s', (_, text, expected) => {
  expect(problems(text)).toEqual(expected);
});
