import { shellWord } from '../../base/shell-quote.ts';
import { BUILT_IN_AGENTS } from '../../config/schema.ts';
import { STATUSES } from '../../store/statuses.ts';
import type { Declaration } from '../declaration.ts';
import { GLOBAL_OPTIONS } from '../global-options.ts';
import { type CompletedOption, type CompletionValues, chooseValues, completedOption } from './values.ts';

/** Names of the root that a shell may see: whatever else an agent has made there is not offered, and never part of a command. */
const READ_NAMES = `_llmc_names() {
  local entry name
  for entry in "$1"/*"$2"; do
    name=\${entry##*/}
    name=\${name%"$2"}
    case $name in '' | -* | *[!A-Za-z0-9._-]*) continue ;; esac
    case $entry in */runs/archive) continue ;; esac
    if [ -e "$entry" ]; then printf '%s\\n' "$name"; fi
  done
}
_llmc_rescues() {
  local entry sha ref
  for entry in "$1"/refs/llmc/rescue/*/*; do
    if [ -e "$entry" ]; then printf '%s\\n' "\${entry#"$1/refs/llmc/rescue/"}"; fi
  done
  [ -f "$1/packed-refs" ] && [ -r "$1/packed-refs" ] || return 0
  while read -r sha ref; do
    case $ref in refs/llmc/rescue/*) printf '%s\\n' "\${ref#refs/llmc/rescue/}" ;; esac
  done < "$1/packed-refs"
}
_llmc_agents() {
  local line
  [ -f "$1/config.toml" ] && [ -r "$1/config.toml" ] || return 0
  while read -r line; do
    case $line in '[agents.'*']') line=\${line#'[agents.'}; printf '%s\\n' "\${line%']'}" ;; esac
  done < "$1/config.toml"
}
_llmc_safe() {
  local line
  while read -r line; do case $line in '' | -* | *[!A-Za-z0-9._/-]*) ;; *) printf '%s\\n' "$line" ;; esac; done
}`;

/** The root of the repository around the current folder, as `rootHere` finds it among the recorded ones. */
const FIND_ROOT = `_llmc_root() {
  local here at git='' line='' entry root='' repository='' found=''
  here=$(pwd -P)
  at=$here
  while [ -n "$at" ]; do
    if [ -d "$at/.git" ]; then git=$at/.git; break; fi
    if [ -f "$at/.git" ] && IFS= read -r line < "$at/.git"; then
      git=\${line#gitdir: }
      case $git in /*) ;; *) git=$at/$git ;; esac
      if [ -f "$git/commondir" ] && IFS= read -r line < "$git/commondir"; then
        case $line in /*) git=$line ;; *) git=$git/$line ;; esac
      fi
      git=$(cd "$git" > /dev/null 2>&1 && pwd -P)
      break
    fi
    at=\${at%/*}
  done
  for entry in "\${XDG_STATE_HOME:-$HOME/.local/state}/llmc/roots"/*; do
    [ -f "$entry" ] && [ -r "$entry" ] || continue
    { IFS= read -r root && IFS= read -r repository; } < "$entry" || continue
    [ -d "$root/.worktrees" ] || continue
    case $here/ in "$root"/*) found=$root; break ;; esac
    if [ -n "$git" ] && [ "$repository" = "$git" ]; then
      if [ -z "$found" ] || [ "$root" = "$HOME/llmc" ]; then found=$root; fi
    fi
  done
  printf '%s\\n' "\${found:-$HOME/llmc}"
}`;

/** Only these two start Node: the tasks are in a database, and the workflows also in the repository. */
const READ_VALUES = `_llmc_statuses() {
  local before='' each
  case $1 in *,*) before=\${1%,*}, ;; esac
  for each in ${STATUSES.join(' ')}; do printf '%s%s\\n' "$before" "$each"; done
}
_llmc_values() {
  case $1 in
    worker) _llmc_names "$2/.worktrees" '' ;;
    run) _llmc_names "$2/runs" '' ;;
    worker-or-run) _llmc_names "$2/.worktrees" ''; _llmc_names "$2/runs" '' ;;
    template) _llmc_names "$2/templates" .md ;;
    rescue) _llmc_names "$2/.worktrees" ''; _llmc_rescues "$2/.git" | _llmc_safe ;;
    agent) printf '%s\\n' ${BUILT_IN_AGENTS.join(' ')}; _llmc_agents "$2" | _llmc_safe ;;
    status) _llmc_statuses "$3" ;;
    task) command llmc --root "$2" completion --list task 2>/dev/null </dev/null ;;
    workflow) command llmc --root "$2" completion --list workflow 2>/dev/null </dev/null; echo :file ;;
    file | folder) echo ":$1" ;;
    'words '*) printf '%s\\n' \${1#words } ;;
  esac
}`;

/**
 * The function `_llmc_offers` of a POSIX shell: it gets the words of a command line, the last one incomplete, and prints what it could
 * become, one line each with a description behind a tab. `:file` and `:folder` leave paths to the shell. It evaluates nothing.
 */
export function offersScript(declarations: readonly Declaration[]): string {
  const options = declarations.map((verb) => ({ verb, options: verb.options.map(completedOption) }));
  const global = GLOBAL_OPTIONS.map(completedOption);
  return `${READ_NAMES}
${FIND_ROOT}
${READ_VALUES}
_llmc_option() {
  case $1 in
${optionCases(options)}
  esac
}
_llmc_offers() {
  [ -n "\${ZSH_VERSION-}" ] && emulate -L sh
  local LC_ALL=C word verb='' kind='' list='' at=0 root="\${LLMC_ROOT:-$(_llmc_root)}"
  shift
  while [ $# -gt 1 ]; do
    word=$1
    shift
    if [ "$word" = = ]; then continue; fi
    if [ -n "$kind" ] && [ -z "$list" ]; then
      if [ "$kind" = root ]; then root=$word; fi
      kind=
      continue
    fi
    case $word in -?*) ;; *) if [ -n "$list" ]; then continue; fi ;; esac
    kind= list=
    case $word in
      --root=*) root=\${word#--root=} ;;
      --root) kind=root ;;
      -?*) _llmc_option "$verb $word" ;;
      ?*) if [ -n "$verb" ]; then at=$((at + 1)); else verb=$word; fi
        case $verb in
${aliasCases(declarations)}
        esac ;;
    esac
  done
  case $root in '~/'*) root=$HOME/\${root#'~/'} ;; esac
  word=$1
  case $word in --*=*)
    _llmc_option "$verb \${word%%=*}"
    _llmc_values "$kind" "$root" "\${word#*=}" | while IFS= read -r kind; do
      case $kind in :*) ;; *) printf '%s=%s\\n' "\${word%%=*}" "$kind" ;; esac
    done
    return ;;
  esac
  if [ "$kind" = root ]; then kind=folder; fi
  if [ -n "$list" ]; then case $word in -*) kind= ;; esac; fi
  if [ -z "$kind" ]; then
    case $word in -*)
      case $verb in
${options.map(({ verb, options: own }) => `        ${verb.name}) ${printed(own.flatMap(flagLines))} ;;`).join('\n')}
      esac
      ${printed([...global.flatMap(flagLines), ['--help', 'show the help of the command']])}
      return ;;
    esac
    case "$verb $at" in
      ' 0' | 'help 0') ${printed(verbLines(declarations))} ;;
${argumentCases(declarations)}
    esac
  fi
  _llmc_values "$kind" "$root" "$word"
}
`;
}

/** Values are data of this file: `words a b` lists them, everything else is a kind. */
const toShellWords = (values: CompletionValues): string => (typeof values === 'string' ? values : `words ${values.join(' ')}`);

const printed = (lines: readonly (readonly [string, string])[]): string =>
  lines.length === 0 ? ':' : `printf '%s\\t%s\\n' ${lines.flat().map(shellWord).join(' ')}`;

/** The long name alone: a person who presses Tab wants to read it. */
const flagLines = ({ names, about }: CompletedOption): readonly (readonly [string, string])[] =>
  names.filter((name) => name.startsWith('--')).map((name) => [name, about]);

function verbLines(declarations: readonly Declaration[]): readonly (readonly [string, string])[] {
  const named = declarations.flatMap(({ name, alias, summary }) =>
    [name, ...(alias === undefined ? [] : [alias])].map((each) => [each, summary] as const),
  );
  return [...named, ['help', 'show help for a command']];
}

function optionCases(all: readonly { readonly verb: Declaration; readonly options: readonly CompletedOption[] }[]): string {
  return all
    .flatMap(({ verb, options }) =>
      options.flatMap(({ names, values, isList }) =>
        values === undefined
          ? []
          : [
              `    ${names.map((name) => `'${verb.name} ${name}'`).join(' | ')}) kind='${toShellWords(values)}'${isList ? ' list=1' : ''} ;;`,
            ],
      ),
    )
    .join('\n');
}

const aliasCases = (declarations: readonly Declaration[]): string =>
  declarations.flatMap(({ name, alias }) => (alias === undefined ? [] : [`          ${alias}) verb=${name} ;;`])).join('\n');

function argumentCases(declarations: readonly Declaration[]): string {
  return declarations
    .flatMap((verb) =>
      verb.arguments.map((argument, index) => {
        // The words of a text are not names.
        const isList = argument.syntax.includes('...') && argument.isText !== true;
        return `      '${verb.name} '${isList ? '*' : index}) kind='${toShellWords(chooseValues(verb, argument))}' ;;`;
      }),
    )
    .join('\n');
}
