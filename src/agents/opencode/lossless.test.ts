import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { objectOf, textOf } from '../kit/fields.ts'
import {
  asJson,
  foldedBySdk,
  leavesOf,
  partsOf,
  readRecorded,
  type Recorded,
} from '../kit/lossless.fixture.ts'
import { opencode } from './index.ts'
import { asEvent, callsIn, textsIn, spentIn } from './native.fixture.ts'

const folder = join(import.meta.dirname, 'recordings')
const files = readdirSync(folder).filter(name => name.endsWith('.jsonl'))

function read(file: string): Recorded {
  const all = readRecorded(opencode, join(folder, file))
  return { ...all, native: all.native.map(asEvent) }
}

const recordings = new Map(files.map(file => [file, read(file)]))
const recorded = (file: string): Recorded => recordings.get(file) ?? read(file)

/** What is kept only in the raw lines, and why. A path is a kind of event, followed by field names. */
const rawOnly: readonly (readonly [path: RegExp, why: string])[] = [
  [/ (type|id)$/, 'the envelope; the kind is what the translation is made by'],
  [/ properties\.(part\.)?(messageID|partID|field|id)$/, 'ids that only tie events together'],
  [/ properties\.tool\.messageID$/, 'ids that only tie events together'],
  [/^(plugin\.added|file\.|session\.status properties\.status\.type$)/, 'state of its own screen'],
  [
    /^session\.\w+ properties\.info\.(title|slug|path|projectID|agent|model\.variant|permission)/,
    'settings; model, folder and version are shown',
  ],
  [
    /^session\.status properties\.status\.message$/,
    'a refusal of the provider in JSON: its sentence is shown',
  ],
  [
    /^message\.updated properties\.info\.(id|parentID|role|mode|agent|finish)$/,
    'ids, and what the parts say themselves',
  ],
  [/^message\.updated properties\.info\.summary\.diffs\.status$/, 'shown by the patch'],
  [/^message\.part\.updated properties\.part\.state\.title$/, 'the title of a call that never ran'],
  [
    /^message\.part\.updated properties\.part\.(type|reason|state\.status)$/,
    'shown as the kind and the state of a part',
  ],
  [/^message\.part\.updated properties\.part\.(snapshot|hash)$/, 'ids of its own store of files'],
  [/^message\.part\.updated properties\.part\.text$/, 'a prompt: the session keeps it as what a person said'],
  [/^permission\.asked properties\.always$/, 'the pattern of its own rule, which is never used'],
  [/^permission\.replied properties\.reply$/, 'what a person answered, kept when they do'],
  [
    /^[\w.]+ properties\.(info\.)?error\.data\.(responseBody|responseHeaders|metadata)/,
    'HTTP: the sentence and the status are shown',
  ],
  [
    /^[\w.]+ properties\.(info\.)?error\.(name|data\.message)$/,
    'an interruption, shown as the reason of the end',
  ],
]

/** Text that the agent retracted, or that a fork copied. */
const lostFor: Readonly<Record<string, RegExp>> = {
  'stream-error.jsonl': /^message\.part\.delta properties\.delta$/,
  'live-fork.jsonl': /^message\.part\.updated properties\.part\.metadata\.openai\.itemId$/,
}

const isRawOnly = (file: string, path: string) =>
  rawOnly.some(([each]) => each.test(path)) || lostFor[file]?.test(path) === true

const pathsIn = (message: Readonly<Record<string, Json>>) =>
  leavesOf(message).map(({ path, value }) => ({ path: `${textOf(message, 'type')} ${path}`, value }))

describe('opencode loses nothing', () => {
  it.each(files)('[P5] %s: every text is in the messages, or is raw-only for a reason', file => {
    const { native, messages } = recorded(file)
    const kept = leavesOf(messages as unknown as Json)
      .map(({ value }) => value)
      .join('\u0000')
    const lost = native
      .flatMap(pathsIn)
      .filter(({ path, value }) => !kept.includes(value) && !isRawOnly(file, path))
    expect(lost).toEqual([])
  })

  it('[P5] every reason is still needed', () => {
    const paths = [...recordings.values()].flatMap(({ native }) => native.flatMap(pathsIn))
    for (const [reason] of rawOnly) expect(paths.some(({ path }) => reason.test(path))).toBe(true)
  })

  it.each(files)('[P5] %s: no text is shown twice, and none is missing', file => {
    const { native } = recorded(file)
    const texts = partsOf(recorded(file), 'text').map(({ text }) => text)
    const thoughts = partsOf(recorded(file), 'reasoning').map(({ text }) => text)
    expect(texts.toSorted()).toEqual(textsIn(native, 'text').toSorted())
    expect(thoughts.toSorted()).toEqual(textsIn(native, 'reasoning').toSorted())
  })

  it.each(files)('[P3] %s: every call appears once, with its output or its error', file => {
    const parts = partsOf(recorded(file), 'dynamic-tool')
    const calls = callsIn(recorded(file).native)
    expect(parts).toHaveLength(calls.length)
    for (const call of calls) {
      const part = parts.find(({ toolCallId }) => toolCallId === call['callID'])
      const { status, output, error, metadata } = objectOf(call, 'state')
      expect(part?.toolName).toBe(call['tool'])
      const isStopped = /<shell_metadata>\\n(User aborted|shell tool terminated)/.test(
        JSON.stringify(output) ?? '',
      )
      const isDone = status === 'completed' && call['tool'] !== 'invalid' && !isStopped
      expect(part?.state).toBe(isDone ? 'output-available' : 'output-error')
      if (status === 'completed' && !isDone) expect(part).toMatchObject({ errorText: output })
      if (isDone) expect(part).toMatchObject({ output: { output, metadata } })
      if (status === 'error') expect(part).toMatchObject({ errorText: error })
    }
  })

  it.each(files)('[P7] %s: the usage is the sum of all steps', file => {
    const { native, messages } = recorded(file)
    const used = messages.flatMap(({ message }) =>
      message.parts.flatMap(part => (part.type === 'data-usage' ? [part.data] : [])),
    )
    const sum = (of: (data: (typeof used)[number]) => number) => used.reduce((all, data) => all + of(data), 0)
    const { cost, ...tokens } = spentIn(native)
    expect({
      input: sum(data => data.tokens.input),
      output: sum(data => data.tokens.output),
      cacheRead: sum(data => data.tokens.cacheRead),
      cacheWrite: sum(data => data.tokens.cacheWrite),
    }).toEqual(tokens)
    expect(sum(data => data.cost ?? 0)).toBeCloseTo(cost, 9)
  })

  it.each(files)('[P9] %s: the agent’s own session id is reported', file => {
    const named = recorded(file).native.find(line => textOf(objectOf(line, 'properties'), 'sessionID') !== '')
    const [first] = partsOf(recorded(file), 'data-session')
    expect(first?.data.agentSession).toBe(textOf(objectOf(named ?? {}, 'properties'), 'sessionID'))
  })

  it.each(files)('[P6] %s: the stored messages equal what the AI SDK folds', async file => {
    const kept = recorded(file).messages.map(({ message }) => asJson(message))
    const folded = await foldedBySdk(recorded(file))
    expect(kept.toSorted(byId)).toEqual(folded.toSorted(byId))
  })
})

const byId = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
