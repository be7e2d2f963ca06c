import { markLookAlikes } from '../../../base/look-alike.ts';
import { visibleLine } from '../../../base/visible-text.ts';

/** What llmc formatted, in one line. */
export function formattedLine({ lines, files }: { readonly lines: readonly string[]; readonly files: readonly string[] }): string {
  const named = files.slice(0, 5).join(', ') + (files.length > 5 ? ` and ${files.length - 5} more` : '');
  return markLookAlikes(visibleLine(`Formatted by ${lines.join(', ')}: ${named}`));
}
