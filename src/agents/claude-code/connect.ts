import { randomUUID } from 'node:crypto'
import type { Raw } from '../../protocol/event.ts'
import type { Connection, ConnectOptions } from '../agent.ts'
import { openLineChannel, type LineChannel } from '../kit/line-channel.ts'
import { parseJson } from '../kit/parse-json.ts'
import { startFailure } from '../kit/start-failure.ts'
import { decisionOf, readPermissionRequest, type PermissionRequest } from './answer.ts'
import { promptLine, refusalLine, requestLine, responseLine } from './host-line.ts'
import { textOf, wordsOf, type Words } from './messages.ts'
import { argumentsOf, readOptions } from './options.ts'
import { inheritedNames, programOf } from './program.ts'
import { superviseStart, type Start } from './supervise-start.ts'

/** Starts the installed Claude Code and greets it. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const settings = readOptions(options.options)
  const program = programOf(process.env)
  const channel = openLineChannel({
    ...options,
    command: program.command,
    args: argumentsOf(settings, options.resume, options.fork),
    inherit: inheritedNames(process.env),
  })
  const ask = (subtype: string, more: Words = {}) =>
    channel.send(requestLine(randomUUID(), { subtype, ...more }))
  const start = superviseStart(program, channel, options)
  try {
    await ask('initialize')
  } catch (error) {
    void hearOut(channel, start)
    await start.heardOut()
    throw await startFailure(program, channel, start.greeting, error)
  }
  const permissions = new Map<string, PermissionRequest>()
  return {
    process: channel.process,
    messages: heard(channel, permissions, start),
    logs: channel.logs,
    exit: start.exit,
    async prompt(id, parts) {
      start.awaitAnswer()
      try {
        await channel.send(promptLine(id, parts))
      } catch (error) {
        await start.heardOut()
        throw start.greeting.hasSpoken ? error : await startFailure(program, channel, start.greeting, error)
      }
    },
    async answer(approval, answer) {
      const request = permissions.get(approval)
      permissions.delete(approval)
      // A request that was taken back waits for nothing.
      if (request) await channel.send(responseLine(request.id, decisionOf(request, answer)))
    },
    // A prompt that it has not taken up yet is called off with the rest.
    interrupt: () => ask('interrupt', { cancel_queued: true }),
    async [Symbol.asyncDispose]() {
      start.callOff()
      await channel[Symbol.asyncDispose]()
    },
  }
}

/** Hears what a program wrote that could not be greeted. */
async function hearOut(channel: LineChannel, start: Start): Promise<void> {
  for await (const raw of channel.messages) start.hear(raw)
  start.hearEnd()
}

/** Gives every line on, and meanwhile keeps what must be answered. */
async function* heard(
  channel: LineChannel,
  permissions: Map<string, PermissionRequest>,
  start: Start,
): AsyncGenerator<Raw> {
  for await (const raw of channel.messages) {
    start.hear(raw)
    // Most lines are words of the model and need no second look.
    const words = raw.raw.includes('"control_') ? wordsOf(parseJson(raw.raw)) : null
    if (words?.['type'] === 'control_request') take(channel, permissions, words)
    if (words?.['type'] === 'control_cancel_request') permissions.delete(textOf(words['request_id']) ?? '')
    yield raw
  }
  start.hearEnd()
}

function take(channel: LineChannel, permissions: Map<string, PermissionRequest>, words: Words): void {
  const request = readPermissionRequest(words)
  // Of two requests of one name a person is shown the first, so only that one is answered, with its own input.
  if (request) return void (permissions.has(request.id) || permissions.set(request.id, request))
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
