import { expect, it } from 'vitest'
import { cutMark, tooLongToApprove } from '../../protocol/cut-text.ts'
import type { Json } from '../../protocol/json.ts'
import { openHouse } from '../house.fixture.ts'
import { createPuppet, type Act } from '../puppet.fixture.ts'

/** Asks for each of some inputs, and writes the answers. */
const asking =
  (inputs: readonly Json[]): Act =>
  async ({ say, answer }) => {
    say({ t: 'begin' })
    for (const [at, input] of inputs.entries()) {
      say({ t: 'ask', id: `q${at}`, tool: 'Write', input })
      const { approved, reason } = await answer(`q${at}`)
      say({ t: 'say', text: JSON.stringify([approved, reason]) })
      say({ t: 'result', call: `call-q${at}` })
    }
    say({ t: 'end' })
  }

const cut = { path: '/big', content: `begin${cutMark(5_000_000)}end` }

it('[A18] a call with a cut input is denied with a reason, and the agent continues', async () => {
  const house = await openHouse([createPuppet({ act: asking([cut]) })])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'go')
  await sessions.whenIdle(session)
  expect(await house.events(session, 'approval-answered')).toMatchObject([
    { approved: false, by: 'server', reason: tooLongToApprove },
  ])
  const said = (await house.events(session, 'agent-spoke')).map(({ raw }) => raw)
  expect(said).toContain(JSON.stringify({ t: 'say', text: JSON.stringify([false, tooLongToApprove]) }))
  expect(await house.events(session, 'interaction-ended')).toMatchObject([{ outcome: 'finished' }])
})

it('[S10] no rule answers a call with a cut input', async () => {
  const house = await openHouse([createPuppet({ act: asking([{ path: '/big' }, cut]) })])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'go')
  await expect.poll(async () => (await sessions.get(session)).status).toBe('waiting')
  await sessions.execute({ type: 'answer', session, approval: 'q0', approved: true, always: true })
  await sessions.whenIdle(session)
  expect(await house.events(session, 'approval-answered')).toMatchObject([
    { approval: 'q0', approved: true, by: 'person' },
    { approval: 'q1', approved: false, by: 'server' },
  ])
})
