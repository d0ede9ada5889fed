import type { Json } from './json.ts'

/** Why an agent cannot take an answer that changes the input; null when it can, or when nothing is changed. */
export const refuseInput = (
  { approved, input }: { readonly approved: boolean; readonly input?: Json | undefined },
  takesInput: boolean,
): string | null =>
  approved && input !== undefined && !takesInput
    ? 'The agent cannot run a call with another input than it asked about. Say yes or no, and with a no what it should do instead.'
    : null
