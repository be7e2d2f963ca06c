import { installedFromNpm } from '../support/install-from-npm.ts';

const PACKAGE = '@anthropic-ai/claude-code';
const PLATFORM = `${process.platform}-${process.arch}`;

/** The version that the tests run. */
const TESTED = '2.1.325';

/** The real Claude Code; undefined, with a warning on stderr, where it cannot be installed. */
export function installedClaude(version: string = TESTED): Promise<string | undefined> {
  return installedFromNpm({
    title: 'Claude Code',
    name: 'claude',
    package: PACKAGE,
    version,
    places: ['', '-musl'].map((suffix) => `${PACKAGE}-${PLATFORM}${suffix}/claude`),
  });
}
