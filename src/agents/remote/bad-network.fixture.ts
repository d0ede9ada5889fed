import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A network between us and a service that loses connections. */
export interface BadNetwork {
  readonly url: string
  /** How many connections it has lost, in each way. */
  readonly lost: Record<Loss, number>
}

type Loss = 'refused' | 'cut' | 'ended' | 'stalled'

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Forwards bytes to a port and back, and loses most connections after some bytes: by reset, by close, or silently. */
export async function openBadNetwork(port: number, seed: number, most: number): Promise<BadNetwork> {
  const chance = chanceOf(seed)
  const lost = { refused: 0, cut: 0, ended: 0, stalled: 0 }
  const open = new Set<Socket>()
  const server = createServer(near => {
    const fate = chance()
    open.add(near)
    near.on('error', () => undefined)
    if (fate < 0.1) {
      lost.refused += 1
      return void near.resetAndDestroy()
    }
    const far = connect(port, '127.0.0.1')
    open.add(far)
    far.on('error', () => near.destroy())
    const how: Loss | null = fate < 0.5 ? 'cut' : fate < 0.75 ? 'ended' : fate < 0.8 ? 'stalled' : null
    let left = Math.floor(chance() * chance() * most)
    const carry = (from: Socket, to: Socket) => {
      from.on('data', bytes => {
        if (how === null || bytes.length <= left) {
          left -= bytes.length
          return void to.write(bytes)
        }
        if (left < 0) return
        to.write(bytes.subarray(0, left))
        left = -1
        lost[how] += 1
        if (how === 'stalled') return void [near.pause(), far.pause()]
        for (const socket of [near, far])
          if (how === 'cut') socket.resetAndDestroy()
          else socket.end()
      })
      from.on('close', () => to.destroy())
    }
    carry(near, far)
    carry(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lost }
}
