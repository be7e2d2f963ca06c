import { type Check, failed, ok, warning } from '../check.ts';

const BEGIN_ANEW = 'begins a new one from state.json; the history and prompts still on their way are lost';

export const databaseCheck: Check = {
  name: 'database',
  async run({ root, readDatabase, isWritable, exists }) {
    const file = `${root}/llmc.db`;
    if (!(await exists(`${root}/config.toml`))) return warning('no root here yet, so no database', 'llmc init --source <repository>');
    if (!isWritable(root))
      return failed(`${root} cannot be written`, 'Check who owns it and whether its file system is mounted read-only.');
    const read = readDatabase();
    switch (read.kind) {
      case 'ok':
        return ok('llmc.db is sound');
      case 'missing':
        return failed(`${file} is missing`, `llmc up --detach ${BEGIN_ANEW}.`);
      case 'damaged':
        return failed(
          `${file} is damaged: ${read.problem}`,
          `llmc down, if it is up; then llmc up --detach sets it aside as llmc.db.damaged-<time> and ${BEGIN_ANEW}.`,
        );
      case 'unreadable':
        return failed(`${file} cannot be read: ${read.problem}`, 'Check who owns it; if another program has it open, end that one.');
    }
  },
};
