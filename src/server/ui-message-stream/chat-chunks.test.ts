import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldEntries } from '../../projections/fold.ts'
import { foldMessage } from '../../projections/fold-message.ts'
import {
  answered,
  ask,
  call,
  created,
  ended,
  finish,
  journal,
  output,
  said,
  spoke,
  start,
  started,
  text,
} from '../../projections/journal.fixture.ts'
import { createMessages } from '../../projections/messages.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import type { InteractionId, PromptId, SessionId } from '../../protocol/ids.ts'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import type { ServerParts } from '../server-parts.ts'
import type { ChatPlan } from './chat-plan.ts'
import { linesOf, readRecording, recordings } from './recordings.fixture.ts'
import { readWith, sdks } from './sdk-readers.fixture.ts'
import { createChatChunks } from './chat-chunks.ts'

/** A recording as a journal has it: an interaction for each prompt. */
function entriesOf(name: string): readonly Entry[] {
  const lines = linesOf(name)
  const events: Event[] = [created()]
  let interactions = 0
  for (const [index, chunks] of readRecording(name).entries()) {
    if (lines[index]?.startsWith('{"type":"begin"') === true) {
      if (interactions > 0) events.push(ended(`i${interactions}`))
      events.push(started(`i${(interactions += 1)}`))
    }
    events.push(said(interactions === 0 ? null : `i${interactions}`, chunks))
  }
  return journal(...events, ended(`i${interactions}`))
}

const server = { options: { lint: false } } as ServerParts
const planOf = (more: Partial<ChatPlan> = {}): ChatPlan => ({
  session: 's' as SessionId,
  subject: { interaction: 'i1' as InteractionId },
  after: 0,
  continueAfter: null,
  dialect: 'portable',
  ...more,
})

/** Streams entries in pieces, as they may arrive. */
function streamed(entries: readonly Entry[], pieces: readonly number[], plan = planOf()): readonly Chunk[] {
  const origins = new Map(
    [...(foldEntries(createMessages(), entries).get(null) ?? [])].map(each => [
      each.message.id,
      each.interaction,
    ]),
  )
  const pending = createChatChunks(server, plan, {
    read: () => ({ count: 0, entries: [] }),
    isOld: (id, interaction) => (origins.get(id) ?? interaction) !== interaction,
  })
  const chunks: string[] = []
  let at = 0
  for (const size of [...pieces, entries.length]) {
    if (!pending.gather(entries.slice(at, at + size)) || size > 0) chunks.push(...pending.take())
    at += size
  }
  expect(pending.state()).toBe('ended')
  return chunks.map(each => JSON.parse(each) as Chunk)
}

const lint = (chunks: readonly Chunk[]) => assertWellFormed(chunks.map(chunk => ({ thread: null, chunk })))

describe('createChatChunks', () => {
  it.each(recordings)('[T3] %s: joined at any entry, it is the same message', name => {
    const entries = entriesOf(name)
    const whole = foldMessage(
      streamed(
        entries,
        entries.map(() => 1),
      ),
    )
    for (let cut = 0; cut <= entries.length; cut++) {
      const chunks = streamed(entries, [cut, ...entries.slice(cut).map(() => 1)])
      expect(foldMessage(chunks)).toEqual(whole)
      lint(chunks)
    }
    const long = ['data-shortened', 'tool-output-available']
    const kept = foldEntries(createMessages(), entries)
      .get(null)
      ?.find(({ message }) => message.id === whole.id)
    const comparable = (parts: readonly { readonly type: string }[]) =>
      parts.filter(({ type }) => !long.includes(type) && type !== 'data-retracted')
    if (name !== 'long-output' && name !== 'retraction' && name !== 'everything')
      expect(comparable(whole.parts)).toEqual(comparable(kept?.message.parts ?? []))
  })

  it.each(recordings)('[P1] %s: the newest client reads the newer dialect', async name => {
    const entries = entriesOf(name)
    for (const cut of [0, Math.floor(entries.length / 2), entries.length])
      await readWith(sdks['7.x'], streamed(entries, [cut], planOf({ dialect: 'v7' })))
  })

  it('[T3] gives the same chunks for batches of any size', () => {
    const entries = entriesOf('everything')
    const whole = foldMessage(streamed(entries, []))
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 60 }), pieces => {
        expect(foldMessage(streamed(entries, pieces))).toEqual(whole)
      }),
      { numRuns: propertyRuns(60) },
    )
  })

  it('[P1] streams one message, without late chunks of an earlier one or chunks after the end', () => {
    const entries = journal(
      created(),
      started('i1'),
      spoke('i1', null, start('m1'), call('c1'), finish),
      ended('i1'),
      started('i2'),
      spoke('i2', null, start('m1'), output('c1'), finish, start('m2'), ...text('t', 'two')),
      spoke('i2', 'c1', start('side'), ...text('x', 'aside'), finish),
      // Opened again while another is open, it is closed before that one goes on.
      spoke('i2', null, start('m1'), output('c1', 'more'), finish, ...text('u', 'more'), finish),
      ended('i2'),
      spoke(null, null, start('m2'), ...text('v', 'late'), finish),
    )
    const second = streamed(entries, [], planOf({ subject: { interaction: 'i2' as InteractionId } }))
    lint(second)
    const texts = foldMessage(second).parts.map(part => ('text' in part ? part.text : part.type))
    expect(texts).toEqual(['two', 'more'])
  })

  it('[W3] waits for the interaction of its prompt, and ends if the prompt is cancelled or the session deleted', () => {
    const subject = { interaction: null, prompt: 'prompt-i2' as PromptId }
    const queued: Event = { type: 'prompt-queued', prompt: subject.prompt, parts: [] }
    const before = [created(), started('i1'), queued, spoke('i1', null, start('m1'), finish), ended('i1')]
    const begun = [started('i2'), spoke('i2', null, start('m2'), ...text('t', 'two'), finish), ended('i2')]
    expect(foldMessage(streamed(journal(...before, ...begun), [], planOf({ subject }))).id).toBe('m2')
    const ends: readonly Event[] = [
      { type: 'prompt-withdrawn', prompt: subject.prompt },
      { type: 'session-deleted' },
    ]
    for (const end of ends)
      expect(streamed(journal(...before, end), [], planOf({ subject })).map(({ type }) => type)).toEqual([
        'start',
        'finish',
      ])
  })

  it('[P1] streams a complete message for an interaction without output', () => {
    const types = (...events: readonly Event[]) => {
      const chunks = streamed(journal(created(), started('i1'), ...events), [])
      lint(chunks)
      return chunks.map(chunk => (chunk.type === 'finish' ? chunk.finishReason : chunk.type))
    }
    expect(types(ended('i1'))).toEqual(['start', 'stop'])
    expect(types(ended('i1', 'interrupted', 'Stopped.'))).toEqual(['start', 'other'])
    expect(types(ended('i1', 'failed', 'Not found.'))).toEqual(['start', 'error', 'error'])
    expect(types(ended('i1', 'failed'))).toEqual(['start', 'error', 'error'])
  })

  it('[T6] continues after an approval, including parts that were open', async () => {
    const open: readonly Chunk[] = [
      { type: 'text-start', id: 'open' },
      { type: 'text-delta', id: 'open', delta: 'before ' },
      { type: 'tool-input-start', toolCallId: 'd', toolName: 'Read', dynamic: true, providerExecuted: true },
      { type: 'tool-input-delta', toolCallId: 'd', inputTextDelta: '{"a' },
    ]
    const later: readonly Chunk[] = [
      { type: 'text-delta', id: 'open', delta: 'after' },
      { type: 'text-end', id: 'open' },
      { type: 'tool-input-delta', toolCallId: 'd', inputTextDelta: '":1}' },
      call('d'),
      output('c'),
      output('d'),
      ...text('new', 'more'),
      finish,
    ]
    const entries = journal(
      created(),
      started('i1'),
      spoke('i1', null, start('m1'), ...open, call('c'), ask('c'), ...later.slice(0, 1)),
      answered('ask-c'),
      spoke('i1', null, ...later.slice(1)),
      ended('i1'),
    )
    const rest = streamed(entries, [], planOf({ continueAfter: 'ask-c' }))
    expect(rest[0]).toEqual(start('m1'))
    const types = rest.map(({ type }) => type)
    expect(types).not.toContain('tool-approval-request')
    expect(types).not.toContain('tool-input-delta')
    expect(types.filter(type => type === 'text-start')).toHaveLength(2)
    const whole = foldMessage([start('m1'), ...open, call('c'), ask('c'), ...rest])
    expect(whole.parts.flatMap(part => (part.type === 'text' ? [part.text] : []))).toEqual([
      'before ',
      'after',
      'more',
    ])
    expect(whole.parts.flatMap(part => (part.type === 'dynamic-tool' ? [part.state] : []))).toEqual([
      'output-available',
      'output-available',
    ])
  })
})
