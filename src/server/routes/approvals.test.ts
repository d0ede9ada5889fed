import { describe, expect, it, onTestFinished } from 'vitest'
import { catchUp } from '../../catalogue/catch-up.ts'
import { call, connected, created, spoke, start, started } from '../../projections/journal.fixture.ts'
import type { Replied } from '../../protocol/api/api.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openDragoman } from '../dragoman.fixture.ts'

async function open() {
  const server = await openDragoman()
  onTestFinished(() => server[Symbol.asyncDispose]())
  const ask = async (id: string, answer?: { readonly approved: boolean; readonly reason?: string }) => {
    const session = await server.session(id)
    await server.call('prompt', { params: { session }, body: { text: 'an approval' } })
    const { id: approval } = await server.asked(session)
    if (answer === undefined) return
    await server.call('answerApproval', { params: { session, approval }, body: answer })
    await server.dragoman.sessions.whenIdle(session as SessionId)
  }
  const list = async (query: Readonly<Record<string, string>> = {}) =>
    (await server.call('listAllApprovals', { query })).json
  return { server, ask, list }
}

const names = ({ approvals }: Replied<'listAllApprovals'>) => approvals.map(({ session }) => session)

describe('the approvals of all sessions', () => {
  it('[T1] have the id of their session, newest first, pending or settled', async () => {
    const { server, ask, list } = await open()
    await ask('one', { approved: true })
    await ask('two', { approved: false, reason: 'not today' })
    await ask('three')
    const all = await list()
    expect(names(all)).toEqual(['three', 'two', 'one'])
    for (const { session, ...approval } of all.approvals) {
      const { json } = await server.call('listApprovals', { params: { session }, query: { all: '1' } })
      expect(json.approvals).toEqual([approval])
    }
    expect(names(await list({ status: 'pending' }))).toEqual(['three'])
    expect(names(await list({ status: 'settled' }))).toEqual(['two', 'one'])
    const { json } = await server.call('listSessions', {})
    expect(new Set(all.sessions)).toEqual(new Set(json.sessions))
    await server.call('interrupt', { params: { session: 'three' } })
    await server.dragoman.sessions.whenIdle('three' as SessionId)
    expect((await list({ status: 'settled' })).approvals[0]).toMatchObject({
      session: 'three',
      status: 'lapsed',
    })
    await server.call('deleteSession', { params: { session: 'two' } })
    expect(names(await list())).toEqual(['three', 'one'])
  })

  it('[T1] are read in pages, and an invalid cursor or status is refused', async () => {
    const { server, ask, list } = await open()
    for (const id of ['one', 'two', 'three']) await ask(id, { approved: true })
    const first = await list({ limit: '2' })
    expect(names(first)).toEqual(['three', 'two'])
    const second = await list({ limit: '2', cursor: first.next ?? '' })
    expect(names(second)).toEqual(['one'])
    expect(second.next).toBeNull()
    for (const query of ['cursor=x', 'cursor=', 'status=granted', 'limit=101', 'after=1']) {
      const refused = await server.send(`/api/approvals?${query}`)
      expect([refused.status, await refused.json()], query).toMatchObject([400, { code: 'invalid-input' }])
    }
  })

  it('[T1] are only read: no session is opened, and nothing is written', async () => {
    const { server, list } = await open()
    const { journal, catalogue } = server.store
    const session = 'left' as SessionId
    // Opening this session would close what a dead server left running in it.
    await journal.create(session, [
      created(),
      started('i'),
      connected,
      spoke('i', null, start('m'), call('c', 'Bash')),
      spoke('i', null, { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' }),
    ])
    await catchUp({ journal, catalogue }, session)
    expect(names(await list({ status: 'pending' }))).toEqual([session])
    expect(names(await list())).toEqual([session])
    expect(await journal.head(session)).toBe(5)
    expect(server.dragoman.sessions.troubles()).toEqual([])
  })
})
