const ALONE = ['--dangerously-bypass-approvals-and-sandbox', '--approve-for-me'];
const WITH_VALUE = ['-s', '--sandbox', '-a', '--ask-for-approval', '--add-dir'];
const SETTING = /^(?:sandbox|approval|approvals|permissions|default_permissions|trust_level)\w*(?:\.|=)/;

/**
 * The user's arguments without those about permissions: the server has them already, and a viewer with any of them ends at once
 * ("Permission overrides are not supported when resuming a remote task", 0.166.0).
 */
export function viewerArguments(args: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const value = args[at + 1] ?? '';
    if (ALONE.includes(word) || WITH_VALUE.some((flag) => word.startsWith(`${flag}=`))) continue;
    if (WITH_VALUE.includes(word) || ((word === '-c' || word === '--config') && SETTING.test(value))) at += 1;
    else kept.push(word);
  }
  return kept;
}
