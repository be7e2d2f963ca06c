import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { LlmcError } from '../../base/error.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { newRun, swarmPlan } from '../../workflow/next/samples.ts';
import { SqliteRuns } from '../../workflow/store/sqlite-runs.ts';
import { confirmSameFiles } from './same-files.ts';

const NOON = 1_800_000_000_000;
const EPIC = '/code/shop/epic.yaml';

async function rootWith(...runs: readonly (readonly [id: string, file: string, ended?: 'done'])[]) {
  const scratch = scratchStore();
  const { database } = scratch.open();
  systemFiles.replace(scratch.layout.config, '');
  const store = new SqliteRuns(database);
  for (const [id, file, ended] of runs) {
    const run = { ...newRun(swarmPlan(), NOON), id, files: { epic: file } };
    const clock = ended === undefined ? run.clock : { ...run.clock, endedMs: NOON };
    await store.create({ ...run, clock, status: ended ?? run.status }, { key: 'e0', at: NOON, dice: 0, what: { kind: 'begin' } });
  }
  return scratch;
}

async function started(
  scratch: Awaited<ReturnType<typeof rootWith>>,
  files: Readonly<Record<string, string>>,
  answer: 'yes' | 'no' = 'yes',
) {
  const said: string[] = [];
  const asked: string[] = [];
  const shell = {
    layout: scratch.layout,
    say: (line: string) => void said.push(line),
    confirm: async (question: string, otherwise: { readonly message: string; readonly hint: string }) => {
      asked.push(question);
      if (answer === 'no') throw new LlmcError('CANCELLED', otherwise.message, { hint: otherwise.hint });
    },
  };
  const refusal = await confirmSameFiles(shell, files).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { said, asked, refusal };
}

test('a second run on a file warns with the name of the first one, and starts only after a yes', async () => {
  using scratch = await rootWith(['stories-1', EPIC]);
  const line = `! stories-1 works through the same file, ${EPIC} (plan). Both runs would do its items, and overwrite each other's status in it.`;
  expect(await started(scratch, { plan: EPIC })).toEqual({ said: [line], asked: ['Start another run on it?'], refusal: undefined });
  expect((await started(scratch, { plan: EPIC }, 'no')).refusal).toMatchObject({
    code: 'CANCELLED',
    message: 'nothing was started',
    hint: expect.stringMatching(/^llmc show stories-1; /),
  });
});

test('a run on another file, a run that has ended, and a run without such a file do not warn', async () => {
  using scratch = await rootWith(['stories-1', '/code/shop/other.yaml'], ['stories-2', EPIC, 'done']);
  const nothing = { said: [], asked: [], refusal: undefined };
  expect(await started(scratch, { epic: EPIC })).toEqual(nothing);
  expect(await started(scratch, {})).toEqual(nothing);
});
