import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { openDatabase } from '../../store/database.ts';
import { makeLayout } from '../../store/layout.ts';
import { emptyState } from '../../store/state.ts';
import { recordsText } from '../../workflow/mirror/records-text.ts';
import { headText, stateText } from '../../workflow/mirror/state-text.ts';
import { Story } from '../../workflow/next/samples.ts';
import { Shell } from '../shell.ts';
import { Input, type Verb } from '../verb.ts';
import { checkpoint } from '../verbs/checkpoint.ts';
import { logs } from '../verbs/logs.ts';
import { recover } from '../verbs/recover.ts';
import { report } from '../verbs/report.ts';
import { why } from '../verbs/why.ts';
import { isRun } from './is-run.ts';
import { readRunLines, readRunView, sayIfGone } from './read-runs.ts';

/** A root whose run has files, and whose database was deleted. */
function withoutDatabase(root: string) {
  const layout = makeLayout(root);
  const { run, records } = new Story().work('research').crash('develop');
  mkdirSync(join(layout.runs, run.id), { recursive: true });
  writeFileSync(join(layout.runs, run.id, 'workflow.yaml'), headText(run));
  writeFileSync(join(layout.runs, run.id, 'state.yaml'), stateText(run, 0));
  const errors = records.flatMap((record) => (record.kind === 'error' ? [{ ...record.error, outcome: null }] : []));
  const history = [{ seq: 1, step: 'develop', at: 0, text: 'the agent ended' }];
  writeFileSync(join(layout.runs, run.id, 'records.yaml'), recordsText(run.id, { errors, questions: [], retries: [], history }));
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

test('a run that a restored database does not have yet is listed, and shown with what brings it back', async () => {
  using scratch = scratchFolder();
  const layout = withoutDatabase(scratch.path);
  openDatabase(layout.database).close();
  expect(await readRunLines({ layout })).toMatchObject([{ id: 'swarm-1', waiting_for: expect.stringContaining('llmc show swarm-1') }]);
  await expect(readRunView({ layout }, 'swarm-1')).rejects.toMatchObject({ code: 'STATE_INVALID', hint: 'llmc up --detach' });
  await expect(readRunView({ layout }, 'swarm-2')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND', hint: 'llmc runs' });
});

interface Said {
  readonly result: unknown;
  readonly said: readonly string[];
  readonly printed: readonly string[];
}

/** Runs a command on a root without a supervisor; what it refuses is its result. */
async function command(root: string, verb: Pick<Verb, 'run'>, input: Input): Promise<Said> {
  const flags = { json: true, quiet: true, verbose: false, color: false, yes: true, patrol: false };
  const said: string[] = [];
  const printed: string[] = [];
  const shell = Object.assign(new Shell({ ...flags, root, version: '1.0.0', declarations: [] }, () => expect.unreachable()), {
    say: (line: string) => void said.push(line),
    out: (text: string) => void printed.push(text),
  });
  const result = await verb.run(input, shell).catch((error: unknown) => error);
  return { result, said, printed };
}

const FAILED = { code: 'AGENT_CRASHED', message: 'the agent ended (status 1)' };

test.each<[string, Pick<Verb, 'run'>, Record<string, unknown>, Partial<Said>]>([
  ['report', report, {}, { result: expect.objectContaining({ errors: [expect.objectContaining({ code: 'AGENT_CRASHED' })] }) }],
  ['report --errors', report, { errors: true }, { result: { log: [expect.objectContaining({ ...FAILED, run: 'swarm-1' })] } }],
  ['report --errors --code', report, { errors: true, code: 'AGENT_TIMEOUT' }, { result: { log: [] } }],
  ['why', why, {}, { result: expect.objectContaining({ waits: [expect.objectContaining({ failure: expect.objectContaining(FAILED) })] }) }],
  ['logs', logs, {}, { printed: [expect.stringContaining('develop: the agent ended')] }],
  ['recover --dry-run', recover, { dryRun: true }, {}],
  ['checkpoint --list', checkpoint, { list: true }, { result: { kind: 'listed', run: 'swarm-1', checkpoints: [] } }],
])('%s reads the files of the run while the database is gone, and says so', async (_name, verb, options, expected) => {
  using scratch = scratchFolder();
  const layout = withoutDatabase(scratch.path);
  const found = await command(scratch.path, verb, new Input(['swarm-1'], options));
  expect(found).toMatchObject(expected);
  expect(found.said).toEqual([expect.stringContaining(`${layout.database} is gone`)]);
});
