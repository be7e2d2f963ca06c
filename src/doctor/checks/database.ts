import type { Repair } from '../../recovery/records/repair-step.ts';
import { type Check, failed, ok, repairable, warning } from '../check.ts';

const RESTORES =
  'restores its newest copy, at most an hour old while llmc was up, or without one creates a new database from state.json; the history since then and undelivered prompts are lost';

const REOPEN: Repair = {
  title: 'database',
  does: `keep a damaged llmc.db under another name, then restore its newest copy, or without one create a new database from state.json`,
  safe: true,
  step: { kind: 'state' },
};

export const databaseCheck: Check = {
  name: 'database',
  async run({ root, readDatabase, isWritable, exists }) {
    const file = `${root}/llmc.db`;
    const files = ['config.toml', 'state.json', 'llmc.db'].map((name) => exists(`${root}/${name}`));
    if (!(await Promise.all(files)).includes(true))
      return warning('no root here yet, so no database', 'llmc init --source path/to/repository');
    if (!isWritable(root)) return failed(`${root} cannot be written`, 'Check its owner and whether its file system is mounted read-only.');
    const read = readDatabase();
    switch (read.kind) {
      case 'ok':
        return ok('llmc.db is valid');
      case 'missing':
        return repairable(failed(`${file} is missing`, `llmc doctor --repair or llmc up --detach ${RESTORES}.`), REOPEN);
      case 'damaged':
        return repairable(
          failed(
            `${file} is damaged: ${read.problem}`,
            `llmc up --replace --detach, or while llmc is down llmc doctor --repair, renames it to llmc.db.damaged-<time> and ${RESTORES}. The agents keep running.`,
          ),
          REOPEN,
        );
      case 'unreadable':
        return failed(`${file} cannot be read: ${read.problem}`, 'Check its owner; if another program has it open, end that program.');
    }
  },
};
