import type { Instant } from '../../base/ports.ts';
import type { Repair, RepairStep } from '../../recovery/records/repair-step.ts';
import type { Copy } from '../../store/copies.ts';
import { newerText, upgradeText } from '../../store/database.ts';
import { type Check, failed, ok, repairable, warning } from '../check.ts';
import { copyAge } from '../copy-text.ts';

export const databaseCheck: Check = {
  name: 'database',
  async run({ root, readDatabase, databaseCopy, isWritable, exists, clock }) {
    const file = `${root}/llmc.db`;
    const files = ['config.toml', 'state.json', 'llmc.db'].map((name) => exists(`${root}/${name}`));
    if (!(await Promise.all(files)).includes(true))
      return warning('no root here yet, so no database', 'llmc init --source path/to/repository');
    if (!isWritable(root)) return failed(`${root} cannot be written`, 'Check its owner and whether its file system is mounted read-only.');
    const read = readDatabase();
    if (read.kind === 'ok') return ok('llmc.db is valid');
    const { does, loses, copy } = replacement(databaseCopy(), clock.now());
    const repair = (title: string, first: string, safe: boolean, step: RepairStep): Repair => ({
      title,
      does: `${first}${does}. Lost: ${loses}`,
      safe,
      step,
      ...(copy !== undefined && { copy: { path: copy.path, at: copy.at, loses } }),
    });
    switch (read.kind) {
      case 'missing':
        return repairable(
          failed(`${file} is missing`, `llmc doctor --repair or llmc up --detach. It would ${does}. Lost: ${loses}.`),
          repair('database', '', true, { kind: 'state' }),
        );
      case 'damaged':
        return repairable(
          failed(
            `${file} is damaged: ${read.problem}`,
            `llmc up --replace --detach, or while llmc is down llmc doctor --repair: rename it to llmc.db.damaged-<time>, and ${does}. Lost: ${loses}. The agents keep running.`,
          ),
          repair('database', 'keep a damaged llmc.db under another name, then ', true, { kind: 'state' }),
        );
      case 'newer':
        return repairable(
          failed(newerText(file, read), `${upgradeText(read)} Without it, llmc doctor --repair --yes. It would ${does}. Lost: ${loses}.`),
          // The newer llmc has everything: to go back is for a person to decide.
          repair('database of a newer llmc', 'keep llmc.db as llmc.db.newer-<time>, then ', false, { kind: 'newer_database' }),
        );
      case 'unreadable':
        return failed(`${file} cannot be read: ${read.problem}`, 'Check its owner; if another program has it open, end that program.');
    }
  },
};

function replacement(copy: Copy | undefined, now: Instant) {
  if (copy === undefined)
    return { does: 'create a new database from state.json', loses: 'the history and undelivered prompts', copy } as const;
  const loses = 'the history since then, and prompts that were on their way';
  return { does: `restore its copy ${copyAge(copy.at, now)}`, loses, copy } as const;
}
