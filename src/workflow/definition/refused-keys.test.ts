import { expect, test } from 'vitest';
import { flow, problems, type Refused } from './refused.fixture.ts';

test.each<Refused>([
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
    [
      '7:35 stages[2].when: found the string "inputs.fast == true", expected conditions such as { inputs.fast: { is: true } }, or a list of which one must hold',
    ],
  ],
  [
    'when list',
    flow('  - { id: x, command: make, when: [{ inputs.teir: { is: simple } }, { inputs.tier: { equals: simple } }, fast] }\n'),
    [
      '7:86 unknown key "equals" in stages[2].when[1]."inputs.tier"; expected one of is, in, min, max',
      '7:106 stages[2].when[2]: found the string "fast", expected conditions such as { inputs.fast: { is: true } }',
    ],
  ],
  [
    'when list unknown path',
    flow('  - { id: x, command: make, when: [{ inputs.fast: { is: true } }, { inputs.teir: { is: simple } }] }\n'),
    ['7:69 stages[2].when[1]: there is no input "teir"; did you mean "tier"?'],
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
    ['7:55 unknown key "after" in stages[2].on_failure.timeout[0]; expected one of rollback, skip, ask, notify'],
  ],
  [
    'notify beside a question',
    flow('  - { id: x, command: make, on_failure: { timeout: { ask: [go], notify: true } } }\n'),
    ['7:65 stages[2].on_failure.timeout.notify: expected only with skip or rollback: a question notifies'],
  ],
  [
    'notify unknown path',
    flow('  - { id: x, command: make, on_failure: { timeout: [retry, { skip: late, notify: { inputs.fsat: { is: true } } }] } }\n'),
    ['7:84 stages[2].on_failure.timeout[1].notify: there is no input "fsat"; did you mean "fast"?'],
  ],
  [
    'notify word',
    flow('  - { id: x, command: make, on_failure: { timeout: { skip: late, notify: always } } }\n'),
    [
      '7:74 stages[2].on_failure.timeout.notify: found the string "always", expected true, or conditions such as { inputs.fast: { is: true } }',
    ],
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
    'breaker default typo',
    flow('  - { id: x, command: make, circuit_breaker: { default: extnd, after: 5m } }\n'),
    ['7:57 stages[2].circuit_breaker.default: found the string "extnd", expected one of extend, skip, abort; did you mean "extend"?'],
  ],
  [
    'breaker default of a review elsewhere',
    flow('  - { id: x, command: make, circuit_breaker: { default: manual, after: 5m } }\n'),
    ['7:57 stages[2].circuit_breaker.default: found the string "manual", expected one of extend, skip, abort'],
  ],
  ['breaker default of a review', flow('  - { id: x, review: build, by: checker, circuit_breaker: { default: manual, after: 5m } }\n'), []],
  [
    'breaker key typo',
    flow('  - { id: x, command: make, circuit_breaker: { defualt: skip, after: 5m } }\n'),
    ['7:48 unknown key "defualt" in stages[2].circuit_breaker; did you mean "default"?'],
  ],
  [
    'an option of a question, misspelt',
    flow('  - { id: x, role: lead, prompt: x, on_failure: { timeout: { ask: [extnd, skip] } } }\n'),
    [
      '7:68 stages[2].on_failure.timeout.ask[0]: "extnd" is not an option of this question; did you mean "extend"? A mark needs a word that is less like an option',
    ],
  ],
  [
    'a strategy as an option',
    flow('  - { id: x, role: lead, prompt: x, on_failure: { timeout: [restart, { ask: [retry, rollback] }] } }\n'),
    [
      '7:78 stages[2].on_failure.timeout[1].ask[0]: "retry" is not an option of this question; expected restart, or another word as a mark',
      '7:85 stages[2].on_failure.timeout[1].ask[1]: "rollback" is not an option of this question; expected { rollback: stage } in on_failure, or another word as a mark',
    ],
  ],
  [
    'an option of another question',
    flow('  - { id: x, command: make, on_failure: { unmet: { ask: [wait, approve, manual] } } }\n'),
    [
      '7:58 stages[2].on_failure.unmet.ask[0]: "wait" is not an option of this question; expected extend, or another word as a mark',
      '7:64 stages[2].on_failure.unmet.ask[1]: "approve" is not an option of this question; expected accept, or another word as a mark',
      '7:73 stages[2].on_failure.unmet.ask[2]: "manual" is not an option of this question; expected by: person in the stage of a review, or another word as a mark',
    ],
  ],
  [
    'an option for an agent that is not there',
    flow('  - { id: x, command: make, on_failure: { unmet: { ask: [answer, fallback, skip, skip] } } }\n'),
    [
      '7:58 stages[2].on_failure.unmet.ask[0]: no role works in this stage, so no agent would read the answer',
      '7:66 stages[2].on_failure.unmet.ask[1]: no role works in this stage; expected a role with a fallback, or another strategy',
      '7:82 stages[2].on_failure.unmet.ask[3]: "skip" is here twice',
    ],
  ],
  [
    'options and marks',
    flow(
      '  - { id: x, role: builder, prompt: x, on_failure: { timeout: { ask: [extend, fallback, answer, uncertain, abort] } } }\n',
      '  - { id: r, review: build, by: checker, on_failure: { limit: { ask: [approve, reject, disputed] } } }\n',
    ),
    [],
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
])('outputs, conditions and failures: %s', (_, text, expected) => {
  expect(problems(text)).toEqual(expected);
});
