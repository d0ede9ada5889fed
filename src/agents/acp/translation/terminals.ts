import type { Json } from '../../../protocol/json.ts'
import { getIn, setIn } from '../../kit/persistent-map.ts'
import { isObject, objectOf, textOf, type JsonObject } from '../messages.ts'
import { change, type Draft, type Terminal } from './state.ts'

const blank: Terminal = { output: '', rest: '' }

/** The known facts of a terminal. */
export function terminalOf({ state }: Draft, id: string): Terminal {
  return getIn(state.terminals, id) ?? blank
}

/** Changes the facts of a terminal. */
export function changeTerminal(draft: Draft, id: string, news: Partial<Terminal>): void {
  const terminal = { ...terminalOf(draft, id), ...news }
  change(draft, { terminals: setIn(draft.state.terminals, id, terminal) })
}

/** Applies an upsert of version 2: fields that it leaves out stay, output replaces the earlier output. */
export function applyTerminal(draft: Draft, id: string, update: JsonObject): void {
  const { command, cwd, output, exitStatus } = update
  changeTerminal(draft, id, {
    ...(typeof command === 'string' ? { command } : {}),
    ...(typeof cwd === 'string' ? { cwd } : {}),
    ...(output === undefined ? {} : blank),
    ...(isObject(exitStatus) ? { exit: exitStatus } : {}),
  })
  const data = textOf(objectOf(output)['data'])
  if (data !== undefined) addBytes(draft, id, data)
}

/** Adds bytes to a terminal's output; a character may be split between two pieces. */
export function addBytes(draft: Draft, id: string, base64: string): void {
  const { output, rest } = terminalOf(draft, id)
  const bytes = Buffer.concat([Buffer.from(rest, 'base64'), Buffer.from(base64, 'base64')])
  const whole = wholeCharacters(bytes)
  changeTerminal(draft, id, {
    output: output + bytes.subarray(0, whole).toString('utf8'),
    rest: bytes.subarray(whole).toString('base64'),
  })
}

/** How many bytes remain without an unfinished character at the end. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte < 0xc0) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return needed > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

const terminalKeys = ['terminal_info', 'terminal_output', 'terminal_output_delta', 'terminal_exit']
const noTerminals: readonly string[] = []

/** Applies what adapters report about a call's terminal outside the protocol; returns the terminals that it names. */
export function applyTerminalFacts(draft: Draft, meta: JsonObject): readonly string[] {
  if (!terminalKeys.some(key => key in meta)) return noTerminals
  const named: string[] = []
  const each = (key: string, apply: (id: string, facts: JsonObject) => void) => {
    const facts = objectOf(meta[key])
    const id = textOf(facts['terminal_id'])
    if (id === undefined) return
    named.push(id)
    apply(id, facts)
  }
  each('terminal_info', (id, { cwd }) => {
    if (typeof cwd === 'string') changeTerminal(draft, id, { cwd })
  })
  const add = (id: string, { data }: JsonObject) =>
    changeTerminal(draft, id, { output: terminalOf(draft, id).output + (textOf(data) ?? '') })
  each('terminal_output', add)
  each('terminal_output_delta', add)
  each('terminal_exit', (id, { exit_code: exitCode = null, signal = null }) =>
    changeTerminal(draft, id, { exit: { exitCode, signal } }),
  )
  return named
}

/** A terminal as part of a call's output, without the text that the call already gives. */
export function shownTerminal(terminal: Terminal, text: string | undefined): Json {
  const { command, cwd, output, truncated, exit } = terminal
  return {
    ...(command === undefined ? {} : { command }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(output === text ? {} : { output }),
    ...(truncated === true ? { truncated } : {}),
    ...exit,
  }
}
