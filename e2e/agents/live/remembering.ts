import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Decision } from '../../../src/protocol/manipulation.ts'
import type { World } from './live-agent.ts'
import type { Scenario, Scenarios } from './scenario.ts'
import type { Scene } from './scene.ts'
import { countOf, read, run, says, text, type Saying, type Script } from './script.ts'
import type { Talk } from './talk.ts'

const lines = Array.from({ length: 40 }, (_, at) => `heron ${at} stands in the water`)
const [first = '', last = ''] = [lines[10], lines.at(-1)]

const thought = 'Let me see.'

/** Reads a file twice and does a few other things; and reads it again when it is asked to. */
const reading =
  (before: readonly Saying[]): Script =>
  ({ text: asked, results }) => {
    const file = /(\/[^"\\ ]+long\.txt)/.exec(asked)?.[1] ?? ''
    const steps = [
      read('a', file),
      read('b', file),
      run('c', 'echo c'),
      run('d', 'echo d'),
      run('e', 'echo e'),
    ]
    const next =
      steps[results] ?? (asked.includes('Once more') && results === 5 ? read('f', file) : undefined)
    return next === undefined ? says(...before, text('Done.')) : says(...before, next)
  }

/** What the model was asked last. */
const heard = ({ world }: Scene) => world.asked().at(-1) ?? ''

async function readTwice(scene: Scene): Promise<Talk> {
  const file = join(scene.world.cwd, 'long.txt')
  writeFileSync(file, lines.join('\n'))
  const talk = await scene.open()
  await talk.ask(`Read ${file}`)
  assert.equal(countOf(heard(scene), first), 2)
  return talk
}

/** The agent is ended, and picks its session up again with the next prompt. */
async function goOn({ restart }: Scene, talk: Talk, words: string): Promise<void> {
  await restart()
  await talk.until('the client is back', ({ phase }) => phase === 'live')
  await talk.ask(words)
}

/** The placeholders that the journal says were sent. */
function sentInstead(talk: Talk): readonly string[] {
  const changes = talk.lastEvent('context-compiled')?.changes ?? []
  return changes.flatMap(({ decision }) => textIn(decision))
}

const textIn = (decision: Decision | null) => (decision?.as === 'placeholder' ? [decision.text] : [])

/** The file in which the agent keeps its session; null when it has none. */
function historyOf({ home }: World, session: string): string | null {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' })
  const name = names.find(each => each.includes(session) && each.endsWith('.jsonl'))
  return name === undefined ? null : readFileSync(join(home, name), 'utf8')
}

const cleared: Scenario = {
  model: reading([]),
  async play(scene) {
    const talk = await readTwice(scene)
    const session = await talk.agentSession()
    const before = historyOf(scene.world, session)
    await goOn(scene, talk, 'Well?')
    const [placeholder = 'nothing', ...more] = sentInstead(talk)
    assert.deepEqual(more, [])
    assert.equal(countOf(heard(scene), placeholder), 1, heard(scene))
    assert.equal(countOf(heard(scene), first), 1)
    assert.ok(heard(scene).includes(last))
    assert.equal(await talk.agentSession(), session)
    const during = historyOf(scene.world, session)
    await scene.client.call('rollBack', { params: { session: talk.session.id }, body: { after: 0 } })
    await goOn(scene, talk, 'And now?')
    assert.equal(countOf(heard(scene), first), 2)
    assert.ok(!heard(scene).includes(placeholder))
    const after = historyOf(scene.world, session)
    if (before === null) return
    assert.ok(!during?.startsWith(before))
    assert.ok(after?.startsWith(before), 'the bytes are not back')
  },
}

/** What of the conversation reaches the model of an agent that keeps its own history. */
export const remembering: Scenarios = {
  'clear what is obsolete, and roll back': cleared,
  'clear what is obsolete before thinking': {
    model: reading([{ type: 'thinking', text: thought }]),
    async play(scene) {
      const talk = await readTwice(scene)
      const thoughts = countOf(heard(scene), thought) + 1
      await goOn(scene, talk, 'Well?')
      const changes = talk.lastEvent('context-compiled')?.changes ?? []
      const dropped = changes.filter(({ decision }) => decision?.as === 'omitted').length
      assert.equal(countOf(heard(scene), thought), thoughts - dropped)
      const [placeholder = 'nothing'] = sentInstead(talk)
      assert.equal(countOf(heard(scene), placeholder), 1)
      assert.equal(countOf(heard(scene), first), 1)
      // What was not sent any more is sent again when the agent reads it again.
      await talk.ask('Once more')
      assert.equal(countOf(heard(scene), first), 2)
    },
  },
}
