import type { Declaration } from './declaration.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly string[];
  readonly takesWorker: boolean;
}

function entriesOf(declarations: readonly Declaration[]): readonly Entry[] {
  return declarations.map(({ name, summary, options, arguments: [first] }) => ({
    name,
    summary,
    takesWorker: /^[<[](worker|name\.\.\.)/.test(first?.syntax ?? ''),
    flags: [...options.flatMap(({ flags }) => /--[a-z-]+/.exec(flags)?.[0] ?? []), '--root', '--json', '--help'],
  }));
}

/** The script reads worker names from the folder of worktrees, because starting Node at each Tab is slow. */
export function completionScript(shell: (typeof SHELLS)[number], declarations: readonly Declaration[]): string {
  const entries = entriesOf(declarations);
  switch (shell) {
    case 'bash':
      return bash(entries);
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bash(entries)}`;
    case 'fish':
      return fish(entries);
  }
}

function workerVerbs(entries: readonly Entry[], separator: string): string {
  return entries
    .filter(({ takesWorker }) => takesWorker)
    .map(({ name }) => name)
    .join(separator);
}

function bash(entries: readonly Entry[]): string {
  const cases = entries.map(({ name, flags }) => `    ${name}) words="${flags.join(' ')}" ;;`);
  return `_llmc() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" workers=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${entries.map(({ name }) => name).join(' ')} help" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
    ${workerVerbs(entries, '|')}) workers="$(ls "\${LLMC_ROOT:-$HOME/llmc}/.worktrees" 2>/dev/null)" ;;
  esac
  COMPREPLY=($(compgen -W "$words $workers" -- "$current"))
}
complete -F _llmc llmc
`;
}

function fish(entries: readonly Entry[]): string {
  const verbs = entries.map(
    ({ name, summary }) => `complete -c llmc -n __fish_use_subcommand -f -a ${name} -d '${summary.replaceAll("'", "\\'")}'`,
  );
  const flags = entries.flatMap(({ name, flags: all }) =>
    all.map((flag) => `complete -c llmc -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`),
  );
  const root = '(ls (test -n "$LLMC_ROOT"; and echo $LLMC_ROOT; or echo $HOME/llmc)/.worktrees 2>/dev/null)';
  return [...verbs, ...flags, `complete -c llmc -n '__fish_seen_subcommand_from ${workerVerbs(entries, ' ')}' -f -a '${root}'`, ''].join(
    '\n',
  );
}
