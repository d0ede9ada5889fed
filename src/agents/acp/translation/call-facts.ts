import type { Json } from '../../../protocol/json.ts'
import { listOf, objectOf, textOf, type JsonObject } from '../messages.ts'
import type { Call } from './state.ts'

/** A call before any facts about it. */
export const unknownCall: Call = {
  tool: 'tool',
  named: false,
  terminals: [],
  status: 'waiting',
  asks: false,
  denied: false,
  shown: 0,
}

/** Merges an update into the known facts: fields that it leaves out stay, null clears them. */
export function withFacts(id: string, before: Call | undefined, update: JsonObject): Call {
  const call = before ?? unknownCall
  const { title, kind, rawInput, rawOutput, content, locations } = update
  const toolResponse = objectOf(objectOf(update['_meta'])['claudeCode'])['toolResponse']
  const { tool, named } = nameIn(id, call, before === undefined, update)
  // Set one by one: every call has several updates, and an object for each field would be slow.
  const next: { -readonly [Field in keyof Call]: Call[Field] } = { ...call, tool, named }
  if (typeof title === 'string') next.title = title
  if (typeof kind === 'string') next.kind = kind
  if (rawInput !== undefined) next.input = rawInput
  if (rawOutput !== undefined) next.rawOutput = rawOutput
  if (content !== undefined) next.content = content ?? []
  if (locations !== undefined) next.locations = locations ?? []
  if (toolResponse !== undefined) next.toolResponse = toolResponse
  next.terminals = withTerminals(call.terminals, terminalsIn(content))
  next.status = isCancelled(content) ? 'failed' : statusIn(call, update['status'])
  return next
}

/** Five agents report the name of a tool in five ways; the last resort is its kind. */
function nameIn(id: string, call: Call, isFirst: boolean, update: JsonObject): Pick<Call, 'tool' | 'named'> {
  const meta = objectOf(update['_meta'])
  const name =
    textOf(update['name']) ?? textOf(objectOf(meta['claudeCode'])['toolName']) ?? textOf(meta['toolName'])
  if (name !== undefined && name !== '') return { tool: name, named: true }
  if (call.named || !isFirst) return call
  const inId = /^(.{1,128})__\1_\d{10,}_\d+$/.exec(id)?.[1]
  if (inId !== undefined) return { tool: inId, named: true }
  const { title, kind } = update
  const isWord = typeof title === 'string' && /^[\w.:-]{1,64}$/.test(title)
  if (isWord) return { tool: title, named: false }
  return { tool: typeof kind === 'string' && kind !== 'other' ? kind : 'tool', named: false }
}

/** Gemini CLI reports a stopped command as completed, and mentions the stop only in its text. */
const isCancelled = (content: Json | undefined): boolean =>
  listOf(content).some(block =>
    textOf(objectOf(objectOf(block)['content'])['text'])?.startsWith('Command cancelled by user'),
  )

function statusIn({ status }: Call, reported: Json | undefined): Call['status'] {
  if (reported === 'completed') return 'done'
  if (reported === 'failed' || reported === 'cancelled') return 'failed'
  // An ended call stays ended, also when an adapter repeats an earlier status.
  if (status === 'done' || status === 'failed') return status
  return reported === 'in_progress' ? 'running' : status
}

function terminalsIn(content: Json | undefined): readonly string[] {
  return listOf(content).flatMap(block => {
    const { type, terminalId } = objectOf(block)
    return type === 'terminal' && typeof terminalId === 'string' ? [terminalId] : []
  })
}

/** A list of terminals with some more, each once. */
export function withTerminals(known: readonly string[], more: readonly string[]): readonly string[] {
  if (more.length === 0) return known
  const news = more.filter(id => !known.includes(id))
  return news.length === 0 ? known : [...known, ...new Set(news)]
}

/** The input of a call; without one, its title and locations describe it. */
export function inputOf({ input, title, kind, locations, content }: Call): Json {
  if (input !== undefined) return input
  return {
    ...(title === undefined ? {} : { title }),
    ...(kind === undefined ? {} : { kind }),
    ...(listOf(locations).length === 0 ? {} : { locations: locations ?? null }),
    ...(listOf(content).length === 0 ? {} : { content: content ?? null }),
  }
}
