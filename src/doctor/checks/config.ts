import { LlmcError } from '../../base/error.ts';
import { type Check, ok, warning } from '../check.ts';

export const configCheck: Check = {
  name: 'configuration',
  async run({ root, loadConfig }) {
    try {
      await loadConfig();
      return ok(`${root}/config.toml is valid`);
    } catch (error) {
      // Before `llmc init` there is no configuration to check.
      if (error instanceof LlmcError && error.code === 'ROOT_NOT_FOUND') return warning(error.message, error.hint);
      throw error;
    }
  },
};
