import { type Context, createContext, Script } from 'node:vm';

const call = new Script('work()');
let context: Context | undefined;

/**
 * Runs a synchronous function and stops it after `limitMs`; then returns undefined. Only V8 can stop a regular expression
 * that backtracks for ever, and only by the timeout of a script, which costs 0.3 ms per call.
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

/** The error comes from the script's own realm, so it is not an instance of this realm's Error. */
function ranOut(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
