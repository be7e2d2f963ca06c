import { CODE_LIFE_MS, makeCode } from '../../supervisor/api/person-code.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { requireTerminal } from '../owner/require-person.ts';
import { defineVerb } from '../verb.ts';

interface Code {
  readonly code: string;
  readonly until_unix: number;
}

export const code = defineVerb<Code>({
  name: 'code',
  summary: 'print a code with which one command may decide without a terminal',
  description:
    'For a command that has no terminal, such as one that a script, a service or an editor runs: only a person decides, and the code shows that one did. Add it to the command: --code <code>. It permits one command, within 10 minutes. llmc prints it only in a terminal of yours, and stores only its hash. For a script that runs often, name its file in [people] scripts of config.toml.',
  decides: true,
  arguments: [],
  options: [],
  examples: ['llmc code'],
  async run(_, shell) {
    requireRoot(shell.layout);
    await requireTerminal('code', shell);
    const now = Date.now();
    return { code: makeCode(shell.layout.run, now), until_unix: Math.floor((now + CODE_LIFE_MS) / 1_000) };
  },
  text: (made) => `${made.code}\nIt permits one command within 10 minutes: llmc accept adam --code ${made.code}`,
});
