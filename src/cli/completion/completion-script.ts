import type { Declaration } from '../declaration.ts';
import { offersScript } from './offers-script.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The script of a shell: one function of a POSIX shell finds what to offer, and a few lines around it give that to the shell. */
export function completionScript(shell: (typeof SHELLS)[number], declarations: readonly Declaration[]): string {
  const offers = offersScript(declarations);
  switch (shell) {
    case 'bash':
      return `${offers}${BASH}`;
    case 'zsh':
      return `#compdef llmc\n${offers}${ZSH}`;
    case 'fish':
      return fish(offers);
  }
}

/** Not `compgen -W`: it expands the words, so a folder named `$(…)` would run. bash 3.2 of macOS has no compopt. */
const BASH = `_llmc() {
  local line current="\${COMP_WORDS[COMP_CWORD]}"
  [ "$current" = = ] && current=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :file) compopt -o bashdefault -o default 2>/dev/null || while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current") ;;
      :folder) compopt -o dirnames 2>/dev/null || while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$current") ;;
      "$current"*) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(_llmc_offers "\${COMP_WORDS[@]:0:COMP_CWORD}" "$current")
}
complete -F _llmc llmc
`;

/** Works sourced, and as the file _llmc in a folder of fpath. */
const ZSH = `_llmc() {
  local line
  local -a offers
  while IFS= read -r line; do
    case $line in
      :file) _files ;;
      :folder) _files -/ ;;
      *$'\\t'*) offers+=("\${line%%$'\\t'*}:\${line#*$'\\t'}") ;;
      *) offers+=("$line") ;;
    esac
  done < <(_llmc_offers "\${(@Q)words[1,CURRENT-1]}" "$PREFIX")
  (( $#offers )) && _describe -V llmc offers
  return 0
}
if [ "\${funcstack[1]-}" = _llmc ]; then
  _llmc "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _llmc llmc
fi
`;

function fish(offers: string): string {
  const script = `${offers}_llmc_offers "$@"`.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return `function __llmc_complete
    set -l current (commandline -ct)
    for line in (sh -c '${script}' llmc (commandline -opc) "$current")
        switch $line
            case ':file'
                __fish_complete_path "$current"
            case ':folder'
                __fish_complete_directories "$current"
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c llmc -f -a '(__llmc_complete)'
`;
}
