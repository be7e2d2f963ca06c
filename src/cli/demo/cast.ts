/** A worker of the demo, its task and its scenario: the steps that the built-in agent does instead of asking a model. */
export interface CastMember {
  readonly worker: string;
  readonly task: string;
  /** The content of a scenario file. The file is YAML, so it may be JSON. */
  readonly turns: readonly { readonly when: string; readonly steps: readonly object[] }[];
}

/** Real agents add attribution lines to their commits; llmc removes them when work lands. */
const SIGNATURE = '🤖 Generated with the llmc demo agent\n\nCo-Authored-By: Demo Agent <noreply@llmc.invalid>';

const commit = (subject: string, why: string) => ({ commit: `${subject}\n\n${why}\n\n${SIGNATURE}` });
const edit = (path: string, change: object) => ({ edit: { path, ...change } });
const take = (duration: string) => ({ take: duration });
const say = (text: string) => ({ say: text });

const TESTING = { run: 'sh tests/run.sh' };

export const FEEDBACK = 'Without a name it should greet the world.';

const ADAM: CastMember = {
  worker: 'adam',
  task: 'Let greet.sh greet several people at once.',
  turns: [
    {
      when: 'several people at once',
      steps: [
        say('I will loop over the names and add a test.'),
        take('900ms'),
        edit('greet.sh', {
          content: '#!/bin/sh\n# Says hello to each person named.\nfor name in "$@"; do\n  echo "Hello, $name!"\ndone\n',
        }),
        take('700ms'),
        edit('tests/greet.test.sh', { append: 'test "$(sh greet.sh Ada Bob | wc -l)" -eq 2\n' }),
        TESTING,
        commit('Greet several people at once', 'greet.sh took only its first name; now it takes any number of them.'),
        say('Done, the tests pass.'),
      ],
    },
    {
      when: 'greet the world',
      steps: [
        say('Right: nobody named means everybody.'),
        take('900ms'),
        edit('greet.sh', { replace: { old: 'for name', new: '[ $# -gt 0 ] || set -- world\nfor name' } }),
        edit('tests/greet.test.sh', { append: 'test "$(sh greet.sh)" = "Hello, world!"\n' }),
        TESTING,
        commit('Greet the world when nobody is named', 'Asked for in review.'),
        say('Done, the tests pass.'),
      ],
    },
  ],
};

const BEA: CastMember = {
  worker: 'bea',
  task: 'Explain in README.md how to use the greeter.',
  turns: [
    {
      when: 'how to use the greeter',
      steps: [
        say('I will add a section with an example.'),
        take('1800ms'),
        edit('README.md', { append: '\n## Usage\n\n    sh greet.sh Ada\n' }),
        take('800ms'),
        commit('Explain how to use the greeter', 'A reader of README.md should not have to open the script.'),
        say('Done.'),
      ],
    },
  ],
};

const CARL: CastMember = {
  worker: 'carl',
  task: 'Add bye.sh, which says goodbye, with a test.',
  turns: [
    {
      when: 'says goodbye',
      steps: [
        say('I will write bye.sh next to greet.sh.'),
        take('700ms'),
        edit('bye.sh', { content: '#!/bin/sh\n# Says goodbye to one person.\necho "Goodbye, $1!"\n' }),
        take('500ms'),
        // The process crashes in the middle of the task.
        { misbehave: 'crash' },
        edit('tests/bye.test.sh', { content: 'test "$(sh bye.sh Ada)" = "Goodbye, Ada!"\n' }),
        TESTING,
        take('500ms'),
        commit('Say goodbye', 'bye.sh is the counterpart of greet.sh.'),
        say('Done, the tests pass.'),
      ],
    },
  ],
};

export const CAST: readonly CastMember[] = [ADAM, BEA, CARL];
/** The worker whose work is reviewed, rejected and reviewed again. */
export const REVIEWED = ADAM.worker;
