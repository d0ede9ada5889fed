import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scripted } from '../agents/scripted/index.ts'
import { createApprovals } from '../projections/approvals.ts'
import { foldEntries } from '../projections/fold.ts'
import { chunksOf } from '../protocol/event.ts'
import { collect, openHouse, type House } from './house.fixture.ts'
import { compareTranslations } from './view/compare-translations.ts'
import { replay } from './view/replay.ts'

let dataFolder = ''
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'dragoman-sessions-'))
})
afterAll(() => rm(dataFolder, { recursive: true, force: true }))

async function open() {
  const house = await openHouse([scripted], { dataFolder, limits: { interruptMs: 2000 } })
  const { session } = await house.sessions.execute({
    type: 'create',
    agent: 'scripted',
    cwd: dataFolder,
    options: { pace: 0 },
  })
  return { house, session }
}

/** Approves everything until the session is idle. */
async function approveAll(house: House, session: Parameters<House['entries']>[0]): Promise<void> {
  const answerWhatIsAsked = async () => {
    const { approvals } = await house.sessions.approvals(session)
    for (const { id } of approvals.filter(each => each.status === 'pending'))
      await house.sessions.execute({ type: 'answer', session, approval: id, approved: true })
    return (await house.sessions.get(session)).status
  }
  await expect.poll(answerWhatIsAsked).toMatch(/^(idle|failed)$/)
}

it('[A11] a real process shows everything, and its journal replays and rebuilds to the same', async () => {
  const { house, session } = await open()
  await using sessions = house.sessions
  await house.prompt(session, 'show me everything')
  await approveAll(house, session)
  const ended = await house.events(session, 'interaction-ended')
  expect(ended).toHaveLength(1)
  const [connected] = await house.events(session, 'agent-connected')
  expect(connected?.process).toBeGreaterThan(1)

  const parts = { journal: house.journal, agents: new Map([[scripted.name, scripted]]) }
  expect(await collect(compareTranslations(parts, session))).toEqual([])
  const { signal } = new AbortController()
  const shown = await collect(replay(parts, session, { speed: Infinity, signal }))
  const entries = await house.entries(session)
  expect(shown.map(({ chunks }) => chunks)).toEqual(entries.map(({ event }) => chunksOf(event)))
  const details = await sessions.get(session)
  expect(details.agentSession).not.toBeNull()
  expect(
    await house.options.catalogue.findByAgentSession('scripted', details.agentSession ?? ''),
  ).toHaveLength(1)
})

it.each([
  ['a hang', 'interrupt'],
  ['a crash', 'wait'],
  ['an error', 'wait'],
] as const)('[A14] %s ends in a closed interaction, and the session continues', async (phrase, how) => {
  const { house, session } = await open()
  await using sessions = house.sessions
  await house.prompt(session, phrase)
  await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBeGreaterThan(0)
  if (how === 'interrupt') await sessions.execute({ type: 'interrupt', session })
  await sessions.whenIdle(session)
  const [first] = await house.events(session, 'interaction-ended')
  expect(first?.outcome).toBe(phrase === 'a hang' ? 'interrupted' : 'failed')
  expect(first?.reason).not.toBeNull()
  await house.prompt(session, 'hello again')
  await sessions.whenIdle(session)
  expect((await house.events(session, 'interaction-ended')).at(-1)?.outcome).toBe('finished')
  if (phrase === 'a crash') expect(await house.events(session, 'agent-exited')).toHaveLength(1)
})

it('[A14] a stopped server leaves no process running', async () => {
  const { house, session } = await open()
  await house.prompt(session, 'a hang')
  await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBeGreaterThan(0)
  const processes = () => readdir(join(dataFolder, 'processes'))
  expect(await processes()).toHaveLength(1)
  await house.sessions[Symbol.asyncDispose]()
  expect(await processes()).toEqual([])
  expect(await house.events(session, 'interaction-ended')).toMatchObject([{ outcome: 'interrupted' }])
  const [exited] = await house.events(session, 'agent-exited')
  expect(exited?.reason).toBe('Stopped because the server shut down.')
})

it('[C3] a question that is pending when a person stops the agent expires with that reason, live and in the audit', async () => {
  const { house, session } = await open()
  await using sessions = house.sessions
  await house.prompt(session, 'an approval')
  await expect.poll(async () => (await sessions.get(session)).status).toBe('waiting')
  await sessions.execute({ type: 'interrupt', session })
  await sessions.whenIdle(session)
  const reason = 'You stopped this.'
  expect(await house.events(session, 'approval-lapsed')).toMatchObject([{ reason }])
  expect((await sessions.approvals(session, { all: true })).approvals).toMatchObject([
    { status: 'lapsed', reason },
  ])
  expect(foldEntries(createApprovals(), await house.entries(session))).toMatchObject([
    { status: 'lapsed', reason },
  ])
})
