import { LlmcError } from '../../base/error.ts';
import { validConfigPath } from '../../config/valid-config-path.ts';
import { type Check, type DoctorContext, failed, ok, repairable, warning } from '../check.ts';
import { editing } from '../editing.ts';

export const configCheck: Check = {
  name: 'configuration',
  async run({ root, config, loadConfig, exists }) {
    try {
      await loadConfig();
      return ok(`${root}/config.toml is valid`);
    } catch (error) {
      // Before `llmc init` there is no configuration to check.
      if (error instanceof LlmcError && error.code === 'ROOT_NOT_FOUND' && !(await exists(`${root}/state.json`)))
        return warning(error.message, error.hint);
      // Each problem on its own line, so that a person can fix all of them at once.
      if (error instanceof LlmcError && error.code === 'CONFIG_INVALID')
        return repairable(
          failed(`${error.details ?? error.message}${await inForceInstead(root, config)}`, error.hint),
          editing(`${root}/config.toml`),
        );
      throw error;
    }
  },
};

async function inForceInstead(root: string, config: DoctorContext['config']): Promise<string> {
  return await config().then(
    () => `\nThe last valid configuration is in force: ${validConfigPath(root)}`,
    () => '',
  );
}
