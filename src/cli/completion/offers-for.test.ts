import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { makeLayout } from '../../store/layout.ts';
import { aState, aWorker } from '../../workers/samples.ts';
import { VERBS } from '../verbs.ts';
import { offersFor } from './offers-for.ts';

test('a command line is completed with the words that a shell would offer', async () => {
  using scratch = scratchFolder();
  const layout = makeLayout(scratch.path);
  for (const folder of ['runs/swarm-1', 'notes', '.hidden']) mkdirSync(join(scratch.path, folder), { recursive: true });
  writeFileSync(join(scratch.path, 'note.md'), '');
  writeFileSync(layout.config, '[repo]\nsource = "/source"\n[agents.mine]\ncommand = "x"\n');
  writeFileSync(layout.state, JSON.stringify(aState(aWorker(), aWorker({ name: 'ann' }), aWorker({ name: 'bea' }))));
  const offers = async (line: string) => await offersFor(line, { root: scratch.path, layout }, VERBS);

  expect(await offers('rev')).toEqual(['review']);
  expect(await offers('llmc rev')).toEqual(['review']);
  expect(await offers('review a')).toEqual(['adam', 'ann']);
  expect(await offers('accept adam b')).toEqual(['bea']);
  expect(await offers('review adam ')).toEqual([]);
  expect(await offers('review --st')).toEqual(['--stat']);
  expect(await offers('review --interface d')).toEqual(['diff', 'difftastic']);
  expect(await offers('start -w be')).toEqual(['bea']);
  expect(await offers('start --worker ')).toEqual(['adam', 'ann', 'bea']);
  expect(await offers('show ')).toEqual(['swarm-1']);
  expect(await offers('why s')).toEqual(['swarm-1']);
  expect(await offers('add zoe --agent m')).toEqual(['mine']);
  expect(await offers(`start --prompt-file ${scratch.path}/no`)).toEqual([`${scratch.path}/note.md`, `${scratch.path}/notes/`]);
  expect(await offers('nonsense ')).toEqual([]);
  expect(await offersFor('review ', { root: '/nowhere', layout: makeLayout('/nowhere') }, VERBS)).toEqual([]);
});
