import type { FinishReason, ProviderMetadata } from '../../../protocol/chunk.ts'
import type { Tokens } from '../../../protocol/data-parts.ts'
import { asObject, type Json } from '../../../protocol/json.ts'
import { listOf, numberOf, objectOf, textOf, textOrNull, type Fields } from '../../kit/fields.ts'
import { partialArguments } from './partial-arguments.ts'
import { advanceWire } from './advance-wire.ts'
import type { WireEvent, WireState } from './wire-event.ts'

/** Reads an event of Google's `streamGenerateContent`. */
export function readGemini(first: WireState, event: Fields): readonly WireEvent[] {
  if ('error' in event) return [errorOf(objectOf(event, 'error'))]
  const candidate = asObject(listOf(event, 'candidates')[0])
  const events: WireEvent[] = []
  let state = first
  const add = (more: readonly WireEvent[]) => {
    events.push(...more)
    state = more.reduce(advanceWire, state)
  }
  const model = textOf(event, 'modelVersion')
  if (!state.isStarted && model !== '') add([{ type: 'model', model }])
  for (const part of listOf(objectOf(candidate, 'content'), 'parts')) add(readPart(state, asObject(part)))
  const usage = objectOf(event, 'usageMetadata')
  if (Object.keys(usage).length > 0) add([{ type: 'usage', tokens: tokensOf(usage) }])
  add(sourcesOf(candidate))
  const native = textOf(candidate, 'finishReason') || textOf(objectOf(event, 'promptFeedback'), 'blockReason')
  if (native !== '') add(stopped(state, native))
  return events
}

function errorOf(error: Fields): WireEvent {
  return { type: 'error', kind: textOf(error, 'status') || 'error', message: textOf(error, 'message') }
}

function readPart(state: WireState, part: Fields): readonly WireEvent[] {
  const signature = textOrNull(part, 'thoughtSignature')
  const seal = signature === null ? null : { google: { thoughtSignature: signature } }
  if (typeof part['text'] === 'string') return spoken(state, part, seal)
  if ('functionCall' in part)
    return [...endTexts(state), ...called(state, objectOf(part, 'functionCall'), seal)]
  if ('inlineData' in part) {
    const data = objectOf(part, 'inlineData')
    const mediaType = textOf(data, 'mimeType')
    const url = `data:${mediaType};base64,${textOf(data, 'data')}`
    return [...endTexts(state), { type: 'file', url, mediaType }]
  }
  if ('executableCode' in part || 'codeExecutionResult' in part)
    return [...endTexts(state), ...coded(state, part)]
  if (Object.keys(part).length === 0) return []
  return [{ type: 'unknown', kind: Object.keys(part)[0] ?? 'part', native: part }]
}

function spoken(state: WireState, part: Fields, seal: ProviderMetadata | null): readonly WireEvent[] {
  const delta = textOf(part, 'text')
  const kind = part['thought'] === true ? 'thinking' : 'text'
  const [open] = [...state.open].filter(([, piece]) => piece.kind === kind)
  const key = open?.[0] ?? `w${state.begun}`
  if (delta === '') {
    if (seal === null) return []
    return open === undefined
      ? [...endTexts(state), { type: 'sealed', key, seal }]
      : [{ type: 'seal', key, seal }]
  }
  const others = open === undefined ? endTexts(state) : []
  return [
    ...others,
    { type: kind, key, delta },
    ...(seal === null ? [] : [{ type: 'seal', key, seal } as const]),
  ]
}

const endTexts = ({ open }: WireState): readonly WireEvent[] =>
  [...open].flatMap(([key, { kind }]) => (kind === 'call' ? [] : [{ type: 'end', key } as const]))

/** A call comes whole, or its arguments come piece by piece under paths into them. */
function called(state: WireState, call: Fields, seal: ProviderMetadata | null): readonly WireEvent[] {
  const tool = textOf(call, 'name')
  const pieces = listOf(call, 'partialArgs').map(asObject)
  const goesOn = call['willContinue'] === true || pieces.some(piece => piece['willContinue'] === true)
  const named = { key: `c${state.begun}`, id: textOf(call, 'id'), tool }
  const sealing = seal === null ? {} : { seal }
  if (tool === '') return goneOn(state, pieces, goesOn)
  if (pieces.length === 0 && !goesOn)
    return [
      { type: 'call', ...named },
      { type: 'call-ready', ...named, input: call['args'] ?? {}, ...sealing },
    ]
  const begun: WireEvent = { type: 'call', ...named }
  const sealed: readonly WireEvent[] = seal === null ? [] : [{ type: 'seal', key: named.key, seal }]
  return [begun, ...sealed, ...goneOn([begun, ...sealed].reduce(advanceWire, state), pieces, goesOn)]
}

/** More of the arguments of the newest call, or their end. */
function goneOn(state: WireState, pieces: readonly Fields[], goesOn: boolean): readonly WireEvent[] {
  const [key, piece] = [...state.open].findLast(([, { kind }]) => kind === 'call') ?? []
  if (key === undefined || piece === undefined) return []
  const input = partialArguments(piece.input, pieces)
  const { id, tool } = piece
  return [
    ...(input === piece.input ? [] : [{ type: 'call-so-far', key, input } as const]),
    ...(goesOn ? [] : [{ type: 'call-ready', key, id, tool } as const]),
  ]
}

function coded(state: WireState, part: Fields): readonly WireEvent[] {
  if ('executableCode' in part) {
    const named = { key: `x${state.begun}`, id: `code-${state.begun}`, tool: 'code_execution' }
    return [{ type: 'call-ready', ...named, input: part['executableCode'] ?? null, isTheirs: true }]
  }
  const result = objectOf(part, 'codeExecutionResult')
  const isError = textOf(result, 'outcome') !== 'OUTCOME_OK'
  return [{ type: 'their-result', call: `code-${state.begun - 1}`, output: result as Json, isError }]
}

function sourcesOf(candidate: Fields): readonly WireEvent[] {
  return listOf(objectOf(candidate, 'groundingMetadata'), 'groundingChunks').flatMap(chunk => {
    const web = objectOf(asObject(chunk), 'web')
    const url = textOf(web, 'uri')
    return url === '' ? [] : [{ type: 'source', url, title: textOf(web, 'title') || null } as const]
  })
}

function stopped(state: WireState, native: string): readonly WireEvent[] {
  const reason = native === 'STOP' && state.hasCalls ? 'tool-calls' : (stops[native] ?? 'content-filter')
  return [...endTexts(state), { type: 'stop', reason, native }, { type: 'complete' }]
}

const stops: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  OTHER: 'other',
  FINISH_REASON_UNSPECIFIED: 'other',
  MALFORMED_FUNCTION_CALL: 'other',
  UNEXPECTED_TOOL_CALL: 'other',
  TOO_MANY_TOOL_CALLS: 'other',
  LANGUAGE: 'other',
}

/** Gemini counts cached tokens as input, and thoughts separately from the output; here it is the other way round. */
function tokensOf(usage: Fields): Tokens {
  const cacheRead = numberOf(usage, 'cachedContentTokenCount')
  const input = numberOf(usage, 'promptTokenCount') + numberOf(usage, 'toolUsePromptTokenCount') - cacheRead
  const output = numberOf(usage, 'candidatesTokenCount') + numberOf(usage, 'thoughtsTokenCount')
  return { input: Math.max(0, input), output, cacheRead, cacheWrite: 0 }
}
