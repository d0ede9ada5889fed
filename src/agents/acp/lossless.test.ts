import { uiMessageChunkSchema } from 'ai'
import { uiMessageChunkSchema as schemaOfSix } from 'ai6'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { asJson, foldedBySdk, leavesOf, partsOf, translateLines } from '../kit/lossless.fixture.ts'
import { acp } from './index.ts'
import {
  callsIn,
  figuresIn,
  lastFactsOf,
  readBothSides,
  recordingsOf,
  updatesIn,
  textsIn,
  type BothSides,
  type NativeLine,
} from './lossless.fixture.ts'
import { listOf, objectOf, textOf } from './messages.ts'

const files = recordingsOf('acp', () => true)
const names = [...files.keys()].toSorted()
const read = new Map<string, BothSides>()
const recorded = (name: string): BothSides => {
  const known = read.get(name) ?? readBothSides(acp, files.get(name) ?? name)
  read.set(name, known)
  return known
}

/**
 * What is kept only in the raw lines, and why. A path is a method, a kind of update or an answer, followed by field
 * names.
 */
const rawOnly: readonly (readonly [path: RegExp, why: string])[] = [
  [/ (jsonrpc|method)$| params\.sessionId$/, 'the envelope; the session is told once'],
  [/ params\.update\.(sessionUpdate|status|messageId)$/, 'kinds and states became kinds and states of parts'],
  [/^initialize /, 'what the agent offers and how one can log in; its version is told'],
  [
    /^session\/(new|load|resume) result\./,
    'lists of modes, models and options; the session and its model are told',
  ],
  [/^session\/(list|close) /, 'asked by the recorder, not by us'],
  [/^session\/prompt result\.messageId$/, 'ties a prompt to its echo'],
  [/^session\/prompt result\._meta\.qwen\.branchPoint\./, 'names in its own store'],
  [/^(available_commands_update|config_option_update) /, 'what a person could type or set next'],
  [/^user_message(_chunk)? /, 'a prompt: the session keeps it as what a person said'],
  [/^session_info_update /, 'a title, which we make ourselves, and states of its own'],
  [/^usage_update params\.update\._meta\./, 'the model is told; the origin is always a person'],
  [/^(_auth|qwen|craft)\//, 'for its own client'],
  [
    /^(plan|plan_update) .*(status|priority|planId|type)$/,
    'shown in the house’s words; a priority has no place in them',
  ],
  [/^state_update params\.update\.(state|stopReason)$/, 'became start and finish'],
  [/^state_update params\.update\._meta\./, 'the same figures once more'],
  [
    /^session\/request_permission params\.(toolCall|subject)\.?(toolCall)?\.?(status|type|content\.type)$/,
    'states of a request',
  ],
  [/^fs\//, 'a file for which we are only asked to read or write; the call tells of it'],
  [
    /^tool_call(_update)? params\.update\.(title|_meta\.(phase|provenance|serverId|terminal_\w+\.terminal_id))$/,
    'a title is replaced by the next; where a tool comes from is for its own client',
  ],
  [
    /^tool_call_update params\.update\._meta\.(claudeCode\.nonExecutionKind|toolName|claudeCode\.toolName)$/,
    'why a refused call did not run: shown as its error',
  ],
  [/^tool_call(_update)? params\.update\.rawInput\./, 'a growing input: the last one counts'],
  [
    /^tool_call(_update)? params\.update\.content\./,
    'what a call shows while it waits or runs is replaced by its result',
  ],
  [
    /^terminal_update params\.update\.(output\.data|terminalId|command|cwd)$/,
    'bytes in base64: shown as text; its command is that of the call',
  ],
  [/ error\.message$/, 'an error in JSON: its sentence is shown'],
]

function where({ message, from }: NativeLine, asked: Map<string, string>): string {
  const { id, method, params } = message
  if (from === 'host' && typeof method === 'string') asked.set(JSON.stringify(id), method)
  if (method === 'session/update') return textOf(objectOf(objectOf(params)['update'])['sessionUpdate']) ?? ''
  return textOf(method) ?? asked.get(JSON.stringify(id)) ?? ''
}

describe('acp loses nothing', () => {
  it.each(names)('[P5] %s: every text is in the messages, or is raw-only for a reason', name => {
    const { lines, messages } = recorded(name)
    const kept = leavesOf(messages as unknown as Json)
      .map(({ value }) => value)
      .join('\u0000')
    const asked = new Map<string, string>()
    const lost = lines.flatMap(line => {
      const place = where(line, asked)
      if (line.from === 'host' || line.isReplay) return []
      return leavesOf(line.message)
        .map(({ path, value }) => ({ path: `${place} ${path}`, value }))
        .filter(({ path, value }) => !kept.includes(value) && !rawOnly.some(([each]) => each.test(path)))
    })
    expect(lost).toEqual([])
  })

  it('[P5] every reason is still needed', () => {
    const paths = new Set<string>()
    for (const name of names) {
      const asked = new Map<string, string>()
      for (const line of recorded(name).lines) {
        const place = where(line, asked)
        if (line.from === 'agent')
          for (const { path } of leavesOf(line.message)) paths.add(`${place} ${path}`)
      }
    }
    for (const [path] of rawOnly)
      expect(
        [...paths].some(each => path.test(each)),
        String(path),
      ).toBe(true)
  })

  it.each(names)('[P5] %s: no text is shown twice, and none is missing', name => {
    const recording = recorded(name)
    const texts = partsOf(recording, 'text').map(({ text }) => text)
    const thoughts = partsOf(recording, 'reasoning').map(({ text }) => text)
    expect(texts.join('')).toBe(textsIn(recording, 'agent_message_chunk'))
    expect(thoughts.join('')).toBe(textsIn(recording, 'agent_thought_chunk'))
  })

  it.each(names)('[P3] %s: every call appears once, as it ended', name => {
    const parts = partsOf(recorded(name), 'dynamic-tool')
    const calls = callsIn(recorded(name))
    expect(parts.map(({ toolCallId }) => toolCallId).toSorted()).toEqual([...calls.keys()].toSorted())
    for (const { toolCallId, state, toolName } of parts) {
      expect(state).toBe(calls.get(toolCallId) === 'completed' ? 'output-available' : 'output-error')
      expect(toolName).not.toBe('unknown')
    }
  })

  it.each(names)('[P3] %s: the last input, output and content of every call are kept', name => {
    const calls = callsIn(recorded(name))
    for (const part of partsOf(recorded(name), 'dynamic-tool')) {
      const kept = leavesOf(part as unknown as Json)
        .map(({ value }) => value)
        .join('\u0000')
      const last = lastFactsOf(recorded(name), part.toolCallId)
      const facts = calls.get(part.toolCallId) === 'denied' ? [last.rawInput] : Object.values(last)
      const lost = facts.flatMap(value => leavesOf(value)).filter(({ value }) => !kept.includes(value))
      // Kinds of blocks are not text, and a fence around an error is only for display.
      const isForm = ({ path, value }: (typeof lost)[number]) =>
        /(^|\.)(type|terminalId)$/.test(path) || /^```\n[^]*\n```$/.test(value)
      expect(lost.filter(leaf => !isForm(leaf))).toEqual([])
    }
  })

  it.each(names)('[P7] %s: the usage of each prompt is reported', name => {
    const recording = recorded(name)
    const reported = partsOf(recording, 'data-usage').map(({ data }) => [
      data.tokens.input,
      data.tokens.output,
    ])
    const figures = figuresIn(recording)
    if (!name.startsWith('qwen')) expect(reported).toEqual(figures)
    const costs = updatesIn(recording).flatMap(({ cost }) => objectOf(cost)['amount'] ?? [])
    const metadata = JSON.stringify(recording.messages.map(({ message }) => message.metadata))
    const last = costs.at(-1)
    if (last !== undefined) expect(metadata).toContain(`"amount":${JSON.stringify(last)}`)
  })

  it.each(names)('[P2] %s: plans are shown', name => {
    const recording = recorded(name)
    const wanted = updatesIn(recording).flatMap(update =>
      listOf(update['entries'] ?? objectOf(update['plan'])['entries']).map(entry =>
        textOf(objectOf(entry)['content']),
      ),
    )
    const todos = partsOf(recording, 'data-todos').flatMap(({ data }) => data.todos.map(({ text }) => text))
    expect(todos).toEqual(expect.arrayContaining(wanted))
  })

  it.each(names)('[P9] %s: both names of the session are reported', name => {
    const { lines, messages } = recorded(name)
    const own = lines
      .map(({ message }) => textOf(objectOf(message['result'])['sessionId']))
      .find(id => id !== undefined)
    for (const { message } of messages)
      expect(message.metadata).toMatchObject({ agent: 'acp', agentSession: own })
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
      expect(translateLines(acp, raws)).toEqual(chunks)
      for (const { chunk } of chunks)
        for (const schema of [uiMessageChunkSchema(), schemaOfSix()])
          expect(await schema.validate?.(asJson(chunk))).toMatchObject({ success: true })
    },
  )
})
