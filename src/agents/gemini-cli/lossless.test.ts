import { readFileSync } from 'node:fs'
import { uiMessageChunkSchema } from 'ai'
import { uiMessageChunkSchema as schemaOfSix } from 'ai6'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import {
  callsIn,
  figuresIn,
  readBothSides,
  recordingsOf,
  textsIn,
  type BothSides,
} from '../acp/lossless.fixture.ts'
import { objectOf, textOf, type JsonObject } from '../acp/index.ts'
import { asJson, foldedBySdk, leavesOf, partsOf, stored, translateLines } from '../kit/lossless.fixture.ts'
import { geminiCli } from './index.ts'

const files = recordingsOf('gemini-cli', name => !name.startsWith('session-file'))
const names = [...files.keys()].toSorted()
const overAcp = names.filter(name => name.startsWith('acp-'))
const besideChat = names.filter(name => name.startsWith('chat-'))
const headless = names.filter(name => name.startsWith('stream-json-'))
const read = new Map<string, BothSides>()
const recorded = (name: string): BothSides => {
  const known = read.get(name) ?? readBothSides(geminiCli, files.get(name) ?? name)
  read.set(name, known)
  return known
}

/** What is kept only in the raw lines, and why. A path is a kind of line followed by field names. */
const rawOnly: readonly (readonly [path: RegExp, why: string])[] = [
  [
    / (jsonrpc|method|timestamp|type|role|status)$| params\.sessionId$/,
    'the envelope, and kinds that became kinds of parts',
  ],
  [/ params\.update\.(sessionUpdate|status)$/, 'kinds and states became kinds and states of parts'],
  [
    /^initialize |^session\/(new|load) (result|error)\./,
    'what it offers; its version, session and model are told',
  ],
  [/^session\/(list|set_mode) |^_unknown/, 'asked by the recorder, not by us'],
  [/^available_commands_update /, 'what a person could type next'],
  [/^message content$/, 'of the user: the session keeps what a person said'],
  [
    /^session\/request_permission params\.toolCall\.(status|content\..*)$/,
    'what a request shows until the chat tells the input and the result',
  ],
  [/^fs\//, 'a file for which we are only asked; the call tells of it'],
  [/^tool_call_update params\.update\.(title|content\..*)$/, 'replaced by what comes later of the same call'],
  [/ error\.message$/, 'an error in JSON: its sentence is shown'],
  [/^result error\.message$/, 'an error in JSON: its sentence is shown'],
  [/^error message$|^tool_result (output|error\.type)$/, 'shown as a notice or an error'],
  [
    /^chat (sessionId|projectHash|startTime|lastUpdated|kind|id|timestamp|model)$/,
    'the header and the envelope of the chat',
  ],
  [
    /^chat toolCalls\.(id|description|displayName|status|timestamp)$/,
    'titles for its own screen; the call has one from ACP',
  ],
  [
    /^chat toolCalls\.(args\..*|name|result\..*)$/,
    'of a refused call, which stays as it was asked about; the name and id once more',
  ],
  [/^chat (content\.|thoughts\.|content$)/, 'said over ACP before, and trimmed here'],
]

/** Text of an attempt that is not in the file: it was retracted. */
const takenBack: Readonly<Record<string, RegExp>> = {
  'chat-midstream-retry.jsonl': /^agent_message_chunk /,
}

function placeOf(message: JsonObject, asked: Map<string, string>): string {
  const { id, method, params, type } = message
  if (method === 'session/update') return textOf(objectOf(objectOf(params)['update'])['sessionUpdate']) ?? ''
  if (method !== undefined) return textOf(method) ?? ''
  if (message['jsonrpc'] !== undefined) return asked.get(JSON.stringify(id)) ?? ''
  return typeof id === 'string' || message['projectHash'] !== undefined ? 'chat' : (textOf(type) ?? '')
}

function leavesIn(name: string) {
  const asked = new Map<string, string>()
  return recorded(name).lines.flatMap(({ from, message, isReplay }) => {
    if (from === 'host') asked.set(JSON.stringify(message['id']), textOf(message['method']) ?? '')
    if (from === 'host' || isReplay) return []
    const place = placeOf(message, asked)
    return leavesOf(message).map(({ path, value }) => ({ path: `${place} ${path}`, value }))
  })
}

describe('gemini-cli loses nothing', () => {
  it.each(names)('[P5] %s: every text is in the messages, or is raw-only for a reason', name => {
    const kept = leavesOf(recorded(name).messages as unknown as Json)
      .map(({ value }) => value)
      .join('\u0000')
    const isReason = (path: string) =>
      rawOnly.some(([each]) => each.test(path)) || takenBack[name]?.test(path) === true
    const lost = leavesIn(name).filter(({ path, value }) => !kept.includes(value) && !isReason(path))
    expect(lost).toEqual([])
  })

  it('[P5] every reason is still needed', () => {
    const paths = [...new Set(names.flatMap(leavesIn).map(({ path }) => path))]
    for (const [path] of rawOnly)
      expect(
        paths.some(each => path.test(each)),
        String(path),
      ).toBe(true)
  })

  it.each(overAcp)('[P5] %s: no text is shown twice, and none is missing', name => {
    const recording = recorded(name)
    const texts = partsOf(recording, 'text').map(({ text }) => text)
    expect(texts.join('')).toBe(textsIn(recording, 'agent_message_chunk'))
    const thoughts = partsOf(recording, 'reasoning').map(({ text }) => text)
    expect(thoughts.join('')).toBe(textsIn(recording, 'agent_thought_chunk'))
  })

  it.each(headless)('[P5] %s: no text is shown twice, and none is missing', name => {
    const lines = recorded(name).lines.map(({ message }) => message)
    const wanted = lines.flatMap(({ role, content }) => (role === 'assistant' ? [textOf(content) ?? ''] : []))
    const texts = partsOf(recorded(name), 'text').map(({ text }) => text)
    expect(texts.join('')).toBe(wanted.join(''))
  })

  it.each([...overAcp, ...besideChat])('[P3] %s: every call appears once, as it ended', name => {
    const parts = partsOf(recorded(name), 'dynamic-tool')
    const ids = parts.map(({ toolCallId }) => toolCallId)
    const calls = callsIn(recorded(name))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining([...calls.keys()]))
    for (const part of parts) {
      const { toolCallId, state, toolName } = part
      // For Gemini CLI a stopped command is completed; only its text shows the stop.
      const isStopped = 'errorText' in part && part.errorText.startsWith('Command cancelled by user')
      expect(isStopped).toBe(name.includes('cancel-tool'))
      const isDone = calls.get(toolCallId) === 'completed' && !isStopped
      expect(state).toBe(isDone ? 'output-available' : 'output-error')
      expect(toolCallId).toMatch(`${toolName}__${toolName}_`)
    }
  })

  it.each(headless)('[P3] %s: every call appears once, as it ended', name => {
    const parts = partsOf(recorded(name), 'dynamic-tool')
    const lines = recorded(name).lines.map(({ message }) => message)
    const uses = lines.filter(({ type }) => type === 'tool_use')
    expect(parts.map(({ toolName, input }) => [toolName, input])).toEqual(
      uses.map(({ tool_name: tool, parameters }) => [tool, parameters]),
    )
    for (const { toolCallId, state } of parts) {
      const result = lines.find(({ type, tool_id: id }) => type === 'tool_result' && id === toolCallId)
      expect(state).toBe(result?.['status'] === 'success' ? 'output-available' : 'output-error')
    }
  })

  it.each(overAcp)('[P7] %s: the usage of each prompt is reported', name => {
    const reported = partsOf(recorded(name), 'data-usage').map(({ data }) => [
      data.tokens.input,
      data.tokens.output,
    ])
    expect(reported).toEqual(figuresIn(recorded(name)))
  })

  it.each(headless)('[P7] %s: the usage of each run is reported', name => {
    const reported = partsOf(recorded(name), 'data-usage').map(({ data: { tokens } }) => [
      tokens.input + tokens.cacheRead,
      tokens.output,
    ])
    const stats = recorded(name)
      .lines.map(({ message }) => message)
      .filter(({ type }) => type === 'result')
      .map(message => objectOf(message['stats']))
    const sums = stats.map(each => [each['input_tokens'], each['total_tokens']])
    expect(reported.map(([input = 0, output = 0]) => [input, input + output])).toEqual(sums)
  })

  it.each(names)('[P9] %s: both names of the session are reported', name => {
    const { lines, messages } = recorded(name)
    const own = lines.flatMap(
      ({ message }) =>
        textOf(objectOf(message['result'])['sessionId']) ?? textOf(message['session_id']) ?? [],
    )
    const spoke = messages.filter(({ message }) => message.metadata?.['agentSession'] !== null)
    for (const { message } of spoke) {
      expect(message.metadata?.['agent']).toBe('gemini-cli')
      expect(own).toContain(message.metadata?.['agentSession'])
    }
    expect(spoke.length).toBeGreaterThan(0)
  })

  it.each(names)('[P6] %s: the stored messages equal what the AI SDK folds', async name => {
    const { chunks, messages } = recorded(name)
    const kept = messages.map(({ message }) => asJson(message))
    expect(kept).toEqual(await foldedBySdk({ native: [], chunks, messages }))
  })

  it.each(names)(
    '[P1] [P2] [A2] %s: chunks are known, keep the rules, and are the same again',
    async name => {
      const { raws, chunks } = recorded(name)
      assertWellFormed(chunks)
      expect(translateLines(geminiCli, raws)).toEqual(chunks)
      for (const { chunk } of chunks)
        for (const schema of [uiMessageChunkSchema(), schemaOfSix()])
          expect(await schema.validate?.(asJson(chunk))).toMatchObject({ success: true })
    },
  )

  it('[A3] the file of a chat alone is for the importer: its lines are shown as they are', () => {
    const [file] = recordingsOf('gemini-cli', name => name.startsWith('session-file')).values()
    if (file === undefined) return
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    const unknown = partsOf({ messages: stored(translateLines(geminiCli, lines)) }, 'data-unknown')
    expect(unknown).toHaveLength(lines.length)
  })
})
