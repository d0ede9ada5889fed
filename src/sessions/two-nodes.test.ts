import { expect, it, onTestFinished } from 'vitest'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { createCatalogue } from '../catalogue/sqlite/sqlite-catalogue.fixture.ts'
import { follow } from '../journal/follow.ts'
import type { Journal } from '../journal/journal.ts'
import { createMemoryNodes, type MemoryNode } from '../journal/memory-nodes.ts'
import type { Entry } from '../protocol/entry.ts'
import type { SessionId } from '../protocol/ids.ts'
import { createFailingJournal } from './failing-journal.fixture.ts'
import { collect } from './house.fixture.ts'
import type { Limits } from './limits.ts'
import { createPuppet, type Act } from './puppet.fixture.ts'
import { replay } from './view/replay.ts'
import { openSessions } from './sessions.ts'

/** Two nodes on one store; writes of a read-only node are refused and recorded. */
function createNodes(act: Act) {
  const store = createMemoryNodes()
  const catalogue = createCatalogue()
  const written: string[] = []
  const puppet = createPuppet({ act })
  let held = Promise.withResolvers<void>()
  held.resolve()
  const rows = {
    hold: () => (held = Promise.withResolvers<void>()),
    release: () => held.resolve(),
  }
  const slow: Catalogue = {
    ...catalogue,
    async save(changes) {
      await held.promise
      await catalogue.save(changes)
    },
  }
  onTestFinished(() => rows.release())
  const open = async (
    { journal, bell, ownership }: MemoryNode,
    mayWrite = true,
    limits: Partial<Limits> = {},
  ) => {
    const sessions = await openSessions({
      journal: mayWrite ? journal : watched(journal, written),
      bell,
      ownership,
      catalogue: mayWrite ? slow : watched(catalogue, written),
      agents: [puppet],
      dataFolder: '/nowhere',
      limits: { idleMs: 20, ...limits },
    })
    onTestFinished(() => sessions[Symbol.asyncDispose]())
    return sessions
  }
  return { store, puppet, written, open, rows }
}

const writing = ['create', 'append', 'appendOnce', 'rest', 'save', 'forget']

function watched<Part extends object>(part: Part, written: string[]): Part {
  const names = writing.filter(name => name in part)
  const refuse = (name: string) => () => {
    written.push(name)
    throw new Error(`A view called ${name}.`)
  }
  return { ...part, ...Object.fromEntries(names.map(name => [name, refuse(name)])) }
}

const asking: Act = async ({ say, answer }) => {
  say({ t: 'begin' })
  say({ t: 'say', text: 'working' })
  say({ t: 'ask', id: 'may-i' })
  await answer('may-i')
  say({ t: 'result', call: 'call-may-i' })
  say({ t: 'end' })
}

const prompt = (session: SessionId, text: string) => ({
  type: 'prompt' as const,
  session,
  parts: [{ type: 'text' as const, text }],
})

const allOf = (journal: Journal, session: SessionId): Promise<readonly Entry[]> =>
  journal.read(session, 0, 10_000)

it('[T7] a second node reads, lists, follows and replays a session while the first works, and writes nothing', async () => {
  const { store, written, puppet, open } = createNodes(asking)
  const [one, two] = [store.open('one'), store.open('two')]
  const a = await open(one)
  const b = await open(two, false)
  const { session } = await a.execute({ type: 'create', agent: 'puppet', cwd: '/' })
  await a.execute(prompt(session, 'go'))
  await expect.poll(async () => (await b.get(session)).status).toBe('waiting')

  expect((await b.list({ limit: 5 })).sessions.map(each => each.session)).toEqual([session])
  // Its rows are written a moment after the journal.
  const messages = async () => (await b.messages(session, { thread: null, limit: 5 })).messages
  await expect.poll(messages).toHaveLength(2)
  expect((await b.snapshot(session, { limit: 5 })).session.status).toBe('waiting')
  expect((await b.approvals(session)).approvals).toMatchObject([{ id: 'may-i', status: 'pending' }])
  expect((await b.interactions(session, { limit: 5 })).interactions).toHaveLength(1)
  const parts = { journal: two.journal, agents: new Map([[puppet.name, puppet]]) }
  const again = await collect(
    replay(parts, session, { speed: Infinity, signal: new AbortController().signal }),
  )
  expect(again).toHaveLength(await one.journal.head(session))
  expect((await a.get(session)).status).toBe('waiting')

  const stop = new AbortController()
  const seen: Entry[] = []
  const following = (async () => {
    for await (const entries of follow(two, session, 0, { signal: stop.signal })) seen.push(...entries)
  })()
  const idle = b.whenIdle(session)
  await a.execute({ type: 'answer', session, approval: 'may-i', approved: true })
  await idle
  await expect.poll(() => seen.at(-1)?.event.type).toBe('agent-exited')
  stop.abort()
  await following.catch(() => {})

  expect(seen).toEqual(await allOf(one.journal, session))
  expect(seen.filter(({ event }) => event.type === 'interaction-ended')).toMatchObject([
    { event: { outcome: 'finished' } },
  ])
  expect(written).toEqual([])
})

it('[T7] a command on a session that another node owns is refused and leaves its agent alone', async () => {
  const { store, open } = createNodes(asking)
  const a = await open(store.open('one'))
  const b = await open(store.open('two'))
  const { session } = await a.execute({ type: 'create', agent: 'puppet', cwd: '/' })
  await a.execute(prompt(session, 'go'))
  await expect.poll(async () => (await a.get(session)).status).toBe('waiting')
  await expect(b.execute(prompt(session, 'me too'))).rejects.toMatchObject({ code: 'not-owner' })
  await expect.poll(async () => (await b.get(session)).status).toBe('waiting')
  await a.execute({ type: 'answer', session, approval: 'may-i', approved: true })
  await a.whenIdle(session)
  // No node owns an idle session, so the other node can claim it now.
  await expect.poll(async () => b.execute(prompt(session, 'now')).catch(() => null)).not.toBeNull()
})

it('[T7] a node that loses its sessions ends its agents and saves nothing more; the next one closes what ran', async () => {
  const { store, puppet, open } = createNodes(asking)
  const [one, two] = [store.open('one'), store.open('two')]
  const a = await open(one)
  const { session } = await a.execute({ type: 'create', agent: 'puppet', cwd: '/' })
  await a.execute(prompt(session, 'go'))
  await expect.poll(async () => (await a.get(session)).status).toBe('waiting')
  store.expire('one')
  await expect.poll(() => puppet.counts.now).toBe(0)
  const b = await open(two)
  await expect.poll(async () => (await b.get(session)).status).toBe('idle')
  const entries = await allOf(two.journal, session)
  expect(entries.map(({ event }) => event.type).filter(type => /ended|lapsed|exited/.test(type))).toEqual([
    'approval-lapsed',
    'agent-exited',
    'interaction-ended',
  ])
})

it('[T7] [O2] a node that lost a session shows the state of the next owner, and nothing there waits forever', async () => {
  const { store, puppet, open } = createNodes(asking)
  const a = await open(store.open('one'))
  const { session } = await a.execute({ type: 'create', agent: 'puppet', cwd: '/' })
  await a.execute(prompt(session, 'go'))
  await expect.poll(async () => (await a.get(session)).status).toBe('waiting')
  const idle = a.whenIdle(session)
  store.expire('one')
  const b = await open(store.open('two'))
  await expect.poll(async () => (await b.get(session)).status).toBe('idle')
  await expect.poll(() => puppet.counts.now).toBe(0)
  await idle
  await expect.poll(async () => (await a.get(session)).status).toBe('idle')
  const rename = () =>
    a.execute({ type: 'rename', session, title: 'again' }).then(
      ({ seq }) => seq,
      () => null,
    )
  await expect.poll(rename).not.toBeNull()
})

it('[T7] [O2] a prompt that waits for a slot starts no agent when its node loses the session', async () => {
  const { store, puppet, open } = createNodes(({ say }) => say({ t: 'begin' }))
  const a = await open(store.open('one'), true, { places: 1, placeMs: 1 })
  const create = async () => (await a.execute({ type: 'create', agent: 'puppet', cwd: '/' })).session
  const [first, second] = [await create(), await create()]
  await a.execute(prompt(first, 'go'))
  await expect.poll(() => puppet.counts.now).toBe(1)
  await a.execute(prompt(second, 'me too'))
  await expect.poll(async () => (await a.get(second)).awaitsPlace).not.toBeNull()
  store.expire('one')
  await expect.poll(() => puppet.counts.now).toBe(0)
  await a[Symbol.asyncDispose]()
  expect(puppet.counts.ever).toBe(1)
})

it('[T7] a node that stops releases its sessions, also when work there never ends', async () => {
  const { store, open } = createNodes(asking)
  const [one, two] = [store.open('one'), store.open('two')]
  const { disk, wrap } = createFailingJournal()
  const limits = { stopMs: 20, endMs: 10, interruptMs: 10 }
  const a = await open({ ...one, journal: wrap(one.journal) }, true, limits)
  const { session } = await a.execute({ type: 'create', agent: 'puppet', cwd: '/' })
  await a.execute(prompt(session, 'go'))
  await expect.poll(async () => (await a.get(session)).status).toBe('waiting')
  disk.failure = 'hangs'
  await a[Symbol.asyncDispose]()
  expect(await two.ownership.ownerOf(session)).toBeNull()
  const b = await open(two)
  await expect.poll(async () => (await b.get(session)).status).toBe('idle')
})

it('[T7] [T4] a snapshot of a session that another node owns is as recent as its rows', async () => {
  const { store, open, rows } = createNodes(asking)
  const a = await open(store.open('one'))
  const b = await open(store.open('two'), false)
  const { session } = await a.execute({ type: 'create', agent: 'puppet', cwd: '/' })
  await a.execute(prompt(session, 'go'))
  await expect.poll(async () => (await b.get(session)).status).toBe('waiting')
  rows.hold()
  await a.execute({ type: 'answer', session, approval: 'may-i', approved: true })
  const { journal } = store.open('three')
  const ends = async () =>
    (await allOf(journal, session)).filter(({ event }) => event.type === 'interaction-ended')
  await expect.poll(ends).toHaveLength(1)
  const { asOf, session: seen } = await b.snapshot(session, { limit: 10 })
  expect([seen.status, asOf]).toEqual(['waiting', seen.seq])
  expect(asOf).toBeLessThan(await journal.head(session))
  rows.release()
  await expect.poll(async () => (await b.snapshot(session, { limit: 10 })).session.status).toBe('idle')
})
