import { expect, it } from 'vitest'
import { callsIn } from './messages.ts'

it('[A15] a stopped command failed, although the chat calls it a success', () => {
  const call = (output: string) => ({
    toolCalls: [
      { id: 'c', status: 'success', result: [{ functionResponse: { response: { output } } }] },
      { id: 'd', status: 'success', resultDisplay: output },
    ],
  })
  const statuses = (output: string) => callsIn(call(output)).map(({ status }) => status)
  expect(statuses('Command cancelled by user.\n\nOutput before cancellation:\nstarted')).toEqual([
    'failed',
    'failed',
  ])
  expect(statuses('Command was cancelled before it could complete.')).toEqual(['failed', 'failed'])
  expect(statuses('The file says: Command cancelled by user.')).toEqual(['completed', 'completed'])
})
