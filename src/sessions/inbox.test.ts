import { expect, it } from 'vitest'
import { createInbox, type Heard } from './inbox.ts'

const said = (raw: string): Heard => ({ type: 'said', from: 'agent', raw: { raw } })
const exited: Heard = { type: 'exited', exit: { code: 0, signal: null, reason: null } }

it('[R4] an inbox is full at so many things or so many bytes, and has room again when a batch is taken', async () => {
  for (const limits of [
    { batchItems: 3, batchBytes: 1000 },
    { batchItems: 100, batchBytes: 30 },
  ]) {
    const inbox = createInbox(limits, heard => heard)
    let put = 0
    const filling = (async () => {
      for (; put < 7; put += 1) await inbox.put(said('0123456789'))
      inbox.close(exited)
    })()
    await new Promise(setImmediate)
    expect(put).toBe(2)
    const batches: number[] = []
    for await (const batch of inbox) batches.push(batch.length)
    await filling
    expect(Math.max(...batches)).toBe(3)
    expect(batches.reduce((sum, each) => sum + each)).toBe(8)
  }
})

it('[A14] the exit comes last and alone, and what is put after it is dropped', async () => {
  const inbox = createInbox({ batchItems: 10, batchBytes: 1000 }, heard => heard)
  await inbox.put(said('a'))
  inbox.close(exited)
  inbox.close({ type: 'logged', text: 'never' })
  await inbox.put(said('b'))
  const batches: (readonly Heard[])[] = []
  for await (const batch of inbox) batches.push(batch)
  expect(batches).toEqual([[said('a')], [exited]])
  expect(inbox.closed).toBe(true)
})

it('[R1] whoever waits for room does not when there is nobody any more to make it', async () => {
  const inbox = createInbox({ batchItems: 1, batchBytes: 1000 }, heard => heard)
  const waiting = inbox.put(said('a'))
  expect(waiting).toBeInstanceOf(Promise)
  inbox.close(exited)
  await waiting
})
