import { trimEndOf } from '../../protocol/linear-text.ts'
import type { Style } from '../terminal/style.ts'

/** Text that is only appended to, as in a terminal or a file. */
export interface Page {
  /** Separate lines; different kinds have a blank line between them. */
  lines(kind: string, depth: number, text: string): void
  /** More text of one source. It continues its line unless something else came between. */
  words(speaker: string, depth: number, text: string, paint?: (text: string) => string): void
  /** A line that may still be completed. */
  hang(name: string, kind: string, depth: number, text: string): void
  /** Completes the unfinished line, if nothing came between. */
  complete(name: string, text: string): boolean
  /** Ends a line that is not finished. */
  endLine(): void
  /** What was written since the last time. */
  take(): string
}

interface State {
  written: string
  /** The source of the unfinished line at the end. */
  holder: string | null
  /** The kind of what was written last. */
  last: string | null
  /** Line breaks at the end of a text, written only if more text follows. */
  breaks: string
}

/** An empty page. A subagent's thread is indented by its depth. */
export function createPage(style: Style): Page {
  const state: State = { written: '', holder: null, last: null, breaks: '' }
  const margin = (depth: number) => style.dim('│ '.repeat(depth))
  const indented = (depth: number, text: string) => text.replaceAll('\n', `\n${margin(depth)}`)
  const begin = (kind: string, depth: number, text: string) => {
    enter(state, kind)
    state.written += margin(depth) + indented(depth, text)
  }
  return {
    lines(kind, depth, text) {
      begin(kind, depth, text)
      state.written += '\n'
    },
    words(speaker, depth, text, paint = same) {
      const words = wordsAfter(state, speaker, text)
      if (words === null) return
      if (state.holder === speaker) state.written += indented(depth, paint(words.shown))
      else begin(depth === 0 ? speaker : 'work', depth, paint(words.shown))
      state.holder = speaker
      state.breaks = words.breaks
    },
    hang(name, kind, depth, text) {
      begin(kind, depth, text)
      state.holder = name
    },
    complete(name, text) {
      if (state.holder !== name) return false
      state.written += text
      endLine(state)
      return true
    },
    endLine: () => endLine(state),
    take() {
      const { written } = state
      state.written = ''
      return written
    },
  }
}

const same = (text: string) => text

function endLine(state: State): void {
  if (state.holder !== null) state.written += '\n'
  state.holder = null
  state.breaks = ''
}

function enter(state: State, kind: string): void {
  endLine(state)
  if (state.last !== null && state.last !== kind) state.written += '\n'
  state.last = kind
}

/** The text to write now, and the line breaks at its end; null if there is no text yet. */
function wordsAfter({ holder, breaks }: State, speaker: string, text: string) {
  const goesOn = holder === speaker
  const trimmed = goesOn ? text : text.replace(/^\n+/, '')
  const end = trimEndOf(trimmed, '\n')
  if (end !== '') return { shown: goesOn ? breaks + end : end, breaks: trimmed.slice(end.length) }
  return goesOn ? { shown: '', breaks: breaks + trimmed } : null
}
