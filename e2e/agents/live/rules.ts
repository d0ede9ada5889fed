import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Scenarios } from './scenario.ts'
import { run, says, text, type Script } from './script.ts'
import type { Talk } from './talk.ts'

/** One command for each prompt that names it, and then a text. */
const commands =
  (calls: Readonly<Record<string, Parameters<typeof run>>>): Script =>
  ({ text: asked, results }) => {
    const named = Object.keys(calls).filter(name => asked.includes(`[${name}]`))
    const call = calls[named.at(-1) ?? '']
    return call !== undefined && results < named.length ? says(run(...call)) : says(text('Done.'))
  }

/** Answers with "always" where that is offered; otherwise checks that it is refused, and allows once. */
async function allowAlways(talk: Talk): Promise<boolean> {
  await talk.until('a question', () => talk.session.pendingApprovals.get().length > 0)
  const [asked] = talk.session.pendingApprovals.get()
  assert.ok(asked)
  if (asked.rule === null) {
    assert.ok(asked.ruleReason)
    await assert.rejects(
      talk.session.answer(asked.id, { approved: true, always: true }),
      /needs approval each time|always/,
    )
    await talk.session.answer(asked.id, { approved: true })
    return false
  }
  assert.match(JSON.stringify(asked.rule.input), /touch/)
  await talk.session.answer(asked.id, { approved: true, always: true })
  return true
}

const rulesThatAnswered = (talk: Talk) =>
  talk.session.events.get().filter(({ event }) => event.type === 'approval-answered' && event.by === 'rule')
    .length

/** What "always" covers with the real programs: exactly the call that was allowed. */
export const rules: Scenarios = {
  'a rule allows the same call again and no other command': {
    asking: true,
    model: commands({
      one: ['o1', 'touch harmless'],
      two: ['o2', 'touch EVIL; rm -f harmless'],
      three: ['o3', 'touch harmless'],
    }),
    async play({ open, world }) {
      const talk = await open()
      const first = await talk.say('[one]')
      const isRule = await allowAlways(talk)
      await talk.untilEnd(first)
      assert.ok(existsSync(join(world.cwd, 'harmless')))
      const second = await talk.say('[two]')
      await talk.answer({ approved: false })
      await talk.untilEnd(second)
      assert.ok(!existsSync(join(world.cwd, 'EVIL')))
      assert.equal(rulesThatAnswered(talk), 0)
      const third = await talk.say('[three]')
      if (!isRule) await talk.answer({ approved: true })
      await talk.untilEnd(third)
      assert.equal(rulesThatAnswered(talk), isRule ? 1 : 0)
    },
  },
  'a rule for one folder does not allow the same command in another': {
    asking: true,
    model: commands({ one: ['o1', 'touch here-i-was'], two: ['o2', 'touch here-i-was', 'precious'] }),
    async play({ open, world }) {
      mkdirSync(join(world.cwd, 'precious'))
      const talk = await open()
      const first = await talk.say('[one]')
      await allowAlways(talk)
      await talk.untilEnd(first)
      const second = await talk.say('[two]')
      await talk.answer({ approved: false })
      await talk.untilEnd(second)
      assert.ok(!existsSync(join(world.cwd, 'precious', 'here-i-was')))
      assert.equal(rulesThatAnswered(talk), 0)
    },
  },
}
