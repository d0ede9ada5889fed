import type { Json } from '../../../protocol/json.ts'
import { holds } from '../../../protocol/linear-text.ts'
import { isObject, listOf, numberOf, objectOf, same, textIn, textOf, type JsonObject } from '../messages.ts'
import { notAllowed } from './denials.ts'
import type { Call, Draft } from './state.ts'
import { shownTerminal, terminalOf } from './terminals.ts'

/**
 * The whole output of a call: its text and exit code under the names that clients know, and the rest in the agent's
 * own fields. Repetitions of the text are left out.
 */
export function outputOf(draft: Draft, call: Call): JsonObject {
  const { rawOutput, content, locations, toolResponse } = call
  const output = outputText(draft, call)
  const exitCode = exitCodeOf(draft, call)
  const isRepeated = rawOutput === output || same(rawOutput, { output: output ?? null })
  const isText = output !== undefined && contentText(content) === output && isOnlyText(content)
  const isEmpty = content === undefined || listOf(content).length === 0
  return {
    ...(output === undefined ? {} : { output }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(rawOutput === undefined || isRepeated ? {} : { rawOutput }),
    ...(isEmpty || isText ? {} : { content }),
    ...(listOf(locations).length === 0 ? {} : { locations: locations ?? null }),
    ...(toolResponse === undefined ? {} : { toolResponse }),
    ...terminalsOf(draft, call, output),
  }
}

function outputText(draft: Draft, call: Call): string | undefined {
  const { rawOutput, content, terminals } = call
  const printed = terminals.map(id => terminalOf(draft, id).output).join('\n')
  const candidates = [textOf(rawOutput), textOf(objectOf(rawOutput)['output']), contentText(content), printed]
  return candidates.find(text => text !== undefined && text !== '')
}

function exitCodeOf(draft: Draft, { rawOutput, terminals }: Call): number | undefined {
  const raw = objectOf(rawOutput)
  const codes = [
    ...terminals.map(id => terminalOf(draft, id).exit?.['exitCode']),
    raw['exitCode'],
    raw['exit_code'],
    objectOf(raw['metadata'])['exit'],
  ]
  return codes.map(numberOf).find(code => code !== undefined)
}

function contentText(content: Json | undefined): string {
  return textIn(listOf(content).map(block => objectOf(block)['content'] ?? null))
}

function isOnlyText(content: Json | undefined): boolean {
  return listOf(content).every(block => objectOf(objectOf(block)['content'])['type'] === 'text')
}

function terminalsOf(draft: Draft, { terminals }: Call, text: string | undefined): JsonObject {
  const known = terminals.filter(id => terminalOf(draft, id).output !== '' || terminalOf(draft, id).exit)
  if (known.length === 0) return {}
  const shown = known.map(id => [id, shownTerminal(terminalOf(draft, id), text)] as const)
  return { terminals: Object.fromEntries(shown) }
}

/** Whether an output contains something that a tool made: a terminal without output does not count. */
export function hasOutput(draft: Draft, { rawOutput, content, terminals }: Call): boolean {
  if (rawOutput !== undefined && rawOutput !== null) return true
  if (terminals.some(id => terminalOf(draft, id).output !== '')) return true
  return listOf(content).some(block => objectOf(block)['type'] !== 'terminal')
}

/** The error of a failed call as text: the tool's own, or that of the terminal, or the best text available. */
export function errorOf(draft: Draft, call: Call): string {
  const { rawOutput, content, denied } = call
  const { error, message } = objectOf(rawOutput)
  const candidates = [
    textOf(rawOutput),
    contentText(content),
    terminalText(draft, call),
    textOf(error),
    textOf(message),
  ]
  const found = candidates.find(text => text !== undefined && text.trim() !== '')
  if (found !== undefined) return found
  if (denied) return notAllowed(call)
  return isObject(rawOutput) ? JSON.stringify(rawOutput) : 'The tool failed and did not say why.'
}

/** The output of a failed call in addition to the text of its error. */
export function besidesError(all: JsonObject, error: string): JsonObject {
  const { output, content, locations: _, ...rest } = all
  const isRepeated = typeof output === 'string' && holds(error, output.trim())
  const isSame = isOnlyText(content) && holds(contentText(content), error.trim())
  return {
    ...(output === undefined || isRepeated ? {} : { output }),
    ...(content === undefined || isSame ? {} : { content }),
    ...rest,
  }
}

function terminalText(draft: Draft, { terminals }: Call): string {
  return terminals
    .map(id => {
      const { output, exit = {} } = terminalOf(draft, id)
      const { exitCode, signal } = exit
      const code = typeof exitCode === 'number' ? `Exit code ${exitCode}.` : ''
      const end = typeof signal === 'string' ? `Ended by ${signal}.` : code
      // Some adapters write the exit code into the output.
      return output.startsWith('Exit code ') || end === '' ? output : `${output}${newline(output)}${end}`
    })
    .join('\n')
}

const newline = (text: string) => (text === '' || text.endsWith('\n') ? '' : '\n')
