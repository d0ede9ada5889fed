import { expect, it } from 'vitest'
import { DragomanError, type ErrorCode } from '../../protocol/error.ts'
import { openDragoman } from '../dragoman.fixture.ts'

it.each([
  ['disk-full', 'disk-full'],
  ['data-folder-gone', 'data-folder-gone'],
  ['writer-dead', 'writer-dead'],
  ['journal-unreachable', 'journal-unreachable'],
  ['folder-read-only', 'journal-unreachable'],
  ['save-failed', 'journal-unreachable'],
] satisfies readonly (readonly [ErrorCode, ErrorCode])[])(
  '[O5] readiness is 503 while the store reports "%s", with the code "%s", and 200 after it',
  async (failure, code) => {
    await using server = await openDragoman()
    let isWell = false
    Object.assign(server.store, {
      health: () => (isWell ? null : new DragomanError(failure, 'No room. Make some.')),
    })
    const refused = await server.send('/readyz')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(await refused.json()).toMatchObject({ code, status: 503, detail: 'No room. Make some.' })
    expect((await server.send('/livez')).status).toBe(200)
    // Probes come often: they are not worth a line each.
    expect(server.lines.filter(line => line.includes('readyz'))).toEqual([])
    isWell = true
    expect((await server.send('/readyz')).status).toBe(200)
  },
)

it('[O5] readiness is 503 with the code "draining" while the server stops', async () => {
  await using server = await openDragoman()
  server.dragoman.drain()
  const refused = await server.send('/readyz')
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ code: 'draining', status: 503 })
})
