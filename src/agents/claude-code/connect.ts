import { randomUUID } from 'node:crypto'
import type { Raw } from '../../protocol/event.ts'
import type { AgentLine, Connection, ConnectOptions } from '../agent.ts'
import { openLineChannel, type LineChannel } from '../kit/line-channel.ts'
import { parseJson } from '../kit/parse-json.ts'
import { startFailure } from '../kit/start-failure.ts'
import { decisionOf, readPermissionRequest, type PermissionRequest } from './answer.ts'
import { promptLine, refusalLine, requestLine, responseLine } from './host-line.ts'
import { textOf, fieldsOf, type Fields } from './messages.ts'
import { argumentsOf, readOptions } from './options.ts'
import { inheritedNames, programOf } from './program.ts'
import { superviseStart, type Start } from './supervise-start.ts'

/** Starts the installed Claude Code and initializes it. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const settings = readOptions(options.options)
  const program = programOf(process.env)
  const channel = openLineChannel({
    ...options,
    command: program.command,
    args: argumentsOf(settings, options.resume, options.fork),
    inherit: inheritedNames(process.env),
  })
  const ask = (subtype: string, more: Fields = {}) =>
    channel.send(requestLine(randomUUID(), { subtype, ...more }))
  const start = superviseStart(program, channel, options)
  try {
    await ask('initialize')
  } catch (error) {
    void readOutput(channel, start)
    await start.outputRead()
    throw await startFailure(program, channel, start.greeting, error)
  }
  const permissions = new Map<string, PermissionRequest>()
  return {
    process: channel.process,
    messages: linesOf(channel, permissions, start),
    logs: channel.logs,
    exit: start.exit,
    async prompt(id, parts) {
      start.awaitAnswer()
      try {
        await channel.send(promptLine(id, parts))
      } catch (error) {
        await start.outputRead()
        throw start.greeting.hasSpoken ? error : await startFailure(program, channel, start.greeting, error)
      }
    },
    async answer(approval, answer) {
      const request = permissions.get(approval)
      permissions.delete(approval)
      // A cancelled request waits for nothing.
      if (request) await channel.send(responseLine(request.id, decisionOf(request, answer)))
    },
    // A prompt that has not started yet is cancelled with the rest.
    interrupt: () => ask('interrupt', { cancel_queued: true }),
    async [Symbol.asyncDispose]() {
      start.callOff()
      await channel[Symbol.asyncDispose]()
    },
  }
}

/** Reads the output of a program that could not be initialized. */
async function readOutput(channel: LineChannel, start: Start): Promise<void> {
  for await (const raw of channel.messages) start.hear(parsed(raw))
  start.hearEnd()
}

/** Passes every line on, and keeps the requests that must be answered. */
async function* linesOf(
  channel: LineChannel,
  permissions: Map<string, PermissionRequest>,
  start: Start,
): AsyncGenerator<AgentLine> {
  for await (const raw of channel.messages) {
    // Most lines are output of the model: only the translation parses them.
    const line = start.isWatching || raw.raw.includes('"control_') ? parsed(raw) : raw
    start.hear(line)
    const fields = fieldsOf(line.parsed)
    if (fields?.['type'] === 'control_request') take(channel, permissions, fields)
    if (fields?.['type'] === 'control_cancel_request') permissions.delete(textOf(fields['request_id']) ?? '')
    yield line
  }
  start.hearEnd()
}

function parsed(raw: Raw): AgentLine {
  const value = parseJson(raw.raw)
  return value === undefined ? raw : { ...raw, parsed: value }
}

function take(channel: LineChannel, permissions: Map<string, PermissionRequest>, fields: Fields): void {
  const request = readPermissionRequest(fields)
  // Of two requests with one id a person sees the first, so only that one is answered, with its own input.
  if (request) return void (permissions.has(request.id) || permissions.set(request.id, request))
  const id = textOf(fields['request_id'])
  if (id === null) return
  const subtype = textOf(fieldsOf(fields['request'])?.['subtype'])
  // A form is declined, which is an answer; other requests were never offered.
  const line =
    subtype === 'elicitation'
      ? responseLine(id, { action: 'decline' })
      : refusalLine(id, subtype ?? 'untyped')
  // When an answer cannot be sent, the agent has ended.
  channel.send(line).catch(() => undefined)
}
