import { tomlValue } from './toml/toml-text.ts';

/** The config.toml that `llmc init` writes: the main options, and the others as comments. */
export function initialConfig(options: { readonly source: string; readonly branch: string; readonly agent: string }): string {
  const { source, branch, agent } = options;
  return `# llmc configuration. Every option is described in docs/configuration.md;
# after a change, \`llmc doctor\` checks this file.

[repo]
# Accepted work lands here, on this branch.
source = ${tomlValue(source, '\n')}
branch = ${tomlValue(branch, '\n')}

# Ignored files that every worktree needs, as globs.
# copy_files = [".env", "config/*.local"]

# Shell lines: once per new worktree; to format; and what must succeed before anything lands.
# setup = ["npm ci"]
# format = ["npm run format"]
# validate = ["npm test"]
# after_accept = ["npm run deploy"]

# Put each accepted commit on a branch of its own instead, such as for a pull request.
# landing = "branch"

[defaults]
agent = ${tomlValue(agent, '\n')}
# model = "opus"
# skip_permissions = true
# patrol_interval_secs = 60
# sound_on_review = true

# [notify]
# command = "say \\"$LLMC_WORKER $LLMC_STATUS\\""

# [agents.claude]
# command = "claude"
# env = { ANTHROPIC_BASE_URL = "http://127.0.0.1:8123" }

# Workers: llmc add writes their tables below. An override stands in the worker's own table:
# [workers.adam]
# model = "sonnet"
# role_prompt = "You look after the user interface."
# excluded_from_pool = true
`;
}
