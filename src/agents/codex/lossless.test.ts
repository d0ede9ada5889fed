import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import {
  asJson,
  foldedBySdk,
  leavesOf,
  partsOf,
  readRecorded,
  type Recorded,
} from '../kit/lossless.fixture.ts'
import { objectOf, textOf } from '../kit/fields.ts'
import { codex } from './index.ts'
import { completedIn, grownIn, isTool, saidIn, wasDone } from './native.fixture.ts'

const folder = join(import.meta.dirname, 'recordings')
const files = readdirSync(folder).filter(name => name.endsWith('.jsonl'))
const recordings = new Map(files.map(file => [file, readRecorded(codex, join(folder, file))]))
const recorded = (file: string): Recorded => recordings.get(file) ?? readRecorded(codex, join(folder, file))

/** Fields that only the raw lines have, and why. A path is a method or a response, followed by field names. */
const rawOnly: readonly (readonly [path: RegExp, why: string])[] = [
  [/ method$/, 'the envelope; the kind is what the translation is made by'],
  [
    /^(thread\/status|thread\/readState|account|remoteControl|thread\/goal\/cleared)/,
    'state of its own client',
  ],
  [/^mcpServer\/startupStatus\/updated params\.status$/, 'only a server that fails to start is worth a line'],
  [/ params\.(itemId|turnId)$/, 'ids that only tie messages together'],
  [/ params\.item\.(id|type)$/, 'ids of texts, and kinds that became kinds of parts'],
  [
    / params\.item\.(status|processId|clientId)$/,
    'a status is shown as the state of a part; ids of processes pass',
  ],
  [/^item\/completed params\.item\.source$/, 'who runs a command, shown with the input when it began'],
  [/^item\/\w+ params\.item\.content\.(text|type|url)$/, 'a prompt: the session already has it'],
  [/^item\/commandExecution\/requestApproval params\.environmentId$/, 'always the machine itself'],
  [/^item\/commandExecution\/terminalInteraction params\.processId$/, 'ids of processes pass'],
  [/^turn\/(started|completed) params\.turn\.(status|itemsView|id|rootTurnId)$/, 'shown as start and finish'],
  [/^turn\/completed params\.turn\.items\./, 'a part of the items'],
  [/^turn\/plan\/updated params\.plan\.status$/, 'shown with our own status words'],
  [/^turn\/diff\/updated params\.diff$/, 'the newest diff of a turn replaces the ones before'],
  [/^thread\/(started|settings\/updated) /, 'settings; model, folder and version are shown'],
  [/^answer result\.thread\.turns\./, 'earlier turns, which were translated when they happened'],
  [
    /^answer result\.(data|turnsBackwardsCursor|itemsBackwardsCursor|backwardsCursor)/,
    'earlier turns, and running processes',
  ],
  [
    /^answer result\.(thread|turn|readState|collaborationMode)\./,
    'settings and ids; model, folder and version are shown',
  ],
  [/^answer result\.\w+$|^answer result\.sandbox\.type$/, 'settings of the program and of the thread'],
  [/^rawResponse/, 'what the model gave and got: shown as items, and as calls where there is no item'],
  [
    /^(error|turn\/completed) params\.(turn\.)?error\.message$/,
    'a refusal of the provider in JSON: its sentence is shown',
  ],
  [/^exec \S+ type$/, 'the envelope of a line of exec'],
  [/^exec \S+ item\.(id|type|status)$/, 'as with the items of the app-server'],
]

/** Retracted text, and a JSON error of the provider, of which only the sentence is shown. */
const lostFor: Readonly<Record<string, RegExp>> = {
  'exec-api-error-400.jsonl': /^exec (error|turn\.failed) (error\.)?message$/,
  'stream-drop-retry.jsonl': /^item\/agentMessage\/delta params\.delta$/,
}

function where({ method, type, result, error }: Readonly<Record<string, Json>>): string {
  if (typeof method === 'string') return method
  if (typeof type === 'string') return `exec ${type}`
  return result === undefined ? (error === undefined ? '' : 'error') : 'answer'
}

const isRawOnly = (file: string, path: string) =>
  rawOnly.some(([each]) => each.test(path)) || lostFor[file]?.test(path) === true

describe('codex loses nothing', () => {
  it.each(files)('[P5] %s: every text is in the messages, or only in the raw lines for a reason', file => {
    const { native, messages } = recorded(file)
    const kept = leavesOf(messages as unknown as Json)
      .map(({ value }) => value)
      .join('\u0000')
    const lost = native.flatMap(message =>
      leavesOf(message)
        .map(({ path, value }) => ({ path: `${where(message)} ${path}`, value }))
        .filter(({ path, value }) => !kept.includes(value) && !isRawOnly(file, path)),
    )
    expect(lost).toEqual([])
  })

  it('[P5] every reason is still needed', () => {
    const paths = [...recordings.values()].flatMap(({ native }) =>
      native.flatMap(message => leavesOf(message).map(({ path }) => `${where(message)} ${path}`)),
    )
    for (const [path] of rawOnly) expect(paths.some(each => path.test(each))).toBe(true)
  })

  it.each(files)('[P5] %s: no text is shown twice, and none is missing', file => {
    const { native } = recorded(file)
    const texts = partsOf(recorded(file), 'text').map(({ text }) => text)
    const thoughts = partsOf(recorded(file), 'reasoning').map(({ text }) => text)
    expect(texts.toSorted()).toEqual(saidIn(native, ['agentMessage', 'agent_message', 'plan']).toSorted())
    expect(thoughts.toSorted()).toEqual(saidIn(native, ['reasoning']).toSorted())
  })

  it.each(files)('[P3] %s: every call of an item is shown once, with its output', file => {
    const parts = partsOf(recorded(file), 'dynamic-tool')
    for (const item of completedIn(recorded(file).native).filter(isTool)) {
      const [part, ...more] = parts.filter(({ toolCallId }) => toolCallId === item['id'])
      expect(more).toEqual([])
      expect(part?.state).toBe(wasDone(item) ? 'output-available' : 'output-error')
      const output = item['aggregatedOutput'] ?? item['aggregated_output'] ?? ''
      expect(JSON.stringify(part)).toContain(JSON.stringify(output).slice(1, -1))
      const code = item['exitCode'] ?? item['exit_code']
      if (typeof code === 'number') expect(JSON.stringify(part)).toContain(`${code}`)
    }
  })

  it.each(files)('[P7] %s: the usage is the growth of the totals of each thread', file => {
    const { native, messages } = recorded(file)
    const used = messages.flatMap(({ message }) =>
      message.parts.flatMap(part => (part.type === 'data-usage' ? [part.data.tokens] : [])),
    )
    const sum = (name: keyof (typeof used)[number]) => used.reduce((all, tokens) => all + tokens[name], 0)
    expect({
      inputTokens: sum('input') + sum('cacheRead') + sum('cacheWrite'),
      cachedInputTokens: sum('cacheRead'),
      outputTokens: sum('output'),
    }).toEqual(grownIn(native))
  })

  it.each(files)('[P9] %s: the agent’s own id of the session is shown', file => {
    const { native, messages } = recorded(file)
    const started = native
      .map(line => textOf(objectOf(objectOf(line, 'result'), 'thread'), 'id') || textOf(line, 'thread_id'))
      .find(Boolean)
    const hasTurn = native.some(({ method, type }) => method === 'turn/started' || type === 'turn.started')
    const [first] = partsOf(recorded(file), 'data-session')
    expect(messages.length > 0).toBe(hasTurn)
    if (hasTurn) expect(first?.data.agentSession).toBe(started)
  })

  it.each(files)('[P6] %s: the stored messages are those that the AI SDK folds', async file => {
    const kept = recorded(file).messages.map(({ message }) => asJson(message))
    const folded = await foldedBySdk(recorded(file))
    expect(kept.toSorted(byId)).toEqual(folded.toSorted(byId))
  })
})

const byId = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
