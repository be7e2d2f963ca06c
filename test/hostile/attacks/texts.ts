import { type Attack, alone, type Group, MOVE_MAIN, user } from '../attack.ts';

/** Window title, link, clipboard, cursor, C1 code, carriage return, backspace, bidirectional override, zero width. */
const BAD = String.raw`\033]0;title\007\033]8;;x\033\\\033]52;c;eA==\007\033[2J\033[1A\302\2332K\rx\b\342\200\256\342\200\213\342\201\246`;
export const evil = (name: string, agent: string, alreadyHarmless?: string): Attack => ({
  name: `control characters in ${name}`,
  point: 7,
  harm: 'terminal',
  agent: `bad="$NAME $(printf '${BAD}')"; ${agent}`,
  ...(alreadyHarmless === undefined ? { closedBy: '8939f0b' } : { alreadyHarmless }),
});

export const TEXTS: readonly Group[] = [
  {
    about: 'control characters in work to review',
    steps: user(
      ...['llmc status', 'llmc review adam', 'llmc review adam --stat', 'llmc review adam --json', 'llmc why adam --full', 'llmc doctor'],
      ...['llmc accept adam', 'llmc reset adam --yes', 'llmc rescue list', 'llmc rescue show adam', 'llmc nuke adam --yes', 'llmc logs'],
    ),
    attacks: [
      evil('the name of the author', 'git commit --quiet --amend --no-edit --author="$bad <a@example.test>"', 'no command shows an author'),
      evil('a file', 'echo "$bad" >> notes.txt; git commit --quiet --all -m Line'),
      evil('a file name', 'touch "$bad"; git add --all; git commit --quiet -m File'),
      evil('the target of a link', 'ln -s "$bad" link; git add --all; git commit --quiet -m Link'),
      evil('a commit body', 'printf "Subject\\n\\n%s" "$bad" | git commit --quiet --allow-empty --file=- --cleanup=verbatim'),
    ],
  },
  {
    about: 'control characters in work that is not committed',
    steps: user(
      ...['llmc status', 'llmc review adam', 'llmc accept adam', 'llmc reset adam --yes', 'llmc rescue list', 'llmc rescue show adam'],
      ...['llmc why adam', 'llmc rescue show adam/20301231T235959Z', 'llmc logs'],
    ),
    attacks: [
      evil('the name of a file that is not committed', 'touch "$bad"'),
      evil('the path of a nested repository', 'git init --quiet "$bad"; echo x > "$bad/x"'),
      evil(
        'the record of a rescue',
        `git update-ref refs/llmc/rescue/adam/20301231T235959Z $(
          printf 'rescue adam: %s\\n\\nUncommitted:\\n  x\\n\\nTask: %s\\n' "$bad" "$bad" | git commit-tree -p HEAD -F - "HEAD^{tree}")`,
      ),
    ],
  },
  alone(
    evil('a commit subject', 'printf "%s" "$bad" | git commit --quiet --amend --file=- --cleanup=verbatim'),
    ...user('llmc review adam', 'llmc review adam --stat', 'llmc accept adam', 'llmc logs'),
  ),
  alone(
    evil('the name of a file in conflict', 'echo one > "$bad"; git add --all; git commit --quiet -m File'),
    {
      agent: `cd "$SOURCE"; echo two > "control-characters-in-the-name-of-a-file-in-conflict $(printf '${BAD}')"; git add --all; git commit --quiet -m Elsewhere`,
    },
    ...user('llmc review adam', 'llmc status', 'llmc why adam', 'llmc accept adam', 'llmc logs'),
  ),
  alone(
    // A lock makes git complain about a file by its name.
    evil(
      'the .git file',
      `foreign="$SCRATCH/$bad"; cp -a "$ADMIN" "$foreign"; echo "$GITDIR" > "$foreign/commondir"; : > "$foreign/index.lock"; echo "gitdir: $foreign" > .git`,
    ),
    ...user('llmc status', 'llmc review adam', 'llmc doctor', 'llmc reset adam --yes', 'llmc why adam', 'llmc logs'),
  ),
  alone(
    evil(
      'the branch that HEAD names',
      `branch=$(printf 'x\\302\\233\\342\\200\\256y'); git checkout --quiet -b "$branch"; : > "$GITDIR/refs/heads/$branch.lock"`,
    ),
    ...MOVE_MAIN,
    ...user('llmc review adam', 'llmc accept adam', 'llmc doctor', 'llmc why adam', 'llmc logs'),
  ),
];
