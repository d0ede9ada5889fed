import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scenarios } from './scenario.ts'
import type { Scene } from './scene.ts'
import { run, says, text, type Script } from './script.ts'
import { callsOf, wordsOf, type Talk } from './talk.ts'

const closedWithin = 10_000
/** A busy machine takes long to start an agent. */
const resumedWithin = 100_000

/** A story without an end, until it is asked to continue. */
const endless: Script = ({ text: asked }) =>
  asked.includes('Go on') ? says(text('On we go.')) : says(text('Once upon ', 'a time ', { end: 'hang' }))

/** A text, then a command that takes longer than the test waits. */
const working =
  (seconds: number): Script =>
  ({ text: asked, results }) => {
    if (asked.includes('Go on')) return says(text('On we go.'))
    if (results > 0) return says(text('It did not wait.'))
    // A command that only sleeps is refused by some.
    return says(text('Before. '), run('a', `mkdir -p w; sleep ${seconds}; echo waited`))
  }

const sleepers = ({ agents }: Scene) => agents().filter(({ command }) => /^sleep \d+$/.test(command))

async function untilAsleep(scene: Scene, talk: Talk): Promise<void> {
  await talk.untilSaid('Before. ')
  await talk.until('the call is told', () => callsOf(talk.last()).length > 0)
  await talk.until('the command runs', () => sleepers(scene).length > 0)
}

/** The command does not run any more, the text is there, and the session continues. */
async function checkCut(scene: Scene, talk: Talk): Promise<void> {
  await talk.until('the command ends', () => sleepers(scene).length === 0, closedWithin)
  const cut = talk.last()
  assert.equal(wordsOf(cut), 'Before. ')
  assert.match(callsOf(cut)[0]?.state ?? '', /^output-/)
  assert.equal(wordsOf(await talk.ask('Go on', resumedWithin)), 'On we go.')
}

/** Stops, crashes, and how sessions continue after them. */
export const lasting: Scenarios = {
  'interrupt in a text': {
    model: endless,
    async play({ open }) {
      const talk = await open()
      const at = await talk.say('A story')
      await talk.untilSaid('a time ')
      await talk.session.interrupt()
      await talk.untilEnd(at, closedWithin)
      assert.equal(talk.lastEvent('interaction-ended')?.outcome, 'interrupted')
      assert.equal(wordsOf(talk.last()), 'Once upon a time ')
      assert.equal(wordsOf(await talk.ask('Go on')), 'On we go.')
    },
  },
  'interrupt in a tool': {
    model: working(6001),
    // OpenCode reports a step when it ends, and this one never does.
    unreported: 1,
    async play(scene) {
      const talk = await scene.open()
      const at = await talk.say('Wait')
      await untilAsleep(scene, talk)
      await talk.session.interrupt()
      await talk.untilEnd(at, closedWithin)
      assert.equal(talk.lastEvent('interaction-ended')?.outcome, 'interrupted')
      await checkCut(scene, talk)
    },
  },
  'resume in a new process': {
    model: ({ text: asked }) =>
      says(text(asked.includes('I will remember heron') ? 'It was heron.' : 'I will remember heron.')),
    async play({ open, restart, agents }) {
      const talk = await open()
      await talk.ask('Remember heron')
      const before = await talk.agentSession()
      const [first] = agents()
      await restart()
      await talk.until('the client is back', ({ phase }) => phase === 'live')
      assert.ok(agents().every(({ pid }) => pid !== first?.pid))
      assert.equal(wordsOf(await talk.ask('Which one?', resumedWithin)), 'It was heron.')
      assert.equal(await talk.agentSession(), before)
      assert.equal(talk.session.messages.get().length, 4)
    },
  },
  fork: {
    model: ({ text: asked }) => says(text(asked.includes('Once.') ? 'Twice.' : 'Once.')),
    async play({ open, agent }) {
      const first = await open()
      await first.ask('Begin')
      const original = await first.agentSession()
      const copy = await open(agent.forkOf?.(original))
      assert.equal(wordsOf(await copy.ask('Which?')), 'Twice.')
      assert.notEqual(await copy.agentSession(), original)
      assert.equal(first.session.messages.get().length, 2)
    },
  },
  'agent killed': {
    model: working(6002),
    unreported: 1,
    async play(scene) {
      const talk = await scene.open()
      const at = await talk.say('Wait')
      await untilAsleep(scene, talk)
      process.kill(talk.lastEvent('agent-connected')?.process ?? 0, 'SIGKILL')
      await talk.untilEnd(at, closedWithin)
      const ended = talk.lastEvent('interaction-ended')
      assert.equal(ended?.outcome, 'failed')
      assert.match(ended.reason ?? '', /SIGKILL|killed/)
      await checkCut(scene, talk)
    },
  },
  'server killed': {
    model: working(6003),
    unreported: 1,
    async play(scene) {
      const talk = await scene.open()
      await talk.say('Wait')
      await untilAsleep(scene, talk)
      await scene.kill()
      await sleep(200)
      await scene.restart()
      await talk.until(
        'the interaction is closed',
        ({ phase, view }) => phase === 'live' && view.status.running === null,
        closedWithin,
      )
      assert.notEqual(talk.lastEvent('interaction-ended')?.outcome, 'finished')
      assert.deepEqual(scene.agents(), [], 'an orphan is left')
      await checkCut(scene, talk)
    },
  },
}
