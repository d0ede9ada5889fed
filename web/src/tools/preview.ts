import { textOfOutput } from 'dragoman/client/work-log'
import type { Card } from './card.ts'
import { withoutExitLine } from './exit-line.ts'
import type { ShownCall } from './sections/shown-call.ts'
import { tailOf, headOf } from './shown-part.ts'

/** Content under the line of a closed card that should be visible at once. */
export interface Preview {
  readonly kind: 'error' | 'terminal'
  readonly text: string
}

const few = { lines: 6, characters: 600 }

/** The end of a command's output or error, or the beginning of another error; null where there is nothing. */
export function previewOf(call: ShownCall, { family, standing, exit }: Card): Preview | null {
  const printed = textOfOutput(call.output).trimEnd()
  const isPrinting = family === 'run' || family === 'watch'
  if (standing === 'running') return isPrinting ? terminal(printed) : null
  if (standing !== 'failed') return null
  const error = call.error?.replaceAll(/<\/?tool_use_error>/g, '').trim()
  if (exit !== null && isPrinting) return terminal(withoutExitLine(error ?? printed))
  const words = error ?? printed
  if (words === '') return null
  const { text, left } = headOf(words, few)
  return { kind: 'error', text: left.characters === 0 ? text : `${text.trimEnd()} …` }
}

const terminal = (text: string): Preview | null =>
  text === '' ? null : { kind: 'terminal', text: tailOf(text, few).text }
