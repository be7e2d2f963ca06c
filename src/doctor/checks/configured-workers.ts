import { commandLine } from '../../base/shell-quote.ts';
import { type Check, ok, warning } from '../check.ts';
import { withConfig, withWorkers } from '../needs.ts';

/** A table for a worker nobody added is mostly a misspelt name, whose settings then silently reach no one. */
export const configuredWorkersCheck: Check = {
  name: 'configured workers',
  run: (context) =>
    withConfig(context, ({ workers: tables }) =>
      withWorkers(context, async (workers) => {
        const added = new Set(workers.map(({ name }) => name));
        const strangers = Object.keys(tables).filter((name) => !added.has(name));
        const [first] = strangers;
        if (first === undefined) return ok('every table in config.toml has its worker');
        return warning(
          `in config.toml, but not added: ${strangers.join(', ')}`,
          `${commandLine('llmc', 'add', first)}, or remove [workers.${first}].`,
        );
      }),
    ),
};
