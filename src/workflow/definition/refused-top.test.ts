import { expect, test } from 'vitest';
import { flow, problems, type Refused } from './refused.fixture.ts';

test.each<Refused>([
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
  ['a timeout without a unit', `timeout: 30\n${flow()}`, ['1:10 timeout: found the number 30, expected a duration such as 90s, 30m or 2h']],
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
])('name, inputs and roles: %s', (_, text, expected) => {
  expect(problems(text)).toEqual(expected);
});
