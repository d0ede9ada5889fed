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

/** The last request to the model. */
const heard = ({ world }: Scene) => world.asked().at(-1) ?? ''

async function readTwice(scene: Scene): Promise<Talk> {
  const file = join(scene.world.cwd, 'long.txt')
  writeFileSync(file, lines.join('\n'))
  const talk = await scene.open()
  await talk.ask(`Read ${file}`)
  assert.equal(countOf(heard(scene), first), scene.agent.asksBeforeRequests ? 1 : 2)
  return talk
}

/** Stops the agent; it resumes its session with the next prompt. */
async function goOn({ restart }: Scene, talk: Talk, words: string): Promise<void> {
  await restart()
  await talk.until('the client is back', ({ phase }) => phase === 'live')
  await talk.ask(words)
}

/** The placeholders that were sent, from the journal. */
const sentInstead = (talk: Talk): readonly string[] => decisionsIn(talk).flatMap(decision => textIn(decision))

/** The last decision about each part. */
function decisionsIn({ session }: Talk): readonly (Decision | null)[] {
  const changes = session.events
    .get()
    .flatMap(({ event }) => (event.type === 'context-compiled' ? event.changes : []))
  return [...new Map(changes.map(({ part, decision }) => [part, decision])).values()]
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
    await scene.client.call('POST /api/sessions/:session/manipulations/rollback', {
      params: { session: talk.session.id },
      body: { after: 0 },
    })
    await goOn(scene, talk, 'And now?')
    assert.equal(countOf(heard(scene), first), 2)
    assert.ok(!heard(scene).includes(placeholder))
    const after = historyOf(scene.world, session)
    if (before === null) return
    assert.ok(!during?.startsWith(before))
    assert.ok(after?.startsWith(before), 'the bytes are not back')
  },
}

/** The model of an agent that asks before its requests never gets the same lines twice, until a person wants it so. */
const sentOnce: Scenario = {
  model: reading([]),
  async play(scene) {
    const talk = await readTwice(scene)
    const params = { session: talk.session.id }
    const { manipulations } = await scene.client.call('GET /api/sessions/:session/manipulations', { params })
    const reasons = manipulations.map(each => ('reason' in each ? [each.strategy, each.effective] : []))
    const expected = ['covered', 'duplicate'].map(strategy => [strategy, 'applied'])
    assert.deepEqual(reasons, expected, JSON.stringify(manipulations))
    assert.match(heard(scene), /\[.*lines.*: same as lines \d+-\d+ of read/)
    await scene.client.call('POST /api/sessions/:session/manipulations/rollback', {
      params,
      body: { after: 0 },
    })
    await talk.ask('And now?')
    assert.equal(countOf(heard(scene), first), 2)
    assert.ok(!heard(scene).includes('same as lines'))
  },
}

/** Context changes with agents that keep their own history. */
export const remembering: Scenarios = {
  'clear what is obsolete, and roll back': cleared,
  'send the same lines once, and roll back': sentOnce,
  'clear what is obsolete before thinking': {
    model: reading([{ type: 'thinking', text: thought }]),
    async play(scene) {
      const talk = await readTwice(scene)
      const thoughts = countOf(heard(scene), thought) + 1
      await goOn(scene, talk, 'Well?')
      const dropped = decisionsIn(talk).filter(decision => decision?.as === 'omitted').length
      assert.equal(countOf(heard(scene), thought), thoughts - dropped)
      const [placeholder = 'nothing'] = sentInstead(talk)
      assert.equal(countOf(heard(scene), placeholder), 1)
      assert.equal(countOf(heard(scene), first), 1)
      // A repeated read is sent again, unless it can be a reference to the same lines.
      await talk.ask('Once more')
      assert.equal(countOf(heard(scene), first), scene.agent.asksBeforeRequests ? 1 : 2)
    },
  },
}
