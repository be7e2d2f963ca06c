import { CAST } from '../cast.ts';

export const RUN = 'swarm-1';
export const DEVELOPER = `${RUN}-developer`;

/** The first worker of the other demo has the same task, and gets the same remark from a person. */
const [{ task = '', turns: [build, change] = [] } = {}] = CAST;

export const TASK = task;

const REMARK = 'greet.sh:3: without a name it prints nothing; it should greet the world';

const FINDINGS = `# Findings

- greet.sh:3 prints one line for its first argument and ignores the others.
- tests/run.sh runs every tests/*.test.sh; a test is a line of shell that fails with a status.
- Easily forgotten: a name with a blank, and no name at all.
`;

/** How long the developer works on its first commit: long enough for the end of the supervisor and its next start. */
const LONG_WORK = '4s';

interface Turn {
  readonly when?: string;
  readonly steps: readonly object[];
}

/** The scenario of each role of the workflow `swarm`. A turn without `when` is used once: for the next prompt. */
export const SCENARIOS: Readonly<Record<string, readonly Turn[]>> = {
  researcher: [
    {
      steps: [
        { say: 'I will read the script and its tests.' },
        { run: 'cat greet.sh tests/run.sh' },
        { take: '1200ms' },
        { leave: { file: 'findings.md', content: FINDINGS } },
        { say: 'The findings are in findings.md.' },
      ],
    },
  ],
  developer: [{ steps: [{ take: LONG_WORK }, ...(build?.steps ?? [])] }, { steps: change?.steps ?? [] }],
  reviewer: [
    {
      when: '.',
      steps: [
        { say: 'I will read the diff and run the tests.' },
        { run: 'sh tests/run.sh' },
        { take: '1200ms' },
        { leave: { file: 'verdict.yaml', issues: [REMARK], rounds: 1 } },
        { say: 'My verdict is in verdict.yaml.' },
      ],
    },
  ],
};
