/** Text of an agent is shown to a person: what would move the cursor, colour or retitle a terminal is left out. */
export function plainText(text: string): string {
  return text.replace(
    /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    '',
  );
}
