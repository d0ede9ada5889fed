import assert from 'node:assert/strict'
import type { InteractionId } from '../../protocol/ids.ts'
import { advance } from '../advance.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Change } from '../change.ts'
import { zoneOf } from '../days.ts'
import {
  answered,
  ask,
  call,
  created,
  ended,
  finish,
  named,
  output,
  spoke,
  start,
  started,
  used,
  type Tests,
} from './stories.ts'

const s = named('s')

const story = [
  created('test', 'A story'),
  started('i1', 'first'),
  spoke('i1', null, { type: 'start', messageId: 'm1', messageMetadata: { step: 1 } }, call('c1'), ask('c1')),
  answered('ask-c1'),
  spoke('i1', null, output('c1'), used(10, 0.5)),
  spoke('i1', null, { type: 'finish', messageMetadata: { step: 2 } }),
  ended('i1'),
  // Opened again, and finished later.
  spoke('i1', null, start('m1'), { type: 'message-metadata', messageMetadata: { step: 3 } }),
  spoke('i1', null, finish),
  started('i2', 'second'),
  spoke('i2', null, start('m2'), call('c2', 'Bash'), finish),
  ended('i2', 'failed'),
]

/** Everything in the catalogue about the session. */
async function viewOf(catalogue: Catalogue) {
  return {
    state: await catalogue.get(s),
    messages: await catalogue.messages(s, { thread: null, limit: 100, replaced: true }),
    work: await catalogue.work(s, { limit: 100 }),
    interactions: await catalogue.interactions(s, { limit: 100 }),
    approvals: await catalogue.approvals({ limit: 100 }),
    manipulations: await catalogue.manipulations(s, { limit: 100 }),
    usage: await catalogue.usage({ to: 1e12, zone: zoneOf('UTC'), by: ['model'], now: 1e9 }),
    unfinished: await catalogue.unfinished(),
  }
}

/** A change that no catalogue can save: a message has an agent. */
const impossible: Change = {
  type: 'message-began',
  message: {
    session: s,
    id: 'impossible',
    thread: null,
    role: 'assistant',
    parent: null,
    agent: null as unknown as string,
    metadata: {},
    interaction: 'i1' as InteractionId,
    firstSeq: 100,
  },
  synthetic: false,
}

/** How changes are saved. */
export const saving: Tests = {
  '[J6] saves a batch of changes whole or not at all': async (catalogue, stories) => {
    await stories.tell('s', ...story.slice(0, 3))
    const before = await viewOf(catalogue)
    const all = [...stories.entries('s')]
    await stories.tell('other', ...story)
    const others = stories.entries('other').slice(3)
    const entries = [...all, ...others.map(entry => ({ ...entry, session: s }))]
    const { changes } = advance(before.state ?? null, entries.slice(3))
    assert.ok(changes.length > 5)
    for (const at of [0, 3, changes.length])
      await assert.rejects(catalogue.save(changes.toSpliced(at, 0, impossible)))
    assert.deepEqual((await viewOf(catalogue)).messages, before.messages)
    assert.deepEqual(await catalogue.get(s), before.state)
    await catalogue.save(changes)
    assert.equal((await catalogue.get(s))?.summary.seq, story.length)
  },
  '[J6] applies the batches of a session in the order of the calls': async (catalogue, stories) => {
    await stories.tell('s', created())
    const titles = Array.from({ length: 20 }, (_, index) => `title ${index}`)
    await Promise.all(titles.map(title => stories.tell('s', { type: 'session-renamed', title })))
    assert.equal((await catalogue.get(s))?.summary.title, 'title 19')
  },
  '[J6] never overwrites rows with those of an older batch': async (catalogue, stories) => {
    await stories.tell('s', ...story)
    const newest = await viewOf(catalogue)
    for (let cut = 1; cut < story.length; cut += 1) {
      await catalogue.save(advance(null, stories.entries('s').slice(0, cut)).changes)
      assert.deepEqual(await viewOf(catalogue), newest, `the batch up to entry ${cut}`)
    }
  },
  '[J6] saves a batch twice like once, and in pieces like as a whole': async (catalogue, stories) => {
    for (const event of story) await stories.tell('s', event)
    const inPieces = await viewOf(catalogue)
    const { changes } = advance(null, stories.entries('s'))
    await catalogue.save(changes)
    assert.deepEqual(await viewOf(catalogue), inPieces)
    await catalogue.forget(s)
    await catalogue.save(changes)
    await catalogue.save(changes)
    assert.deepEqual(await viewOf(catalogue), inPieces)
  },
  '[J6] deletes every row of a session that is forgotten, and no other': async (catalogue, stories) => {
    const empty = await viewOf(catalogue)
    await stories.tell('s', ...story)
    await stories.tell('other', created())
    await catalogue.forget(s)
    assert.deepEqual(await viewOf(catalogue), empty)
    const { sessions } = await catalogue.list({ limit: 10 })
    assert.deepEqual(
      sessions.map(({ session }) => session),
      ['other'],
    )
    assert.deepEqual(await catalogue.outdated(), [])
  },
}
