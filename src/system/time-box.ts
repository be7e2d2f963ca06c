import { type Context, createContext, Script } from 'node:vm';

const call = new Script('work()');
let context: Context | undefined;

/**
 * Runs something synchronous and stops it after `limitMs`; undefined then. Only V8 itself can end a regular expression
 * that backtracks for ever, and its one handle on that is the time limit of a script: 0.3 ms per call, measured.
 */
export function timeBox<Result>(limitMs: number, work: () => Result): Result | undefined {
  context ??= createContext({});
  let result: Result | undefined;
  context['work'] = () => {
    result = work();
  };
  try {
    call.runInContext(context, { timeout: limitMs });
    return result;
  } catch (error) {
    if (ranOut(error)) return undefined;
    throw error;
  } finally {
    context['work'] = undefined;
  }
}

/** Made in the script's own realm, so that it is no instance of our Error. */
function ranOut(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
