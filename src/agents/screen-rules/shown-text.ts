/**
 * Removes from a text what a screen changes: terminals wrap and trim, and tmux 3.3a splits joined emoji. `also` names the
 * characters that one CLI draws differently.
 */
export function bareText(text: string, also?: RegExp): string {
  const bare = text
    .normalize('NFC')
    .replace(
      /[\s\p{Cc}\p{Cf}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Default_Ignorable_Code_Point}]+/gu,
      '',
    );
  return also === undefined ? bare : bare.replace(also, '');
}

/** Whether the lines from a prompt on show exactly this prompt. Text after a gap may have the same indent, so the prompt can end at any gap. */
export function beginsWithPrompt(
  block: readonly string[],
  prompt: string,
  { bare = bareText, isGap = (line: string) => line === '' }: { bare?: (text: string) => string; isGap?: (line: string) => boolean } = {},
): boolean {
  const wanted = bare(prompt);
  return block.some((_, at) => isGap(block[at + 1] ?? '') && bare(block.slice(0, at + 1).join('')) === wanted);
}
