import { randomUUID } from 'node:crypto'
import { DragomanError } from '../../protocol/error.ts'
import type { Raw } from '../../protocol/event.ts'
import type { Connection, ConnectOptions } from '../agent.ts'
import { openLineChannel, type LineChannel } from '../kit/line-channel.ts'
import { parseJson } from '../kit/parse-json.ts'
import { decisionOf, readPermissionRequest, type PermissionRequest } from './answer.ts'
import { promptLine, refusalLine, requestLine, responseLine } from './host-line.ts'
import { textOf, wordsOf, type Words } from './messages.ts'
import { argumentsOf, readOptions } from './options.ts'
import { inheritedNames, installAdvice, programOf } from './program.ts'

/** Servers of tools that it starts first may take their time. */
const patienceMs = 60_000

/** Starts the installed Claude Code and greets it. */
export const connect = (options: ConnectOptions): Promise<Connection> => connectWithin(patienceMs, options)

/** Does so, and ends it when its first word takes longer. */
export async function connectWithin(patience: number, options: ConnectOptions): Promise<Connection> {
  const settings = readOptions(options.options)
  const channel = openLineChannel({
    ...options,
    command: programOf(process.env),
    args: argumentsOf(settings, options.resume, options.fork),
    inherit: inheritedNames(process.env),
  })
  const ask = (subtype: string, more: Words = {}) =>
    channel.send(requestLine(randomUUID(), { subtype, ...more }))
  try {
    await ask('initialize')
  } catch (error) {
    await channel[Symbol.asyncDispose]()
    throw withAdvice(error)
  }
  const permissions = new Map<string, PermissionRequest>()
  const silence = endSilent(channel, patience)
  return {
    process: channel.process,
    messages: heard(channel, permissions, silence.isOver),
    logs: channel.logs,
    exit: silence.exit,
    prompt: async (id, parts) => await channel.send(promptLine(id, parts)),
    async answer(approval, answer) {
      const request = permissions.get(approval)
      permissions.delete(approval)
      // A request that was taken back waits for nothing.
      if (request) await channel.send(responseLine(request.id, decisionOf(request, answer)))
    },
    // A prompt that it has not taken up yet is called off with the rest.
    interrupt: () => ask('interrupt', { cancel_queued: true }),
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  }
}

/** Ends a program that never says a word, not even to our greeting. */
function endSilent(channel: LineChannel, patience: number) {
  let reason: string | null = null
  const timer = setTimeout(() => {
    reason = `Claude Code said nothing within ${patience / 1000} seconds. Try "claude" in a terminal.`
    void channel[Symbol.asyncDispose]()
  }, patience)
  timer.unref()
  const isOver = () => clearTimeout(timer)
  const exit = channel.exit.then(told => {
    isOver()
    return reason === null ? told : { ...told, reason }
  })
  return { isOver, exit }
}

function withAdvice(error: unknown): unknown {
  const missing = error instanceof DragomanError && /was not found/.test(error.message)
  return missing ? new DragomanError(error.code, `Claude Code is not installed. ${installAdvice}`) : error
}

/** Gives every line on, and meanwhile keeps what must be answered. */
async function* heard(
  channel: LineChannel,
  permissions: Map<string, PermissionRequest>,
  isSpeaking: () => void,
): AsyncGenerator<Raw> {
  for await (const raw of channel.messages) {
    isSpeaking()
    // Most lines are words of the model and need no second look.
    const words = raw.raw.includes('"control_') ? wordsOf(parseJson(raw.raw)) : null
    if (words?.['type'] === 'control_request') take(channel, permissions, words)
    if (words?.['type'] === 'control_cancel_request') permissions.delete(textOf(words['request_id']) ?? '')
    yield raw
  }
}

function take(channel: LineChannel, permissions: Map<string, PermissionRequest>, words: Words): void {
  const request = readPermissionRequest(words)
  if (request) return void permissions.set(request.id, request)
  const id = textOf(words['request_id'])
  if (id === null) return
  const subtype = textOf(wordsOf(words['request'])?.['subtype'])
  // Nobody here can fill in a form, which is an answer; whatever else it asks for was never offered.
  const line =
    subtype === 'elicitation'
      ? responseLine(id, { action: 'decline' })
      : refusalLine(id, subtype ?? 'untyped')
  // An answer that cannot be sent has no taker: the agent has ended.
  channel.send(line).catch(() => undefined)
}
