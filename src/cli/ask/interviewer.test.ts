import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import type { ApprovalId, ConnectionId } from '../../protocol/ids.ts'
import { createInterviewer } from './interviewer.ts'
import { createLineSource } from './line-source.ts'

const entry = (event: Event) => ({ session: 's', seq: 1, id: 'x', at: 0, event }) as unknown as Entry
const asks = (call: string, approvalId: string) =>
  entry({
    type: 'agent-spoke',
    interaction: null,
    connection: 'c' as ConnectionId,
    raw: '',
    chunks: [
      {
        thread: null,
        chunk: { type: 'tool-input-available', toolCallId: call, toolName: 'Bash', input: null },
      },
      { thread: null, chunk: { type: 'tool-approval-request', toolCallId: call, approvalId } },
    ],
  })
const lapsed = (approval: string) =>
  entry({ type: 'approval-lapsed', approval: approval as ApprovalId, reason: 'gone' })

it('[O3] asks one approval after the other, and cancels a settled one', async () => {
  const steps: string[] = []
  {
    await using interviewer = createInterviewer({
      answer: async ({ id }, moot) => {
        steps.push(`${id} put`)
        if (id === 'b') return { approved: true }
        await new Promise(resolve => moot.addEventListener('abort', resolve))
        steps.push(`${id} taken back`)
        return null
      },
      give: async ({ id }, { approved }) => void steps.push(`${id} ${approved}`),
    })
    interviewer.handle(asks('1', 'a'))
    interviewer.handle(asks('2', 'b'))
    await turn()
    expect(steps).toEqual(['a put'])
    interviewer.handle(lapsed('a'))
    await turn()
    expect(steps).toEqual(['a put', 'a taken back', 'b put', 'b true'])
    interviewer.handle(asks('3', 'c'))
    interviewer.handle(asks('4', 'd'))
    await turn()
  }
  expect(steps.slice(4)).toEqual(['c put', 'c taken back'])
})

it('[O3] ignores input that was typed before its question', async () => {
  const input = new PassThrough()
  using lines = createLineSource(input)
  const { signal } = new AbortController()
  input.write('y\n')
  await turn()
  const answer = lines.next(signal)
  await turn()
  input.write('n\n')
  expect(await answer).toBe('n')
  const moot = new AbortController()
  const given = lines.next(moot.signal)
  moot.abort()
  expect(await given).toBeNull()
  input.end()
  await turn()
  expect(await lines.next(signal)).toBeNull()
})
