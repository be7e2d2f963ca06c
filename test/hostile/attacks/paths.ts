import { alone, type Group, ONTO_MAIN, user } from '../attack.ts';

/** Records a submodule below the folder `vendor` that was never checked out. */
const SUBMODULE = `printf '[submodule "lib"]\\n\\tpath = vendor/lib\\n\\turl = /nowhere\\n' > .gitmodules
  git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),vendor/lib; git add .gitmodules; git commit --quiet -m "Add lib"`;
/** git leaves an ignored link where it is. */
const IGNORED = 'echo /vendor >> "$GITDIR/info/exclude"';
const DESTROY = user('llmc review adam', 'llmc reset adam --yes', 'llmc nuke adam --yes');

export const PATHS: readonly Group[] = [
  alone(
    {
      name: 'the parent of a submodule is a link to files of the user',
      point: 4,
      harm: 'outside',
      closedBy: 'b9eb6f1',
      agent: `${SUBMODULE}; ${ONTO_MAIN}; ${IGNORED}; rm -rf vendor; mkdir "$OUT/lib"; echo mine > "$OUT/lib/mine.txt"; ln -s "$OUT" vendor`,
    },
    ...DESTROY,
  ),
  alone(
    {
      name: 'a submodule is replaced by a link to files of the user',
      point: 10,
      harm: 'stuck',
      closedBy: 'b9eb6f1',
      agent: `${SUBMODULE}; ${ONTO_MAIN}; rm -rf vendor/lib; mkdir -p vendor; ln -s "$OUT/folder" vendor/lib`,
    },
    ...DESTROY,
  ),
  alone(
    {
      name: 'a submodule that only the branch records is a link to files of the user',
      point: 4,
      harm: 'outside',
      closedBy: 'b9eb6f1',
      agent: `${SUBMODULE}; rm -rf vendor; mkdir "$OUT/lib"; echo mine > "$OUT/lib/mine.txt"; ln -s "$OUT" vendor`,
    },
    ...DESTROY,
  ),
  alone(
    {
      name: 'a folder of the commit is a link to files of the user',
      point: 4,
      harm: 'outside',
      agent: 'rm -rf src; ln -s "$OUT" src',
      alreadyHarmless: 'git does not write through links in a worktree',
    },
    ...DESTROY,
  ),
  alone(
    {
      name: 'the commit records a link and a file below it',
      point: 4,
      harm: 'outside',
      agent: `blob=$(echo evil | git hash-object -w --stdin); link=$(printf "%s" "$OUT" | git hash-object -w --stdin)
        tree=$(printf "100644 blob %s\\tprecious.txt\\n" "$blob" | git mktree)
        whole=$(printf "120000 blob %s\\tdoor\\n040000 tree %s\\tdoor\\n" "$link" "$tree" | git mktree)
        git reset --quiet --soft $(git commit-tree -p origin/main -m Door "$whole")`,
      alreadyHarmless: 'git does not write through links in a worktree',
    },
    ...user('llmc review adam --json', 'llmc accept adam', 'llmc reset adam --yes'),
  ),
  ...['.git', '.GIT', 'git~1', '..', '.'].map((name) =>
    alone(
      {
        name: `the commit records a folder called ${name}`,
        point: 4,
        harm: 'outside',
        agent: `blob=$(printf "#!/bin/sh\\n%s\\n" "$TRAP" | git hash-object -w --stdin)
          tree=$(printf "100755 blob %s\\tpost-merge\\n" "$blob" | git mktree); tree=$(printf "040000 tree %s\\thooks\\n" "$tree" | git mktree)
          whole=$(printf "040000 tree %s\\t${name}\\n" "$tree" | git mktree)
          git update-ref refs/heads/llmc/adam $(git commit-tree -p origin/main -m Hooks "$whole")`,
        alreadyHarmless: 'git refuses to check out such a path',
      } as const,
      ...user('llmc review adam --json', 'llmc accept adam', 'llmc reset adam --yes'),
    ),
  ),
  alone(
    {
      name: 'the commit adds a .gitmodules with a path that is an option',
      point: 4,
      harm: 'runs',
      agent: `printf '[submodule "x"]\\n\\tpath = --upload-pack=%s\\n\\turl = -u./x\\n' "$TRAP" > .gitmodules; mkdir ./--upload-pack=x
        git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),-x; git add .gitmodules; git commit --quiet -m Modules`,
      alreadyHarmless: 'paths come after --',
    },
    ...user('llmc review adam --json', 'llmc accept adam', 'llmc reset adam --yes'),
  ),
];
