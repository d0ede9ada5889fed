/** What a failed command printed, without the line that only tells its exit code: the card tells that. */
export const withoutExitLine = (text: string): string =>
  text.replace(/^Exit code:? -?\d+\.?(?:\n|$)/i, '').replace(/(?:^|\n)Exit code:? -?\d+\.?\s*$/i, '')
