import { type Attack, alone, type Fate, type Group, LAND, user } from '../attack.ts';

/** Makes $whole: the tree of HEAD and the entries ENTRYA and ENTRYB, whose names the sed script changes in the object itself. */
const forgedTree = (sed: string): string => `blob=$(printf "#!/bin/sh\\n%s\\n" "$TRAP" | git hash-object -w --stdin)
  other=$(echo harmless | git hash-object -w --stdin)
  plain=$( (git ls-tree HEAD; printf "100755 blob %s\\tENTRYA\\n100644 blob %s\\tENTRYB\\n" "$blob" "$other") | git mktree)
  whole=$(git cat-file tree "$plain" | LC_ALL=C sed '${sed}' | git hash-object -t tree -w --stdin --literally)
  git update-ref refs/heads/llmc/adam $(git commit-tree -p origin/main -m Forged "$whole")`;

/** A push moves main without a checkout, in which git would refuse the path. */
const pushed = (name: string, sed: string): Group =>
  alone(
    {
      name,
      point: 4,
      harm: 'lands',
      agent: forgedTree(sed),
      alreadyHarmless: 'the index cannot hold such a tree, so the work is never wholly committed',
    },
    ...user('git checkout --quiet -b elsewhere'),
    ...LAND,
  );

const lands = (name: string, agent: string, fate: Fate): Group => alone({ name, agent, point: 4, harm: 'lands', ...fate }, ...LAND);

const stuck = (name: string, agent: string, alreadyHarmless: string): Attack => ({
  name,
  point: 10,
  harm: 'stuck',
  agent,
  alreadyHarmless,
});
const DESTROY = user('llmc status', 'llmc rescue list', 'llmc reset adam --yes', 'llmc nuke adam --yes');

/** Objects that no git would make, and too many of those that it would. */
export const TREES: readonly Group[] = [
  pushed('a tree with an entry .git', 's/ENTRYA/.git/'),
  pushed('a tree with an entry .GIT', 's/ENTRYA/.GIT/'),
  pushed('a tree with an entry .git and a space', 's/ENTRYA/.git /'),
  pushed('a tree with an entry git~1', 's/ENTRYA/git~1/'),
  pushed('a tree with an entry that leads up', 's/ENTRYA/../'),
  pushed('a tree with an entry that is a path', 's|ENTRYA|src/../../out/precious.txt|'),
  pushed('a tree with two entries of one name', 's/ENTRY[AB]/tool.sh/g'),
  pushed('a tree whose entries are not sorted', 's/ENTRYA/zzz/'),
  lands(
    // On macOS that is .git.
    'a folder called .git with a zero-width character',
    'mkdir -p ".g\u200cit/hooks"; ln -s "$TRAP" ".g\u200cit/hooks/post-checkout"; git add --all; git commit --quiet -m Hooks',
    { closedBy: '50d06fb' },
  ),
  lands(
    '.gitmodules with an address that is an option',
    `printf '[submodule "x"]\\n\\tpath = x\\n\\turl = -u./payload\\n' > .gitmodules; git add --all; git commit --quiet -m Modules`,
    { closedBy: '50d06fb' },
  ),
  lands(
    'a commit with two authors',
    `forged=$(git cat-file commit HEAD | sed '/^author /{p;s/^author [^<]*/author Another Author /}' | git hash-object -t commit -w --stdin --literally)
      git update-ref refs/heads/llmc/adam "$forged"`,
    { closedBy: '19093f9' },
  ),
  alone(
    stuck(
      'a file of the branch is gone from the objects',
      'id=$(git rev-parse HEAD:feature.txt | sed "s|^..|&/|"); rm "$GITDIR/objects/$id"',
      'the worktree still has it',
    ),
    ...DESTROY,
  ),
  alone(
    stuck(
      'twenty thousand branches, tags and rescues',
      `tip=$(git rev-parse HEAD); git pack-refs --all; seq 20000 | sed "s|^|$tip refs/heads/x/|" >> "$GITDIR/packed-refs"
        seq 20000 | sed "s|^|$tip refs/tags/|" >> "$GITDIR/packed-refs"; seq 2000 | sed "s|^|$tip refs/llmc/rescue/adam/|" >> "$GITDIR/packed-refs"
        (grep "^[#^]" "$GITDIR/packed-refs"; grep -v "^[#^]" "$GITDIR/packed-refs" | sort -k 2) > "$SCRATCH/sorted"; cp "$SCRATCH/sorted" "$GITDIR/packed-refs"`,
      'git reads packed refs fast enough',
    ),
    ...DESTROY,
  ),
  alone(
    stuck(
      'branches and rescues with names of two hundred characters',
      `long=$(printf "%0200d" 0); git update-ref "refs/heads/$long/$long" HEAD; git update-ref "refs/llmc/rescue/adam/$long" HEAD; git update-ref "refs/llmc/rescue/$long/$long" HEAD`,
      'the names are files, and git makes none that are too long',
    ),
    ...DESTROY,
  ),
  alone(
    {
      name: '.gitmodules, .gitattributes and .gitignore are links to files of the user',
      point: 4,
      harm: 'outside',
      agent: `git config filter.evil.clean "$TRAPCAT"; echo "* filter=evil" > "$OUT/attributes"; printf '[submodule "x"]\\n\\tpath = x\\n\\turl = ext::%s\\n' "$TRAP" > "$OUT/modules"
        ln -s "$OUT/attributes" .gitattributes; ln -s "$OUT/modules" .gitmodules; ln -s "$OUT/precious.txt" .gitignore; touch notes.txt`,
      alreadyHarmless: 'git does not follow them',
    },
    ...user('llmc review adam --json', 'llmc accept adam', 'llmc reset adam --yes', 'llmc nuke adam --yes'),
  ),
  lands(
    'the commit records links in place of .gitattributes and .gitignore',
    `git config diff.evil.textconv "echo harmless #"; echo "* diff=evil" > "$SCRATCH/attributes"
      ln -s "$SCRATCH/attributes" .gitattributes; ln -s "$OUT/precious.txt" .gitignore; echo evil > evil.sh; git add --all; git commit --quiet -m Links`,
    { alreadyHarmless: 'git does not follow them' },
  ),
];
