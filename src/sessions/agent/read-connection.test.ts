import { expect, it } from 'vitest'
import { createAgentOutput, type ConnectionItem } from './read-connection.ts'

const said = (raw: string): ConnectionItem => ({ type: 'line', from: 'agent', raw: { raw } })
const exited: ConnectionItem = { type: 'exited', exit: { code: 0, signal: null, reason: null } }

it('[R4] the output is full at a number of items or bytes, and has room again when a batch is taken', async () => {
  for (const limits of [
    { batchItems: 3, batchBytes: 1000 },
    { batchItems: 100, batchBytes: 30 },
  ]) {
    const output = createAgentOutput(limits, item => item)
    let put = 0
    const filling = (async () => {
      for (; put < 7; put += 1) await output.put(said('0123456789'))
      output.close(exited)
    })()
    await new Promise(setImmediate)
    expect(put).toBe(2)
    const batches: number[] = []
    for await (const batch of output) batches.push(batch.length)
    await filling
    expect(Math.max(...batches)).toBe(3)
    expect(batches.reduce((sum, each) => sum + each)).toBe(8)
  }
})

it('[A14] the exit comes last and alone, and later items are dropped', async () => {
  const output = createAgentOutput({ batchItems: 10, batchBytes: 1000 }, item => item)
  await output.put(said('a'))
  output.close(exited)
  output.close({ type: 'logged', text: 'never' })
  await output.put(said('b'))
  const batches: (readonly ConnectionItem[])[] = []
  for await (const batch of output) batches.push(batch)
  expect(batches).toEqual([[said('a')], [exited]])
  expect(output.closed).toBe(true)
})

it('[R1] a wait for room ends when the output is closed', async () => {
  const output = createAgentOutput({ batchItems: 1, batchBytes: 1000 }, item => item)
  const waiting = output.put(said('a'))
  expect(waiting).toBeInstanceOf(Promise)
  output.close(exited)
  await waiting
})
