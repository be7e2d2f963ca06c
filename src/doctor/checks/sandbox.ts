import { workerSettings } from '../../config/worker-settings.ts';
import { probeBubblewrap, sandboxHint } from '../../sandbox/probe.ts';
import { type Check, failed, ok } from '../check.ts';
import { withConfig } from '../needs.ts';

/** Makes a real sandbox if a worker should get one. */
export const sandboxCheck: Check = {
  name: 'sandbox',
  run: (context) =>
    withConfig(context, async (config) => {
      const enclosed = Object.keys(config.workers).filter((name) => workerSettings(config, name).sandbox !== 'none');
      if (enclosed.length === 0 && config.sandbox.kind === 'none')
        return ok('none configured: agents may do what you may do (docs/sandbox.md)');
      const probe = await probeBubblewrap(context.processes);
      const whose = enclosed.length === 0 ? 'no worker yet' : enclosed.join(', ');
      if (probe.kind === 'works') return ok(`bubblewrap works, for ${whose}`);
      const problem = probe.kind === 'missing' ? 'bubblewrap is not installed' : `bubblewrap cannot make a sandbox: ${probe.reason}`;
      return failed(`${problem}; agents that should run in it do not start: ${whose}`, sandboxHint(probe));
    }),
};
