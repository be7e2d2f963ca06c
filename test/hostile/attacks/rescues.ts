import { alone, type Group, user } from '../attack.ts';

/** Writes a rescue with a forged record of a nested repository. */
const forged = (record: string): string => `blob=$(echo forged | git hash-object -w --stdin)
  tree=$(printf "100644 blob %s\\tprecious.txt\\n" "$blob" | git mktree); inner=$(git commit-tree -m inner "$tree")
  message=$(printf 'rescue adam: forged\\n\\nUncommitted:\\n  x\\n\\nInside: %s\\n' "${record}")
  git update-ref refs/llmc/rescue/adam/20301231T235959Z $(git commit-tree -p HEAD -p "$inner" -m "$message" "HEAD^{tree}")`;

const USE = user('llmc rescue show adam', 'llmc rescue restore adam --into carl');
const json = (fields: string): string => `{${fields}}`.replaceAll('"', '\\"');

export const RESCUES: readonly Group[] = [
  alone(
    {
      name: 'a record of a rescue leads outside',
      point: 5,
      harm: 'outside',
      closedBy: '3de5e80',
      agent: forged(json('"path":"../../../out","sha":"$inner","head":null,"recorded":null,"kind":"folder"')),
    },
    ...USE,
  ),
  alone(
    {
      name: 'a record of a rescue leads to an absolute path',
      point: 5,
      harm: 'outside',
      agent: forged(json('"path":"$OUT","sha":"$inner","head":null,"recorded":null,"kind":"folder"')),
      alreadyHarmless: 'the path is joined to the worktree',
    },
    ...USE,
  ),
  alone(
    {
      name: 'a record of a rescue leads through a link',
      point: 5,
      harm: 'outside',
      closedBy: '3de5e80',
      agent: `ln -s "$OUT" "$ROOT/.worktrees/carl/door"; echo door >> "$GITDIR/info/exclude"; ${forged(json('"path":"door","sha":"$inner","head":null,"recorded":null,"kind":"folder"'))}`,
    },
    ...USE,
  ),
  alone(
    {
      name: 'a record of a rescue makes a repository outside',
      point: 5,
      harm: 'outside',
      closedBy: '3de5e80',
      agent: forged(json('"path":"../../../out/folder","sha":"$inner","head":null,"recorded":null,"kind":"repository"')),
    },
    ...USE,
  ),
  alone(
    {
      name: 'a record of a rescue leads to another worker',
      point: 5,
      harm: 'outside',
      closedBy: '3de5e80',
      agent: forged(json('"path":"../bea","sha":"$inner","head":null,"recorded":null,"kind":"folder"')),
    },
    ...USE,
  ),
  alone(
    {
      name: 'the id in a record of a rescue is an option',
      point: 5,
      harm: 'outside',
      closedBy: '3de5e80',
      agent: forged(json('"path":"x","sha":"--output=$OUT/precious.txt","head":null,"recorded":null,"kind":"repository"')),
    },
    ...USE,
  ),
  alone(
    {
      name: 'the recorded commit in a record of a rescue is an option',
      point: 5,
      harm: 'outside',
      agent: forged(json('"path":"x","sha":"$inner","head":null,"recorded":"--output=$OUT/precious.txt","kind":"repository"')),
      alreadyHarmless: 'llmc asks git for a commit of that name first, and there is none',
    },
    ...USE,
  ),
  alone(
    {
      name: 'the head in a record of a rescue is an option',
      point: 5,
      harm: 'outside',
      agent: forged(json('"path":"x","sha":"$inner","head":"--output=$OUT/precious.txt","recorded":null,"kind":"repository"')),
      alreadyHarmless: 'git checkout does not know the option',
    },
    ...USE,
  ),
  alone(
    {
      name: 'a file name forges a record of a rescue',
      point: 5,
      harm: 'outside',
      closedBy: '3de5e80',
      agent: `blob=$(echo forged | git hash-object -w --stdin); tree=$(printf "100644 blob %s\\tprecious.txt\\n" "$blob" | git mktree)
        inner=$(git commit-tree -m inner "$tree"); git update-ref refs/heads/keep "$inner"
        # A slash would end the name.
        name=$(printf 'x\\nInside: {"path":"..%su002fbea","sha":"%s","head":null,"recorded":null,"kind":"folder"}' '\\' "$inner"); echo x > "$name"`,
    },
    ...user('llmc reset adam --yes'),
    ...USE,
  ),
  alone(
    {
      name: 'a record of a rescue is not JSON',
      point: 5,
      harm: 'dead',
      agent: forged('not json'),
      alreadyHarmless: 'the command reports it',
    },
    ...USE,
  ),
];
