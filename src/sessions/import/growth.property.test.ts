import { appendFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { claudeCode } from '../../agents/claude-code/index.ts'
import type { SkippedLine, Transcript } from '../../agents/importer.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Message, MessagePart } from '../../protocol/message.ts'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { claudeLines } from './claude-lines.fixture.ts'
import type { Continuation } from './import-transcript.ts'
import {
  folderWith,
  jsonLines,
  openImports,
  readTranscripts,
  type ImportHouse,
} from './transcripts.fixture.ts'

const everyKind = [
  'prompt',
  'text',
  'more',
  'thinking',
  'call',
  'result',
  'task',
  'side',
  'side-call',
  'side-result',
  'chain',
  'stop',
  'error',
  'hooks',
  'duration',
  'queue',
  'odd',
  'mode',
] as const

type Kind = (typeof everyKind)[number]

const kinds = fc.array(fc.constantFrom(...everyKind), { minLength: 1, maxLength: 25 })

/** A transcript in which anything may follow anything. */
function linesOf(script: readonly Kind[]): readonly object[] {
  const l = claudeLines()
  const open: string[] = []
  const tasks: string[] = []
  const sideCalls: string[] = []
  const aside = (say: () => object): readonly object[] => {
    const call = tasks.at(-1)
    if (call === undefined) return []
    const data = { type: 'agent_progress', agentId: 'a', message: say() }
    return [{ type: 'progress', ...l.frame({ parentToolUseID: call }), data }]
  }
  const make: Readonly<Record<Kind, (at: number) => readonly object[]>> = {
    prompt: at => [l.prompt(`Prompt ${at}`)],
    text: at => [l.text(`Text ${at}`)],
    more: at => [l.text(`More ${at}`, {}, 'msg_of_many_lines')],
    thinking: at => [l.thinking(`Thought ${at}`)],
    call: at => [l.call(open[open.push(`toolu_${at}`) - 1] ?? '')],
    task: at => [l.call(tasks[tasks.push(`task_${at}`) - 1] ?? '', 'Task', { prompt: `Do ${at}` })],
    result: () => [open, tasks].flatMap(list => list.splice(0, 1)).map(id => l.result(id)),
    side: at => aside(() => l.text(`Side ${at}`)),
    'side-call': at => aside(() => l.call(sideCalls[sideCalls.push(`side_${at}`) - 1] ?? '')),
    'side-result': () => sideCalls.splice(0, 1).flatMap(id => aside(() => l.result(id))),
    chain: at => [l.text(`Chain ${at}`, { isSidechain: true, agentId: 'nobody' })],
    stop: () => [l.user([{ type: 'text', text: '[Request interrupted by user]' }])],
    error: at => [l.error(`Error ${at}`)],
    hooks: at => [l.system('stop_hook_summary', { preventedContinuation: at % 2 === 0 })],
    duration: at => [l.system('turn_duration', { durationMs: at })],
    queue: at => [l.note('queue-operation', { operation: 'remove', content: `Queued ${at}` })],
    odd: at => [l.note('oddity', { at })],
    mode: () => [l.note('mode', { mode: 'normal' })],
  }
  return script.flatMap((kind, at) => make[kind](at))
}

async function transcriptOf(lines: readonly object[]): Promise<Transcript | undefined> {
  const file = `${claudeLines().session}.jsonl`
  const { transcripts } = await readTranscripts(claudeCode, folderWith({ [file]: jsonLines(lines) }))
  return transcripts[0]
}

/**
 * The stated reason for a missing result depends on the lines that were there when the call was closed. A pause ends the
 * current step, because it may have no further lines, and the ids of thoughts contain the number of the step.
 */
function comparable(part: MessagePart): MessagePart {
  if (part.type === 'dynamic-tool' && part.state === 'output-error') return { ...part, errorText: '' }
  return part.type === 'reasoning' ? { ...part, id: '' } : part
}

/** What a reader sees; steps and the bookkeeping of an end may differ where an answer was read in two. */
const seen = (messages: ReadonlyMap<unknown, readonly Message[]>) =>
  [...messages].map(([thread, list]) => [
    thread,
    list.map(({ role, parts }) => ({
      role,
      parts: parts.filter(({ type }) => type !== 'step-start').map(comparable),
    })),
  ])

const endsIn = async (house: ImportHouse, session: SessionId) =>
  new Map((await house.events(session, 'interaction-ended')).map(end => [end.interaction, end.outcome]))

it('[A15] a second import changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(kinds, async script => {
      const transcript = await transcriptOf(linesOf(script))
      if (transcript === undefined) return
      const house = await openImports(claudeCode)
      const first = await house.import(transcript)
      if (first.outcome === 'empty') return
      const entries = await house.entries(first.session)
      expect(await house.import(transcript)).toMatchObject({ outcome: 'unchanged', lines: 0 })
      expect(await house.entries(first.session)).toEqual(entries)
      expect(await house.differences(first.session)).toBe(0)
    }),
    { numRuns: propertyRuns(60) },
  )
})

/** Scripts that failed before. */
const examples: [Kind[], number[]][] = [
  [
    ['prompt', 'error', 'mode', 'text', 'prompt'],
    [2, 3],
  ],
  [['task', 'prompt', 'side', 'error', 'stop', 'prompt'], [4]],
  [['task', 'error', 'side', 'prompt'], [2]],
  [['prompt', 'task', 'prompt', 'side', 'stop', 'side', 'prompt'], [4]],
  [['task', 'hooks', 'prompt'], [1]],
  [['queue', 'task', 'prompt'], [1]],
  [['prompt', 'odd', 'chain', 'prompt'], [2]],
  [['task', 'task', 'prompt', 'text', 'side', 'result', 'stop'], [4]],
]

it('[A15] importing in pieces gives the same session as importing at once', async () => {
  await fc.assert(
    fc.asyncProperty(kinds, fc.array(fc.nat(25), { maxLength: 3 }), async (script, cuts) => {
      const lines = linesOf(script)
      const whole = await transcriptOf(lines)
      if (whole === undefined) return
      const once = await openImports(claudeCode)
      const often = await openImports(claudeCode)
      for (const cut of cuts.toSorted((a, b) => a - b)) {
        const piece = await transcriptOf(lines.slice(0, cut))
        if (piece !== undefined) await often.import(piece)
      }
      const { session, outcome } = await once.import(whole)
      await often.import(whole)
      if (outcome === 'empty') return
      const raws = async (house: typeof once) =>
        (await house.entries(session))
          .flatMap(({ event }) => ('raw' in event ? [event.raw] : []))
          .filter(raw => !raw.includes('"dragoman"'))
      expect(await raws(often)).toEqual(await raws(once))
      expect(seen(await often.messages(session))).toEqual(seen(await once.messages(session)))
      expect(await endsIn(often, session)).toEqual(await endsIn(once, session))
      expect(await often.differences(session)).toBe(0)
    }),
    { numRuns: propertyRuns(100), examples },
  )
})

it('[O1] following a file through appends of any size gives the same session as importing it at once', async () => {
  const step = fc.oneof(fc.nat(2000), fc.constant('to the end of the line'))
  const scripts = fc.array(fc.oneof(fc.constantFrom(...everyKind), fc.constantFrom('prompt', 'text')), {
    minLength: 1,
    maxLength: 25,
  })
  await fc.assert(
    fc.asyncProperty(
      scripts,
      fc.array(step, { maxLength: 20 }),
      fc.constantFrom(64, 1000, 1_000_000),
      async (script, cuts, most) => {
        const lines = linesOf(script)
        const whole = await transcriptOf(lines)
        if (whole === undefined) return
        const once = await openImports(claudeCode)
        const followed = await openImports(claudeCode)
        const text = Buffer.from(jsonLines(lines))
        const file = join(folderWith({ 's.jsonl': '' }), 's.jsonl')
        const follow = createFollower(followed, file, most)
        let written = 0
        for (const cut of [...cuts, text.length]) {
          const end = typeof cut === 'number' ? written + cut : text.indexOf('\n', written) + 1
          appendFileSync(file, text.subarray(written, end))
          written = Math.max(written, Math.min(text.length, end))
          await follow()
        }
        const { session, outcome } = await once.import(whole)
        if (outcome === 'empty') return
        const raws = async (house: typeof once) =>
          (await house.entries(session))
            .flatMap(({ event }) => ('raw' in event ? [event.raw] : []))
            .filter(raw => !raw.includes('"dragoman"'))
        expect(await raws(followed)).toEqual(await raws(once))
        expect(seen(await followed.messages(session))).toEqual(seen(await once.messages(session)))
        expect(await endsIn(followed, session)).toEqual(await endsIn(once, session))
        expect(await followed.differences(session)).toBe(0)
        expect(await followed.import(whole)).toMatchObject({ outcome: 'unchanged', lines: 0 })
      },
    ),
    { numRuns: propertyRuns(60) },
  )
})

/** Imports what was added to a file since the last call, in slices. */
function createFollower(house: ImportHouse, file: string, most: number): () => Promise<void> {
  let from: Continuation | null = null
  let after: object | null = null
  return async () => {
    for await (const found of claudeCode.importer?.find(file) ?? []) {
      for (let hasMore = true; hasMore;) {
        const skip = (line: SkippedLine) => expect(line).toBeUndefined()
        const transcript = await found.read({ dataFolder: dirname(file), skip, follow: { after, most } })
        // A part can only be continued by a part: otherwise the session would be read back, which is another test.
        if (from !== null) expect(transcript.growth?.isPart).toBe(true)
        const source = { agent: 'claude-code', file, transcript, changedAt: 0 }
        const done = await house.sessions.importToFollow({ ...source, from })
        from = done?.continuation ?? null
        after = from === null ? null : (transcript.growth?.end ?? null)
        hasMore = transcript.growth?.hasMore === true
      }
    }
  }
}

it('[A15] an import that was killed after any commit continues from there', async () => {
  const lines = linesOf(['prompt', 'text', 'call', 'prompt', 'result', 'text', 'prompt', 'thinking', 'text'])
  // Long lines, so that each prompt gets its own commit.
  const whole = await transcriptOf(lines.map(line => ({ ...line, padding: 'x'.repeat(400_000) })))
  if (whole === undefined) throw new Error('There is no transcript.')
  const once = await openImports(claudeCode)
  const { session } = await once.import(whole)
  for (const deaths of [1, 2, 3]) {
    let left = deaths
    const killed = await openImports(claudeCode, journal => ({
      ...journal,
      appendOnce: (...given) => {
        left -= 1
        return left === 0 ? Promise.reject(new Error('killed')) : journal.appendOnce(...given)
      },
    }))
    await expect(killed.import(whole)).rejects.toThrow('killed')
    await killed.import(whole)
    expect(seen(await killed.messages(session))).toEqual(seen(await once.messages(session)))
  }
})
