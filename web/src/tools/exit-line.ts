/** The output of a failed command without the line that repeats the exit code, which the card shows. */
export const withoutExitLine = (text: string): string =>
  text.replace(/^Exit code:? -?\d+\.?(?:\n|$)/i, '').replace(/(?:^|\n)Exit code:? -?\d+\.?\s*$/i, '')
