import type { Json } from './json.ts'

/** Why an agent cannot take an answer that changes the input; null when it can, or when nothing is changed. */
export const refuseInput = (
  { approved, input }: { readonly approved: boolean; readonly input?: Json | undefined },
  takesInput: boolean,
): string | null =>
  approved && input !== undefined && !takesInput
    ? 'This agent cannot run a call with edited input. Approve or deny it; when you deny, you can tell the agent what to do instead.'
    : null
