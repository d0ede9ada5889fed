import { expect, it, onTestFinished } from 'vitest'
import { catchUp } from '../../catalogue/catch-up.ts'
import { call, connected, created, spoke, start, started } from '../../projections/journal.fixture.ts'
import { paths, type CallName } from '../../protocol/api/paths.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openDragoman } from '../dragoman.fixture.ts'

const reads = (Object.keys(paths) as CallName[]).filter(name => paths[name].startsWith('GET '))

it.each(reads)('[T7] %s writes nothing into a session that a dead server left running', async name => {
  const server = await openDragoman()
  onTestFinished(() => server[Symbol.asyncDispose]())
  const { journal, catalogue } = server.store
  const session = 'left' as SessionId
  // Claiming this session would close what still seems to run in it.
  await journal.create(session, [
    created(),
    started('i'),
    connected,
    spoke('i', null, start('m'), call('c', 'Bash')),
    spoke('i', null, { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' }),
  ])
  await catchUp({ journal, catalogue }, session)

  const [, pattern = ''] = paths[name].split(' ')
  const query = name === 'search' ? '?q=word' : ''
  const path = `${pattern.replace(':session', session).replace(':interaction', 'i').replace(':seq', '4')}${query}`
  const stop = new AbortController()
  const reply = await server.send(path, { signal: stop.signal })
  // A stream goes on; other replies end. Either way, its first bytes come after the session was read.
  await reply.body?.getReader().read()
  stop.abort()

  if (pattern.includes(':session')) expect(reply.status).toBe(200)
  expect(await journal.head(session)).toBe(5)
})
