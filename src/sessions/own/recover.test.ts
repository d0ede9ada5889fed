import { expect, it } from 'vitest'
import { openHouse, type House } from '../house.fixture.ts'
import { createMortal } from '../mortal.fixture.ts'
import { createPuppet, type Act } from '../puppet.fixture.ts'
import { runSteps, type RunStep } from '../run-steps.ts'
import type { SessionDetails } from '../view/read-session.ts'

const busy: Act = async ({ say, text, answer, interrupted }) => {
  say({ t: 'begin', agentSession: 'theirs' })
  say({ t: 'say', text: 'working' })
  say({ t: 'ask', id: text })
  await answer(text)
  say({ t: 'result', call: `call-${text}` })
  interrupted.addEventListener('abort', () => say({ t: 'end', reason: 'interrupted' }))
}

/** A house that crashes when a step is reached for the n-th time, and what it had acknowledged by then. */
async function liveUntil(step: RunStep, occurrence: number) {
  const death = { dead: false }
  const died = Promise.withResolvers<void>()
  let left = occurrence
  const checkpoint = (reached: RunStep) => {
    if (reached === step) left -= 1
    if (left === 0) {
      death.dead = true
      died.resolve()
    }
    return death.dead ? new Promise<void>(() => {}) : undefined
  }
  const base = await openHouse([createPuppet({ act: busy })])
  const house = await base.reopen({
    journal: createMortal(base.journal, death),
    catalogue: createMortal(base.options.catalogue, death),
    checkpoint,
  })
  const acknowledged: number[] = []
  const story = live(house, acknowledged)
  await Promise.race([story, died.promise])
  death.dead = true
  return { base, acknowledged, reached: left <= 0 }
}

async function live(house: House, acknowledged: number[]): Promise<void> {
  const { sessions } = house
  const note = ({ seq }: { seq: number }) => void acknowledged.push(seq)
  note(await sessions.execute({ type: 'create', session: 's', agent: 'puppet', cwd: '/' }))
  const session = await sessions.get('s' as never).then(each => each.session)
  note(await house.prompt(session, 'go', 'a'))
  note(await house.prompt(session, 'then', 'b'))
  await until(house, ({ status }) => status === 'waiting')
  note(await sessions.execute({ type: 'answer', session, approval: 'go', approved: true }))
  await sessions.execute({ type: 'interrupt', session })
  // The second prompt asks for an approval, too, which is never answered.
  await until(house, ({ status, queue }) => status === 'idle' || (status === 'waiting' && queue.length === 0))
}

const until = ({ sessions }: House, isSo: (details: SessionDetails) => boolean): Promise<void> =>
  expect.poll(async () => isSo(await sessions.get('s' as never)), { interval: 1 }).toBe(true)

const steps = runSteps.filter(step => !step.endsWith('recover'))

it.each(steps.flatMap(step => [1, 3].map(occurrence => [step, occurrence] as const)))(
  '[R1] a crash at %s (time %i) loses nothing acknowledged, and the next server closes what ran',
  async (step, occurrence) => {
    const { base, acknowledged, reached } = await liveUntil(step, occurrence)
    if (occurrence === 1) expect(reached).toBe(true)
    const later = await base.reopen({ recent: acknowledged.length > 0 ? ['s' as never] : [] })
    await using sessions = later.sessions
    if (acknowledged.length === 0) return
    const session = (await sessions.get('s' as never)).session
    await sessions.whenIdle(session)
    const entries = await later.entries(session)
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
    expect(entries.length).toBeGreaterThanOrEqual(Math.max(...acknowledged))
    const started = await later.events(session, 'interaction-started')
    const ended = await later.events(session, 'interaction-ended')
    expect(ended.map(each => each.interaction)).toEqual(started.map(each => each.interaction))
    const { running, status, queue } = await sessions.get(session)
    expect([running, status]).toEqual([null, 'idle'])
    const known = [...started.map(({ prompt }) => prompt), ...queue.map(({ prompt }) => prompt)]
    expect(known).toEqual(['a', 'b'].slice(0, known.length))
    expect(known.length).toBeGreaterThanOrEqual(acknowledged.length - 2)
  },
)

it('[R1] a running interaction is closed once, with its partial answer, even if the recovery crashes', async () => {
  const { base } = await liveUntil('before-answer', 1)
  const session = (await base.entries('s' as never))[0]?.session ?? ('s' as never)
  const death = { dead: false }
  await new Promise<void>(died => {
    void base.reopen({
      journal: createMortal(base.journal, death),
      catalogue: createMortal(base.options.catalogue, death),
      checkpoint(step) {
        if (step !== 'after-append') return
        death.dead = true
        died()
      },
    })
  })
  const later = await base.reopen()
  await using sessions = later.sessions
  const ended = await later.events(session, 'interaction-ended')
  expect(ended).toMatchObject([
    { outcome: 'interrupted', reason: 'The server stopped while this was running.' },
  ])
  expect(ended[0]?.chunks.map(({ chunk }) => chunk.type)).toEqual([
    'tool-output-error',
    'finish-step',
    'finish',
  ])
  expect((await later.events(session, 'agent-spoke')).some(({ raw }) => raw.includes('working'))).toBe(true)
  expect((await sessions.get(session)).agentSession).toBe('theirs')
})

it('[R1] a session that cannot be opened does not stop others', async () => {
  const base = await openHouse([createPuppet({ act: ({ say }) => say({ t: 'begin' }) })])
  const [good, bad] = [await base.create(), await base.create()]
  await base.prompt(good, 'go')
  await base.prompt(bad, 'go')
  await expect.poll(async () => (await base.events(bad, 'agent-spoke')).length).toBe(1)
  const head = base.journal.head.bind(base.journal)
  const later = await base.reopen({
    journal: {
      ...base.journal,
      head: async session => {
        if (session === bad) throw new Error('damaged')
        return head(session)
      },
    },
  })
  await using sessions = later.sessions
  expect((await sessions.get(good)).status).toBe('idle')
  expect(sessions.troubles()).toMatchObject([{ session: bad, message: 'damaged' }])
})
