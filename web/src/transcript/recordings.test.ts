import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ThreadChunk } from 'dragoman'
import type { Conversation } from 'dragoman/client'
import { chunksOf, recording } from '../../../src/agents/claude-code/lines.fixture.ts'
import { createMessages } from '../../../src/projections/messages.ts'
import { created, journal, said, started } from '../../../src/projections/journal.fixture.ts'
import { readRecording, recordings } from '../../../src/server/ui-message-stream/recordings.fixture.ts'
import { emptyBook } from './interaction-facts.ts'
import { createRows, type TranscriptInput } from './rows.ts'
import { noSteps } from './step-rows.ts'
import { noChoices } from './thread-rows.ts'

const folder = new URL('../../../src/agents/claude-code/recordings/', import.meta.url)
const ofClaude = readdirSync(folder)
  .filter(name => name.endsWith('.jsonl'))
  .map(name => name.replace('.jsonl', ''))

const inputOf = (conversation: Conversation): TranscriptInput => ({
  older: [],
  conversation,
  book: emptyBook,
  threads: noChoices,
  steps: noSteps,
  outbox: [],
  running: { interaction: 'i', waiting: false },
})

/** The rows at some moments of a conversation, made step by step, and each made from nothing. */
function check(chunks: readonly ThreadChunk[]): void {
  const fold = createMessages()
  const make = createRows()
  const entries = journal(created(), started('i', 'Hello'), ...chunks.map(each => said('i', [each])))
  const step = Math.ceil(entries.length / 40)
  for (const [at, entry] of entries.entries()) {
    fold.apply(entry)
    if (at % step !== 0 && at !== entries.length - 1) continue
    const input = inputOf(fold.view())
    const rows = make(input)
    expect(rows).toEqual(createRows()(input))
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  }
  const words = [...fold.view().values()].flat().flatMap(({ message }) => message.parts)
  const texts = words.flatMap(part => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []))
  const shown = make(inputOf(fold.view())).flatMap(row => (row.kind === 'text' ? [row.text] : []))
  // The prompt is a row of another kind.
  expect(shown.toSorted()).toEqual(texts.filter(text => text !== 'Hello').toSorted())
}

describe('the rows of recorded agents', () => {
  it.each(recordings)('[W2] scripted %s: are correct after every chunk, and drop no text', name => {
    check(readRecording(name).flat())
  })

  it.each(ofClaude)('[W2] claude-code %s: are correct after every chunk, and drop no text', name => {
    check(chunksOf(recording(name)))
  })
})
