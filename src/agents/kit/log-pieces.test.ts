import { describe, expect, it } from 'vitest'
import { createLogPieces } from './log-pieces.ts'

async function listOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('log pieces', () => {
  it('[A14] gives a fast reader everything until the end', async () => {
    const log = createLogPieces()
    const read = listOf(log)
    log.add('one\n')
    await new Promise(setImmediate)
    log.add('two\n')
    log.end()
    expect(await read).toEqual(['one\n', 'two\n'])
  })

  it('[R4] drops text that is not read, in bounded memory, and reports it', async () => {
    const log = createLogPieces()
    for (let at = 0; at < 10_000; at += 1) log.add('x'.repeat(1_000))
    log.end()
    const pieces = await listOf(log)
    expect(pieces.join('').length).toBeLessThan(70_000)
    expect(pieces.every(piece => piece.length <= 8 * 1024)).toBe(true)
    expect(pieces.at(-1)).toMatch(/99\d{5} characters of the log were dropped/)
  })
})
