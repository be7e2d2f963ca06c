import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { newStep } from '../model/new-step.ts';
import type { Run, StepState } from '../model/run.ts';
import { forEach, newRun, swarmPlan, work } from '../next/samples.ts';
import type { RunStore } from '../store/ports.ts';
import { statusRuns } from './status-file.ts';
import { withStatuses } from './status-text.ts';

const statuses = {
  list: ['stories'],
  key: 'id',
  of: new Map([
    ['s1', 'done'],
    ['2', 'in-progress'],
  ]),
};

describe('a status file keeps what a person wrote', () => {
  test.each<[string, string, string]>([
    [
      'epic.yaml',
      '# Ours\nstories:\n  - id: s1 # first\n    title: "A"\n  - { id: 2, owner: me }\n  - id: new\n',
      '# Ours\nstories:\n  - id: s1 # first\n    title: "A"\n    status: done\n  - { id: 2, owner: me, status: in-progress }\n  - id: new\n',
    ],
    [
      'epic.md',
      '---\nstories:\n  - id: s1\n    status: open\n---\n# Epic\n\n- a  \n',
      '---\nstories:\n  - id: s1\n    status: done\n---\n# Epic\n\n- a  \n',
    ],
    ['crlf.md', '---\r\nstories:\r\n  - id: s1\r\n---\r\ntext\r\n', '---\r\nstories:\r\n  - id: s1\r\n    status: done\r\n---\r\ntext\r\n'],
    [
      'epic.json',
      '{\n    "stories": [{ "id": "s1" },\n  {"id":"2", "status":"open","x":[1,2]}]\n}\n',
      '{\n    "stories": [{ "id": "s1", "status": "done" },\n  {"id":"2", "status":"in-progress","x":[1,2]}]\n}\n',
    ],
    [
      'own-style.yaml',
      "stories:\n- {id: s1,   after: [a,b],}\n\n-   id: '2'  # second\n    text: |\n      One\n\n      Two\n\n# the end\n",
      "stories:\n- {id: s1,   after: [a,b], status: done}\n\n-   id: '2'  # second\n    text: |\n      One\n\n      Two\n    status: in-progress\n\n# the end\n",
    ],
    [
      'nested.yaml',
      'stories:\n  - id: s1\n    tasks:\n      - a\n      - b # last\n  - id: 2\n    status:\n',
      'stories:\n  - id: s1\n    tasks:\n      - a\n      - b # last\n    status: done\n  - id: 2\n    status: in-progress\n',
    ],
    [
      'no-status.json',
      '{"stories": [{"id": "s1", "status": null}, {"id": "2", "status": {"x": 1}, "n": 12345678901234567890}]}',
      '{"stories": [{"id": "s1", "status": "done"}, {"id": "2", "status": "in-progress", "n": 12345678901234567890}]}',
    ],
    ['no-end.yaml', 'stories:\n  - id: s1', 'stories:\n  - id: s1\n    status: done'],
  ])('%s', (path, text, expected) => {
    const written = withStatuses(path, text, statuses);
    expect(written).toBe(expected);
    expect(withStatuses(path, written ?? '', statuses)).toBeUndefined();
  });

  test.each([
    ['a.yaml', 'stories: [\n'],
    ['a.yaml', 'stories: none\n'],
    ['a.yaml', 'other: []\n'],
    ['a.json', '{ "stories": ['],
    ['a.md', '# no front matter\n'],
    ['a.md', ''],
  ])('%s with %j is left alone', (path, text) => {
    expect(withStatuses(path, text, statuses)).toBeUndefined();
  });
});

const PLAN = {
  ...swarmPlan(),
  stages: [forEach('stories', [work('develop', 'developer')], { of: 'inputs.epic.stories', key: 'id', statusFile: 'inputs.epic' })],
};
const committing: Pick<RunStore, 'commit'> = { commit: async () => true };

function runWith(path: string, states: Readonly<Record<string, StepState>>): Run {
  const steps = Object.entries(states).map(([key, state]) => {
    const address = `stories/${key}`;
    return [address, { ...newStep(address), state, item: { key, value: {}, after: [], recoveries: 0 } }];
  });
  const run = newRun(PLAN, 0);
  return { ...run, files: { epic: path }, steps: { ...run.steps, ...Object.fromEntries(steps) } };
}

test('each change of an item is written back, and a file that is gone stops nothing', async () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'epic.yaml');
  writeFileSync(path, 'stories:\n  - id: a\n  - id: b\n  - id: c\n  - id: d\n');
  chmodSync(path, 0o664);
  const run = runWith(path, {
    a: { kind: 'done' },
    b: { kind: 'skipped', why: 'x', cause: 'person' },
    c: { kind: 'under_way', deadline: null },
    d: { kind: 'waiting' },
  });
  const store: Pick<RunStore, 'commit'> = statusRuns(committing, systemFiles);
  const base = { version: 1, event: 'e1', wakeAt: null, at: 0 };
  const commit = (changedSteps: readonly string[]) => store.commit({ ...base, decision: { run, changedSteps, actions: [], records: [] } });
  await commit(['develop/a']);
  expect(readFileSync(path, 'utf8')).not.toContain('status');
  await commit(['stories/a']);
  expect(readFileSync(path, 'utf8')).toBe(
    'stories:\n  - id: a\n    status: done\n  - id: b\n    status: deferred\n  - id: c\n    status: in-progress\n  - id: d\n',
  );
  expect(statSync(path).mode & 0o777).toBe(0o664);
  rmSync(path);
  expect(await commit(['stories/a'])).toBe(true);
});

test('items that a rollback took away, or that begin again, are not done any more', async () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'epic.yaml');
  const epic = { stories: [{ id: 'a' }, { id: 'b' }, { id: 'c', status: 'done' }] };
  const store: Pick<RunStore, 'commit'> = statusRuns(committing, systemFiles);
  const base = { version: 1, event: 'e1', wakeAt: null, at: 0 };
  const after = async (run: Run, changedSteps: readonly string[]) => {
    writeFileSync(path, 'stories:\n  - { id: a, status: done }\n  - { id: b }\n  - { id: c, status: done }\n');
    await store.commit({ ...base, decision: { run: { ...run, inputs: { epic } }, changedSteps, actions: [], records: [] } });
    return readFileSync(path, 'utf8');
  };
  // It had done one story, had not begun another, and does not repeat what was done before it.
  expect(await after(runWith(path, {}), ['stories', 'stories/a', 'stories/b', 'stories/c', 'develop/a'])).toBe(
    'stories:\n  - { id: a, status: in-progress }\n  - { id: b }\n  - { id: c, status: done }\n',
  );
  const waiting = runWith(path, { a: { kind: 'waiting' }, b: { kind: 'waiting' } });
  const [step, steps] = [waiting.steps['stories/a'], waiting.steps];
  if (step === undefined) throw new Error('the item is gone');
  expect(await after({ ...waiting, steps: { ...steps, 'stories/a': { ...step, startedMs: 1 } } }, ['stories/a'])).toBe(
    'stories:\n  - { id: a, status: in-progress }\n  - { id: b }\n  - { id: c, status: done }\n',
  );
});
