import { installedFromNpm } from '../support/install-from-npm.ts';

const PACKAGE = '@anthropic-ai/claude-code';
const PLATFORM = `${process.platform}-${process.arch}`;

/** The one the tests are about. */
const TESTED = '2.1.325';

/** The real Claude Code; undefined, with a loud word, where it cannot be installed. */
export function installedClaude(version: string = TESTED): Promise<string | undefined> {
  return installedFromNpm({
    title: 'Claude Code',
    name: 'claude',
    package: PACKAGE,
    version,
    places: ['', '-musl'].map((suffix) => `${PACKAGE}-${PLATFORM}${suffix}/claude`),
  });
}
