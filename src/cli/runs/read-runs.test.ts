import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { layoutOf } from '../../store/layout.ts';
import { emptyState } from '../../store/state.ts';
import { headText, stateText } from '../../workflow/mirror/state-text.ts';
import { Story } from '../../workflow/next/samples.ts';
import { isRun } from './is-run.ts';
import { readRunLines, readRunView, sayIfGone } from './read-runs.ts';

/** A root whose run has files, and whose database was deleted. */
function withoutDatabase(root: string) {
  const layout = layoutOf(root);
  const { run } = new Story().work('research');
  mkdirSync(join(layout.runs, run.id), { recursive: true });
  writeFileSync(join(layout.runs, run.id, 'workflow.yaml'), headText(run));
  writeFileSync(join(layout.runs, run.id, 'state.yaml'), stateText(run, 0));
  writeFileSync(layout.config, '');
  writeFileSync(layout.state, JSON.stringify(emptyState()));
  return layout;
}

test('a run is listed and shown from its files while the database is gone, and the command says so', async () => {
  using scratch = scratchFolder();
  const layout = withoutDatabase(scratch.path);
  expect(await readRunLines({ layout })).toMatchObject([{ id: 'swarm-1', workflow: 'swarm', status: 'running', stage: 'develop' }]);
  expect(await readRunView({ layout }, 'swarm-1')).toMatchObject({
    stages: [{ id: 'research', state: 'done' }, { id: 'develop' }, { id: 'review' }, { id: 'land' }],
  });
  expect(await isRun({ layout }, 'swarm-1')).toBe(true);
  await expect(readRunView({ layout }, 'swarm-2')).rejects.toMatchObject({
    code: 'RUN_NOT_FOUND',
    message: expect.stringMatching(/did you mean "swarm-1"/),
  });
  const said: string[] = [];
  sayIfGone({ layout, say: (line) => said.push(line) });
  expect(said).toEqual([`! ${layout.database} is gone: this is what the files of the runs say. What to do: llmc doctor`]);
});
