import type { CallPart, ResultPart } from '../conversation.ts'

/** Stands for a result that never came; the same for the same call, so that no cache is lost. */
export const missingResult = ({ id, call, tool }: CallPart): ResultPart => ({
  id: `${id}.missing`,
  kind: 'result',
  call,
  tool,
  content: [{ id: `${id}.missing.0`, kind: 'text', text: 'No result: the call was not finished.' }],
  isError: true,
})
