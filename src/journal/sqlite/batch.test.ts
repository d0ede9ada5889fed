import { expect, it } from 'vitest'
import type { Event } from '../../protocol/event.ts'
import type { ConnectionId, InteractionId, SessionId } from '../../protocol/ids.ts'
import { createAddresses } from '../format/address.ts'
import { isLarge, prepare, prepareInSlices, toCommit } from './batch.ts'
import { newTail } from './session-tails.ts'

const ended = (at: number): Event => ({
  type: 'interaction-ended',
  interaction: `i${at}` as InteractionId,
  outcome: 'finished',
  reason: 'größer 🎈',
  chunks: [],
})
const spoke = (at: number): Event => ({
  type: 'host-spoke',
  interaction: `i${at}` as InteractionId,
  connection: 'c' as ConnectionId,
  raw: at % 2 === 0 ? 'ä'.repeat(at % 700) : '',
  chunks: [],
})
const wishOf = (count: number) => ({
  tail: newTail(createAddresses(new Uint8Array(16)), 1, 's' as SessionId, 5),
  events: Array.from({ length: count }, (_, at) => (at % 3 === 0 ? ended(at) : spoke(at))),
  at: 5,
  isNew: true,
})

it('[J2] [S12] a large wish is prepared in slices of 500 events, and other work runs in between', async () => {
  const turns: number[] = []
  let isPreparing = true
  const takeTurn = () => {
    turns.push(turns.length)
    if (isPreparing) setImmediate(takeTurn)
  }
  setImmediate(takeTurn)
  await prepareInSlices(wishOf(5000))
  isPreparing = false
  expect(turns).toHaveLength(9)
})

it('[J2] a wish that was prepared in slices gives the same commit', async () => {
  for (const count of [1, 500, 501, 1733]) {
    expect(isLarge(wishOf(count))).toBe(count > 500)
    const atOnce = toCommit([prepare(wishOf(count))], [], 0)
    const sliced = toCommit([await prepareInSlices(wishOf(count))], [], 0)
    expect(sliced.batch.numbers).toEqual(atOnce.batch.numbers)
    const used = prepare(wishOf(count))
    const length = Buffer.byteLength([...used.jsons, ...used.raws].join(''))
    const textOf = ({ batch }: typeof sliced) => Buffer.from(batch.bytes).toString('utf8', 0, length)
    expect(textOf(sliced)).toBe(textOf(atOnce))
  }
})
