import { commandLine } from '../../base/shell-quote.ts';
import { type Check, ok, warning } from '../check.ts';
import { withConfig, withWorkers } from '../needs.ts';

/** Warns about a table without a worker: usually a misspelt name, whose settings have no effect. */
export const configuredWorkersCheck: Check = {
  name: 'configured workers',
  run: (context) =>
    withConfig(context, ({ workers: tables }) =>
      withWorkers(context, async (workers) => {
        const added = new Set(workers.map(({ name }) => name));
        const strangers = Object.keys(tables).filter((name) => !added.has(name));
        const [first] = strangers;
        if (first === undefined) return ok('every table in config.toml has a worker');
        return warning(
          `in config.toml, but not added: ${strangers.join(', ')}`,
          `${commandLine('llmc', 'add', first)}, or remove [workers.${first}].`,
        );
      }),
    ),
};
