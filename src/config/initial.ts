import { tomlValue } from './toml/toml-text.ts';

/** What `llmc init --hardened` found out about this machine and the agent. */
export interface Hardened {
  readonly kind: 'bubblewrap' | 'user';
  /** The variables that the agent may get from the user's environment. */
  readonly environment: readonly string[];
}

function sandboxPart({ kind, environment }: Hardened): string {
  const network =
    kind === 'bubblewrap'
      ? `# Only the hosts of the agent itself, and these: such as a registry of packages.
network = "hosts"
hosts = []
`
      : `# A user of its own has the network of the machine: forbid it with the firewall of the machine, by the user's number.
`;
  return `# A wall around every agent: docs/sandbox.md. llmc doctor checks that it still stands.
[sandbox]
kind = "${kind}"
required = true
${network}# Only these variables of your environment reach an agent.
environment = [${environment.map((name) => `"${name}"`).join(', ')}]

`;
}

/** The config.toml that `llmc init` writes: the main options, and the others as comments. */
export function initialConfig(options: {
  readonly source: string;
  readonly branch: string;
  readonly agent: string;
  readonly hardened?: Hardened | undefined;
}): string {
  const { source, branch, agent, hardened } = options;
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
# review_interface = "difftastic"

${hardened === undefined ? '' : sandboxPart(hardened)}# Workers made for tasks that wait, at most this many, and removed when their work has landed: docs/queue.md
# [pool]
# max = 4

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
