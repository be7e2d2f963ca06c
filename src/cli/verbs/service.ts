import { LlmcError } from '../../base/error.ts';
import { requirePerson } from '../owner/require-person.ts';
import type { ServiceReport } from '../service/service.ts';
import type { ServicePlan } from '../service/service-plan.ts';
import { defineVerb } from '../verb.ts';

type ServiceOutput = ServiceReport | ({ readonly action: 'dry-run' } & ServicePlan);

export const service = defineVerb<ServiceOutput>({
  name: 'service',
  summary: 'keep the supervisor running across crashes, logouts and reboots',
  description:
    'Installs a service of your user that runs "llmc up": a systemd user unit, or a launchd agent on macOS. The service starts the supervisor at login or boot, and again after a crash. It does not start it again after "llmc down". "uninstall" removes the service. With systemd the supervisor and its agents keep running. launchd stops them, so on macOS it asks first, also before an install that changes the file. A second install or uninstall changes nothing.',
  arguments: [{ syntax: '[action]', about: 'status (default), install or uninstall', words: ['status', 'install', 'uninstall'] }],
  options: [{ flags: '--dry-run', about: 'with install: print the file, and change nothing' }],
  examples: ['llmc service install', 'llmc service install --dry-run', 'llmc service status', 'llmc service uninstall'],
  verbatim: true,
  async run(input, shell) {
    const [action = 'status'] = input.args;
    if (action !== 'install' && action !== 'uninstall' && action !== 'status')
      throw new LlmcError('INVALID_ARGUMENT', `"${action}" is not install, uninstall or status`, { hint: 'llmc service --help' });
    const dryRun = input.flag('dryRun');
    if (dryRun && action !== 'install')
      throw new LlmcError('INVALID_ARGUMENT', '--dry-run belongs to install', { hint: 'llmc service install --dry-run' });
    // An agent would choose the PATH with which the supervisor starts at each boot.
    if (action !== 'status' && !dryRun) await requirePerson(`service ${action}`, shell);
    const { runService } = await import('../service/run-service.ts');
    return await runService(shell, dryRun ? 'dry-run' : action);
  },
  text: async (output, shell) => {
    if (output.action === 'dry-run') return output.text;
    const { serviceText } = await import('../text/service-text.ts');
    return shell.atRoot(serviceText(output));
  },
});
