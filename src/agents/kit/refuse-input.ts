import type { Answer } from '../agent.ts'

/** Why an agent cannot take an answer that changes the input, unless the question itself asks for an input. */
export const refuseInput = ({ approved, input }: Answer, takesInput: boolean): string | null =>
  approved && input !== undefined && !takesInput
    ? 'The agent cannot run a call with another input than it asked about. Say yes or no, and with a no what it should do instead.'
    : null
