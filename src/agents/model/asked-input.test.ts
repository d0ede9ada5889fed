import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createHarness, outcomesOf, type Harness } from './harness.fixture.ts'

/** A piece of a call, as a service streams it. */
const piece = (index: number, text: string, id?: string) => ({
  index,
  ...(id !== undefined && { id }),
  function: { ...(id !== undefined && { name: 'run' }), arguments: text },
})

/** A service that streams the given pieces of calls, and then ends. */
async function startService(pieces: readonly object[]): Promise<string> {
  let requests = 0
  const server = createServer((_, reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (delta: object, finish_reason: string | null = null) => {
      const chunk = { id: 'x', model: 'm', choices: [{ index: 0, delta, finish_reason }] }
      reply.write(`data: ${JSON.stringify(chunk)}\n\n`)
    }
    requests += 1
    if (requests === 1) for (const each of pieces) send({ tool_calls: [each] })
    else send({ content: 'Done.' })
    send({}, requests === 1 ? 'tool_calls' : 'stop')
    reply.end('data: [DONE]\n\n')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

/** The input that was shown with each approval request, in order. */
const shownIn = ({ chunks }: Harness) =>
  chunks.flatMap(({ chunk: asked }, at) => {
    if (asked.type !== 'tool-approval-request') return []
    const shown = chunks
      .slice(0, at)
      .findLast(({ chunk }) => 'toolCallId' in chunk && chunk.toolCallId === asked.toolCallId)?.chunk
    return shown?.type === 'tool-input-available' ? [[asked.toolCallId, shown.input] as const] : []
  })

it('[S10] of two calls that a service gave one id, each is asked about with the input that will run', async () => {
  const url = await startService([
    piece(0, '{"command":', 'x'),
    piece(1, '{"command":"echo two"}', 'x'),
    piece(0, '"echo one"}'),
  ])
  await using harness = await createHarness({ provider: 'openai-compatible', baseUrl: url, model: 'm' })
  const answer = harness.prompt('Go')
  const answered = new Set<string>()
  while (answered.size < 2) {
    const { approvalId } = await harness.until(
      'tool-approval-request',
      each => !answered.has(each.approvalId),
    )
    answered.add(approvalId)
    await harness.answer(approvalId, {})
  }
  const outcomes = outcomesOf(await answer)
  const ran = shownIn(harness).map(([call, input]) => [input, outcomes[call]])
  expect(ran).toEqual([
    [{ command: 'echo one' }, { output: 'one\n', exitCode: 0 }],
    [{ command: 'echo two' }, { output: 'two\n', exitCode: 0 }],
  ])
})
