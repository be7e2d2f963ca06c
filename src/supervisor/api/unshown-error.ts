import { LlmcError } from '../../base/error.ts';
import type { Lacking } from '../../terminal/person.ts';
import type { Inside } from '../../terminal/session-above.ts';

/** The hint does not name the option that permits it: an agent reads it, and could set the option. */
export function insideWorkerError(verb: string, { worker }: Inside): LlmcError {
  const by = worker === undefined ? 'it was run inside the session of a worker' : `worker ${worker} ran it`;
  return new LlmcError('INSIDE_WORKER', `"llmc ${verb}" is for a person only, and ${by}`, {
    hint: 'Run it in your own terminal, outside the sessions of the workers.',
  });
}

/** For a process that may be a person's, and that nothing shows to be one. */
export function unshownError(verb: string, lacks: Lacking): LlmcError {
  return new LlmcError('PERSON_NOT_SHOWN', `"llmc ${verb}" is for a person only, and ${whatLacks(lacks)}`, {
    hint:
      lacks.kind === 'unsafe_script'
        ? 'Fix the file, or name another one in [people] scripts of config.toml.'
        : 'Run it in a terminal of yours (over ssh: ssh -t). For a script or a service, name its file in [people] scripts of config.toml; for one command, run llmc code in a terminal and add --code.',
  });
}

function whatLacks(lacks: Lacking): string {
  switch (lacks.kind) {
    case 'no_terminal':
      return 'nothing shows that a person runs it: it has no terminal';
    case 'origin':
      return `it cannot be told where it comes from: an agent may have started process ${lacks.pid} (${lacks.name})`;
    case 'unsafe_script':
      return `the script ${lacks.path} shows nothing: ${lacks.problem}`;
    case 'unreadable':
      return 'llmc cannot verify which process asked for it';
    case 'code':
      return 'the code is not valid: it was used, it is older than 10 minutes, or it was mistyped';
  }
}
