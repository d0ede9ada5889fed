import { asFields, asList, commandOf, textIn, textOfOutput } from 'dragoman/client/work-log'
import { withoutExitLine } from '../exit-line.ts'
import { outputAs, restOf } from './rest.ts'
import type { Section } from './section.ts'
import { firstIn, layersOf, type ShownCall } from './shown-call.ts'

/** The sections of a command: the command and its output. */
export function runSections(call: ShownCall, exit: number | null): readonly Section[] {
  const command = commandOf(call)?.command ?? null
  const { output, errors } = printedBy(call)
  // With an exit code, the error repeats the output; other errors add information.
  const text = bare(call.error !== undefined && exit !== null ? call.error : output, exit)
  const isTitle = command !== null && textIn(asFields(call.input), 'title') === command
  const shown = ['command', 'cmd', 'script', ...ofItsOwn, ...(isTitle ? ['title', 'kind'] : [])]
  const isEmpty = command === null && text === '' && errors === ''
  return [
    ...(isEmpty
      ? outputAs('text', 'Result', '', call.output)
      : [{ kind: 'terminal', command, output: text, errors } as const]),
    ...(call.error !== undefined && exit === null ? [wrong(call.error)] : []),
    ...typedInto(call),
    ...restOf(call.input, shown),
  ]
}

/** Codex's own notes about a command. */
const ofItsOwn = ['commandActions', 'source', 'processId']

/** The output without the exit code, which the card shows, and without OpenCode's markers. */
function bare(text: string, exit: number | null): string {
  const printed = text.replaceAll(/^<\/?shell_metadata>\n?/gm, '')
  return exit === null ? printed : withoutExitLine(printed)
}

/** stdout and stderr where they are separate, or else the combined output. */
function printedBy(call: ShownCall): { readonly output: string; readonly errors: string } {
  const layers = layersOf(call.output)
  const errors = firstIn(layers, layer => textIn(layer, 'stderr')) ?? ''
  const output = firstIn(layers, layer => textIn(layer, 'stdout')) ?? ''
  const all = textOfOutput(call.output)
  if (errors === '' || all === output)
    return { output: all === '' ? output : all, errors: errors === all ? '' : errors }
  return { output, errors }
}

/** Text typed into a running command. */
function typedInto(call: ShownCall): readonly Section[] {
  const typed = asList(asFields(call.output)['stdin']).filter(each => typeof each === 'string')
  return typed.length === 0 ? [] : [{ kind: 'text', title: 'Standard input', text: typed.join('') }]
}

/** The error message. */
export const wrong = (error: string): Section => ({
  kind: 'text',
  title: 'Error',
  text: error.replaceAll(/<\/?tool_use_error>/g, '').trim(),
  bad: true,
})
