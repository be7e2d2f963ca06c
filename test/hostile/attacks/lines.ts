import { type Attack, alone, type Group, MOVE_MAIN, user } from '../attack.ts';

/** What the user has: a tool of the repository on main, and a setting of git that names it. */
const userHas = (setting: string, tool = 'tools/filter.sh'): string => `mkdir -p "$SOURCE/tools"
  printf '#!/bin/sh\\ncat\\n' > "$SOURCE/${tool}"; chmod +x "$SOURCE/${tool}"; git -C "$SOURCE" add --all; git -C "$SOURCE" commit --quiet -m Tools
  git -C "$SOURCE" config ${setting}; git fetch --quiet origin; git rebase --quiet origin/main`;

/** The agent puts its own program in the place of the tool, and makes git use it: for a file that git writes after the tool, by its name. */
const takes = (attribute: string, tool = 'tools/filter.sh'): string => `mkdir -p tools; cp "$TRAPCAT" ${tool}
  printf '${attribute}\\n' > .gitattributes; echo more >> notes.txt; echo z > zzz.txt; git add --all; git commit --quiet -m Tool`;

const filter = (name: string, setting: string, agent: string): Group =>
  alone(
    { name, point: 8, harm: 'runs', closedBy: '0fc5d67', agent: `${setting}\n${agent}` } satisfies Attack,
    ...MOVE_MAIN,
    // Once it has landed, the tool is what the user accepted.
    ...user('llmc review adam --json', 'llmc reset adam --yes'),
  );

/** Files of an agent that a command of the user runs: the user named them, and the agent wrote them. */
export const LINES: readonly Group[] = [
  filter(
    'a smudge filter of the user that is a file of the repository',
    userHas('filter.x.smudge ./tools/filter.sh'),
    takes('*.txt filter=x'),
  ),
  filter('a filter that an interpreter runs', userHas("filter.x.smudge 'sh tools/filter.sh'"), takes('*.txt filter=x')),
  filter(
    'a filter by the top folder of the worktree',
    userHas(`filter.x.smudge '"$(git rev-parse --show-toplevel)"/tools/filter.sh'`),
    takes('*.txt filter=x'),
  ),
  filter(
    'a filter that only the branch of the agent has',
    'git -C "$SOURCE" config filter.x.smudge ./tools/new.sh',
    takes('*.txt filter=x', 'tools/new.sh'),
  ),
  filter('a filter in a shell of the user', userHas('filter.x.smudge \'sh -c "./tools/filter.sh"\''), takes('*.txt filter=x')),
  alone(
    {
      name: 'a branch for the next worker, whose set-up runs it',
      point: 8,
      harm: 'runs',
      closedBy: '0fc5d67',
      agent: `sed -i 's|^\\[repo\\]$|[repo]\\nsetup = ["sh ./setup.sh"]|' "$ROOT/config.toml"
        cp "$TRAP" setup.sh; git add --all; git commit --quiet -m Prepare; git branch llmc/dora`,
    },
    ...user('llmc add dora'),
  ),
];
