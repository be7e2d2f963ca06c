import { join } from 'node:path';
import { agentProgram } from '../../config/agent-program.ts';
import { makeLayout } from '../../store/layout.ts';
import { type Check, ok, repairable, warning } from '../check.ts';
import { withConfig, withWorkers } from '../needs.ts';

/** Whether the files through which running agents report are as llmc wrote them. Each launch writes them again. */
export const hooksCheck: Check = {
  name: 'hooks',
  run: (context) =>
    withConfig(context, (config) =>
      withWorkers(context, async (workers) => {
        const { root, adapterOf, readText, exists } = context;
        const layout = makeLayout(root);
        const found = await Promise.all(
          workers.map(async ({ name, agent, status, incarnation }) => {
            const { adapter, declaration } = agentProgram(config, agent);
            const files = declaration === undefined ? (adapterOf(adapter)?.hookFiles ?? {}) : {};
            // An agent on the protocol channel reports over its socket.
            if (status === 'offline' || incarnation === 0 || (await exists(layout.agentSocket(name)))) return [];
            const changed = Object.keys(files).filter((file) => readText(join(layout.scratch(name), file)) !== files[file]);
            return changed.length === 0 ? [] : [{ name, changed }];
          }),
        );
        const broken = found.flat();
        if (broken.length === 0) return ok('as llmc wrote them');
        const message = `hooks are changed or missing: ${broken.map(({ name, changed }) => `${changed.join(', ')} of ${name}`).join('; ')}`;
        const hint = 'llmc doctor --repair writes them again. Until then llmc observes these agents by their screens only.';
        return repairable(
          warning(message, hint),
          ...broken.map(({ name }) => ({
            title: `hooks of ${name}`,
            does: `write the hooks of ${name} again`,
            safe: true,
            step: { kind: 'hooks' as const, worker: name },
          })),
        );
      }),
    ),
};
