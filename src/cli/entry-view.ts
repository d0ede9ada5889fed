import type { Entry } from '../protocol/entry.ts'
import type { EventOf } from '../protocol/event.ts'
import { inert } from './terminal/inert.ts'
import type { Output } from './terminal/output.ts'
import { createTranscript } from './transcript/transcript.ts'
import { jsonLine } from './terminal/json-line.ts'

/** Shows entries as they come, in one of several formats. */
export interface EntryView {
  /** Resolves when there is room for the next. */
  show(entry: Entry): Promise<void>
  /** Holds back new output while a person answers a question, then shows it. */
  hold(): void
  release(): void
  /** Ends an unfinished line, so that other output can follow. */
  endLine(): void
}

/** Output of whole lines, where nothing needs to be completed. */
const withoutScreen = { hold() {}, release() {}, endLine() {} }

/** One entry per line, exactly as it is saved. */
export function createJsonView(out: Output): EntryView {
  return {
    async show(entry) {
      out.write(jsonLine(entry))
      await out.drained()
    },
    ...withoutScreen,
  }
}

/** The agent's native lines, byte for byte. */
export function createRawView(
  out: Output,
  bytesOf: (event: EventOf<'agent-spoke'>) => AsyncIterable<Uint8Array>,
): EntryView {
  return {
    async show({ event }) {
      if (event.type !== 'agent-spoke') return
      const decoder = new TextDecoder()
      for await (const piece of bytesOf(event)) {
        // Only a file or a program gets the raw bytes. A terminal would execute control sequences.
        out.write(out.isTerminal ? inert(decoder.decode(piece, { stream: true })) : piece)
        await out.drained()
      }
      out.write('\n')
    },
    ...withoutScreen,
  }
}

/** A transcript for people. */
export function createTranscriptView(out: Output): EntryView {
  const transcript = createTranscript(out.style, out.columns)
  let held: string | null = null
  const write = (text: string) => {
    if (held === null) out.write(text)
    else held += text
  }
  return {
    async show(entry) {
      const text = transcript.take(entry)
      if (text !== '') write(text)
      await out.drained()
    },
    hold() {
      write(transcript.pause())
      held ??= ''
    },
    release() {
      const text = held ?? ''
      held = null
      if (text !== '') out.write(text)
    },
    endLine: () => write(transcript.pause()),
  }
}
