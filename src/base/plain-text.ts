/** Removes the escape sequences and control characters from an agent's text that would move the cursor, or change the colour or title of a terminal. */
export function plainText(text: string): string {
  return text.replace(
    /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    '',
  );
}
