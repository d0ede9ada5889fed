import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createApprovals } from '../../projections/approvals.ts'
import { foldEntries } from '../../projections/fold.ts'
import { ruleFor, rules } from '../../projections/rules.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createPuppet, type Act } from '../puppet.fixture.ts'
import { wait } from '../wait.ts'

const question = fc.record({
  tool: fc.constantFrom('Bash', 'Read'),
  command: fc.constantFrom('ls', 'rm', null),
  pause: fc.nat(2),
})
type Question = typeof question extends fc.Arbitrary<infer One> ? One : never

/** Actions of people: answer any question at any time, some more than once, and revoke rules. */
const deed = fc.record({
  at: fc.nat(12),
  what: fc.constantFrom('allow', 'always', 'always', 'deny', 'revoke'),
  which: fc.nat(5),
})
type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never

const asking =
  (questions: readonly Question[]): Act =>
  async ({ say, answer }) => {
    say({ t: 'begin' })
    const given: Promise<unknown>[] = []
    for (const [index, { tool, command, pause }] of questions.entries()) {
      say({ t: 'ask', id: `q${index}`, tool, input: command === null ? {} : { command } })
      given.push(answer(`q${index}`).then(() => say({ t: 'result', call: `call-q${index}` })))
      await wait(pause)
    }
    await Promise.all(given)
    say({ t: 'end' })
  }

async function act({ sessions }: House, session: SessionId, { at, what, which }: Deed): Promise<boolean> {
  await wait(at)
  const { rules: held } = await sessions.approvals(session)
  const rule = held[which % Math.max(1, held.length)]
  const wish =
    what === 'revoke'
      ? ({ type: 'revoke', session, rule: rule?.id ?? 'none' } as const)
      : ({
          type: 'answer',
          session,
          approval: `q${which}`,
          approved: what !== 'deny',
          always: what === 'always',
        } as const)
  const done = await sessions.execute(wish).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({
        code: expect.stringMatching(
          /^(approval-settled|unknown-approval|unknown-rule|rule-refused)$/,
        ) as string,
      })
      return false
    },
  )
  return done && what !== 'revoke'
}

/** Every answer in the journal was the first for its question, and a rule that answered existed at the time. */
function expectFirstAnswers(entries: readonly Entry[], questions: readonly Question[]): void {
  const answered = new Set<string>()
  let held = rules.initial
  for (const entry of entries) {
    const { event } = entry
    if (event.type === 'approval-answered') {
      expect(answered).not.toContain(event.approval)
      answered.add(event.approval)
      const { tool = '', command = null } = questions[Number(event.approval.slice(1))] ?? {}
      if (event.by === 'rule')
        expect(ruleFor(held, 'puppet', { tool, input: { command } })?.id).toBe(event.rule)
    }
    held = rules.apply(held, entry)
  }
}

it('[T6] the first answer of a person, a rule or a timeout wins and is delivered once; a revoked rule answers nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(question, { minLength: 1, maxLength: 6 }),
      fc.array(deed, { maxLength: 8 }),
      async (questions, deeds) => {
        const puppet = createPuppet({ act: asking(questions) })
        const house = await openHouse([puppet], { limits: { approvalMs: 15 } })
        await using sessions = house.sessions
        const session = await house.create()
        await house.prompt(session, 'go')
        const won = await Promise.all(deeds.map(each => act(house, session, each)))
        await sessions.whenIdle(session)
        const entries = await house.entries(session)
        expectFirstAnswers(entries, questions)
        const answers = await house.events(session, 'approval-answered')
        expect(answers.filter(({ by }) => by === 'person')).toHaveLength(won.filter(Boolean).length)
        expect(answers.map(({ approval }) => approval).toSorted()).toEqual(
          questions.map((_, index) => `q${index}`),
        )
        const delivered = puppet.sent.flatMap(line => {
          const { answer, approved } = JSON.parse(line) as { answer?: string; approved?: boolean }
          return answer === undefined ? [] : [`${answer} ${approved}`]
        })
        expect(delivered.toSorted()).toEqual(
          answers.map(({ approval, approved }) => `${approval} ${approved}`).toSorted(),
        )
        const { approvals } = await sessions.approvals(session, { all: true })
        expect(approvals).toEqual(foldEntries(createApprovals(), entries))
        expect(approvals.map(({ id, by }) => `${id} ${by}`).toSorted()).toEqual(
          answers.map(({ approval, by }) => `${approval} ${by}`).toSorted(),
        )
      },
    ),
    { numRuns: propertyRuns(60) },
  )
})
