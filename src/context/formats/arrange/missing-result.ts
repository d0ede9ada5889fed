import type { CallPart, ResultPart } from '../conversation.ts'

/** Stands for a result that never came, and says why; the same for the same call, so that no cache is lost. */
export const missingResult = ({ id, call, tool, denial }: CallPart): ResultPart => ({
  id: `${id}.missing`,
  kind: 'result',
  call,
  tool,
  content: [{ id: `${id}.missing.0`, kind: 'text', text: reason(denial) }],
  isError: true,
})

function reason(denial: string | undefined): string {
  if (denial === undefined) return 'No result: the call was not finished.'
  return denial.trim() === ''
    ? 'No result: the call was denied.'
    : `No result: the call was denied: ${denial}`
}
