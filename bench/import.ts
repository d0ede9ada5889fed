import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FoundTranscript, Transcript } from '../src/agents/importer.ts'
import { claudeCode } from '../src/agents/claude-code/index.ts'
import type { Event } from '../src/protocol/event.ts'
import type { SessionId } from '../src/protocol/ids.ts'
import { openSessions } from '../src/sessions/sessions.ts'
import { openStore } from '../src/store/open-store.ts'
import type { Bench, Measured } from './harness/bench.ts'
import { milliseconds, perSecond } from './harness/numbers.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median, middleHalf } from './harness/statistics.ts'

const corpus = join(import.meta.dirname, '../../shared/corpus/claude-code')
const rounds = 3
const wanted = 10_000
const few = 20_000
const many = 200_000

/** How fast transcripts become sessions. */
export const importBench: Bench = {
  name: 'import',
  what: 'transcripts of Claude Code into sessions',
  beside: '10,000 lines a second; the same at 20,000 lines',
  how: `Lines per second of processor time of all threads, from finding the files to closing the store, fully durable; ${rounds} rounds after one that is not counted. The note has two limits from the same run: only reading the files, and only saving the same events in the journal. Linear: the processor time per line of a generated transcript of ${many} lines, compared with one of ${few} lines, without waiting for the disk.`,
  seconds: 0,
  async run() {
    return [await measureCorpus(), await measureLength()]
  },
}

async function measureCorpus(): Promise<Measured> {
  const part = 'those of the corpus'
  const goal = { kind: 'at-least', ratio: 1 } as const
  const peer = perSecond(wanted)
  if (!existsSync(corpus)) return { part, ours: '–', peer, ratio: null, goal, note: `no corpus at ${corpus}` }
  const rates: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const { lines, milliseconds: time } = await timed(() => importAll(corpus))
    if (round > 0) rates.push((lines * 1000) / time)
  }
  const reading = await timed(() => readAll(corpus))
  const saving = await saveAlone(corpus)
  return {
    part,
    ours: perSecond(median(rates)),
    peer,
    ratio: median(rates) / wanted,
    spread: middleHalf(rates.map(rate => rate / wanted)),
    goal,
    note: `${reading.lines} lines; reading alone reaches ${rateText(reading)}, saving alone ${rateText(saving)}`,
  }
}

async function measureLength(): Promise<Measured> {
  const costOf = async (count: number) => {
    using folder = createScratchFolder()
    writeTranscript(folder.path, count)
    // Waiting for the disk takes no processor time.
    const { lines, milliseconds: time } = await timed(() => importAll(folder.path, 'fast'))
    return time / lines
  }
  await costOf(few)
  const [short, long] = [await costOf(few), await costOf(many)]
  return {
    part: `a line in ${many.toLocaleString('en-US')}`,
    ours: milliseconds(long),
    peer: milliseconds(short),
    ratio: long / short,
    goal: { kind: 'at-most', ratio: 1.3 },
  }
}

interface Timed {
  readonly lines: number
  readonly milliseconds: number
}

const rateText = ({ lines, milliseconds: time }: Timed) => perSecond((lines * 1000) / time)

/** Measures work that returns a number of lines, in processor time of all threads. */
async function timed(work: () => Promise<number>): Promise<Timed> {
  const before = process.cpuUsage()
  const lines = await work()
  const { user, system } = process.cpuUsage(before)
  return { lines, milliseconds: (user + system) / 1000 }
}

async function* transcriptsIn(
  path: string,
  dataFolder: string,
): AsyncGenerator<[FoundTranscript, Transcript]> {
  if (claudeCode.importer === undefined) throw new Error('Claude Code has no importer.')
  for await (const found of claudeCode.importer.find(path))
    yield [found, await found.read({ dataFolder, skip: () => undefined })]
}

async function importAll(path: string, durability: 'full' | 'fast' = 'full'): Promise<number> {
  using folder = createScratchFolder()
  await using store = await openStore({ folder: folder.path, durability })
  await using sessions = await openSessions({ ...store, agents: [claudeCode], dataFolder: folder.path })
  let lines = 0
  for await (const [{ file }, transcript] of transcriptsIn(path, folder.path))
    lines += (await sessions.import({ agent: claudeCode.name, file, transcript })).lines
  return lines
}

async function readAll(path: string): Promise<number> {
  using folder = createScratchFolder()
  let lines = 0
  for await (const [, transcript] of transcriptsIn(path, folder.path)) lines += transcript.lines.length
  return lines
}

/** Saves only the events of imported transcripts again, a hundred at a time. */
async function saveAlone(path: string): Promise<Timed> {
  const imported = new Map<SessionId, readonly Event[]>()
  let lines = 0
  {
    using folder = createScratchFolder()
    await using store = await openStore({ folder: folder.path })
    await using sessions = await openSessions({ ...store, agents: [claudeCode], dataFolder: folder.path })
    for await (const [{ file }, transcript] of transcriptsIn(path, folder.path)) {
      const { session, lines: own } = await sessions.import({ agent: claudeCode.name, file, transcript })
      const events: Event[] = []
      for (let head = await store.journal.head(session); events.length < head;)
        for (const { event } of await store.journal.read(session, events.length, 1000)) events.push(event)
      imported.set(session, events)
      lines += own
    }
  }
  const { milliseconds: time } = await timed(async () => {
    using folder = createScratchFolder()
    await using store = await openStore({ folder: folder.path })
    for (const [session, events] of imported) {
      await store.journal.create(session, events.slice(0, 1))
      for (let from = 1; from < events.length; from += 100)
        await store.journal.append(session, events.slice(from, from + 100))
    }
    return 0
  })
  return { lines, milliseconds: time }
}

const session = '11111111-2222-4333-8444-555555555555'

/** Writes a transcript of so many lines: prompts, each with an answer of text and three tool calls. */
function writeTranscript(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true })
  const lines = Array.from({ length: count }, (_, index) => JSON.stringify(lineAt(index)))
  writeFileSync(join(folder, `${session}.jsonl`), `${lines.join('\n')}\n`)
}

/** Some lines of a made-up transcript, about as long as those of the corpus. */
export const linesOfTranscript = (name: string, from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `${JSON.stringify(lineAt(from + at, name, 30))}\n`).join('')

const linesOfTurn = 10

function lineAt(index: number, name = session, repeats = 8): object {
  const place = index % linesOfTurn
  const begin = {
    parentUuid: index === 0 ? null : `u-${index - 1}`,
    isSidechain: false,
    userType: 'external',
    cwd: '/work/project',
    sessionId: name,
    version: '2.1.0',
    uuid: `u-${index}`,
    timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
  }
  if (place === 0)
    return { ...begin, type: 'user', message: { role: 'user', content: `Look at file ${index}, please.` } }
  const answer = (block: object) => ({ ...begin, type: 'assistant', message: assistant(index, block) })
  if (place === 1 || place >= linesOfTurn - 2) return answer({ type: 'text', text: words(index, repeats) })
  if (place % 2 === 0) {
    const input = { file_path: `/work/project/src/file-${index}.ts` }
    return answer({ type: 'tool_use', id: `toolu_${index}`, name: 'Read', input })
  }
  const content = [{ type: 'tool_result', tool_use_id: `toolu_${index - 1}`, content: words(index, repeats) }]
  return { ...begin, type: 'user', message: { role: 'user', content }, toolUseResult: words(index, repeats) }
}

const assistant = (index: number, block: object) => ({
  id: `msg_${index}`,
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [block],
  stop_reason: null,
  usage: {
    input_tokens: 10,
    output_tokens: 20,
    cache_read_input_tokens: 1000,
    cache_creation_input_tokens: 5,
  },
})

const words = (index: number, repeats: number) =>
  `Line ${index} says something of a usual length. `.repeat(repeats)
