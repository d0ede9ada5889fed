import { expect, it } from 'vitest'
import { isCut } from '../../protocol/cut-text.ts'
import { readLong } from '../kit/long-line.fixture.ts'
import {
  asks,
  begins,
  command,
  completes,
  delta,
  translated,
  inTurn,
  text,
  turnBegins,
  turnEnds,
} from './talk.fixture.ts'

const megabytes = (count: number) => 'x'.repeat(count * 1_000_000)

it('[A18] a command with 6 MB of output and exit code 0 succeeds', async () => {
  const done = command('c', { status: 'completed', exitCode: 0, aggregatedOutput: '\0'.repeat(1_000_000) })
  const long = await readLong(completes(done))
  expect(long.cut).toBe(true)
  const { main } = inTurn(begins(command('c')), long)
  const end = main.find(({ type }) => type === 'tool-output-available')
  expect(end).toMatchObject({ toolCallId: 'c', output: { exitCode: 0 } })
  expect(main.some(({ type }) => type === 'tool-output-error')).toBe(false)
})

it('[A18] the end of a turn with 20 MB ends the answer, and repeats no text', async () => {
  const items = [{ type: 'agentMessage', id: 'i', text: megabytes(20) }]
  const { main } = translated(
    turnBegins(),
    delta('i', 'hi'),
    text('i', 'hi'),
    await readLong(turnEnds('completed', { items })),
  )
  expect(main.filter(({ type }) => type === 'finish')).toMatchObject([{ finishReason: 'stop' }])
  expect(main.filter(({ type }) => type === 'text-delta')).toHaveLength(1)
})

it('[A18] a large picture of the prompt, repeated by Codex, gives no warning', async () => {
  const content = [{ type: 'image', url: `data:image/png;base64,${megabytes(5)}` }]
  const echo = { type: 'userMessage', id: 'p', content }
  const { main } = inTurn(await readLong(begins(echo)), await readLong(completes(echo)), delta('i', 'hi'))
  expect(main.filter(({ type }) => type === 'data-notice')).toEqual([])
})

it('[A18] approval of a file change of 5 MB has an input that is marked as cut', async () => {
  const changes = [{ path: '/f', kind: { type: 'add' }, diff: megabytes(5) }]
  const item = { type: 'fileChange', id: 'c', status: 'inProgress', changes }
  const { main } = translated(
    turnBegins(),
    await readLong(begins(item)),
    asks(3, 'item/fileChange/requestApproval', { itemId: 'c' }),
  )
  expect(main.filter(({ type }) => type === 'tool-approval-request')).toHaveLength(1)
  const input = main.findLast(chunk => chunk.type === 'tool-input-available')?.input
  expect(isCut(input)).toBe(true)
})

it('[A18] a picture that is too large to show gives a notice', async () => {
  const item = { type: 'imageGeneration', id: 'g', status: 'completed', result: `iVBORw0KGgo${megabytes(5)}` }
  const { main } = inTurn(await readLong(completes(item)))
  expect(main.filter(({ type }) => type === 'file')).toEqual([])
  expect(main.filter(({ type }) => type === 'data-notice')).toMatchObject([
    { data: { code: 'file-too-large' } },
  ])
})
