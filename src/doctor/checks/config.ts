import { LlmcError } from '../../base/error.ts';
import { type Check, failed, ok, repairable, warning } from '../check.ts';
import { editing } from '../editing.ts';

export const configCheck: Check = {
  name: 'configuration',
  async run({ root, loadConfig, exists }) {
    try {
      await loadConfig();
      return ok(`${root}/config.toml is valid`);
    } catch (error) {
      // Before `llmc init` there is no configuration to check.
      if (error instanceof LlmcError && error.code === 'ROOT_NOT_FOUND' && !(await exists(`${root}/state.json`)))
        return warning(error.message, error.hint);
      // Each problem on its own line, so that a person can fix all of them at once.
      if (error instanceof LlmcError && error.code === 'CONFIG_INVALID')
        return repairable(failed(error.details ?? error.message, error.hint), editing(`${root}/config.toml`));
      throw error;
    }
  },
};
