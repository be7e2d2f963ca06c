import { dirname, join } from 'node:path';
import { type Git, read, write } from '../../git/run.ts';
import { makeDirectory, writePrivate } from '../../system/files/files.ts';

/** A small project with tests, in shell, which every machine has. */
const FILES: Readonly<Record<string, string>> = {
  'README.md': '# greeter\n\nSays hello from the command line.\n',
  'greet.sh': '#!/bin/sh\n# Says hello to one person.\necho "Hello, $1!"\n',
  'tests/greet.test.sh': 'test "$(sh greet.sh Ada)" = "Hello, Ada!"\n',
  'tests/run.sh': `#!/bin/sh
# Runs every test; the first failure ends it.
set -e
cd "$(dirname "$0")/.."
for file in tests/*.test.sh; do
  sh -e "$file"
  echo "ok $file"
done
`,
};

/** The validation command of the demo. */
export const TESTS = 'sh tests/run.sh';

/** Creates the repository and returns its first commit. */
export async function makeDemoRepository(git: Git, path: string): Promise<string> {
  makeDirectory(path);
  await git.ok(write(path, 'init', '--quiet', '--initial-branch=main'));
  // The machine may not have a git identity.
  await git.ok(write(path, 'config', 'user.name', 'Demo User'));
  await git.ok(write(path, 'config', 'user.email', 'demo-user@llmc.invalid'));
  for (const [name, content] of Object.entries(FILES)) {
    makeDirectory(dirname(join(path, name)));
    writePrivate(join(path, name), content);
  }
  await git.ok(write(path, 'add', '--all'));
  await git.ok(write(path, 'commit', '--quiet', '--message', 'A greeter in shell'));
  return (await git.ok(read(path, 'rev-parse', 'HEAD'))).trim();
}

export interface DemoCommit {
  readonly commit: string;
  readonly subject: string;
  readonly parents: number;
  readonly body: string;
}

/** The commits on main after `base`, oldest first. */
export async function commitsAfter(git: Git, path: string, base: string): Promise<readonly DemoCommit[]> {
  const text = await git.ok(read(path, 'log', '--reverse', '-z', '--format=%H%n%P%n%s%n%b', `${base}..main`));
  return text
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [commit = '', parents = '', subject = '', ...body] = entry.split('\n');
      return { commit, subject, parents: parents.split(' ').length, body: body.join('\n').trim() };
    });
}
