import { hash } from 'node:crypto'
import type { Transcript, TranscriptLine } from '../../agents/importer.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { Event } from '../../protocol/event.ts'
import { readId, type SessionId } from '../../protocol/ids.ts'
import type { Host } from '../host.ts'
import { createInterpreter, interpret, type Interpreter } from '../interpret.ts'
import type { LiveSession } from '../live-session.ts'
import type { LiveSessions } from '../live-sessions.ts'
import { agentNamed } from '../start-agent.ts'
import { nameOf, newLines, readBack, readerOf, untold, type Told } from './read-back.ts'
import { cut, tellBatch } from './tell-batch.ts'

/** A transcript, and where it comes from. */
export interface TranscriptSource {
  readonly agent: string
  readonly file: string
  readonly transcript: Transcript
}

/** What an import has done. */
export interface Imported {
  readonly session: SessionId
  readonly outcome: ImportOutcome
  /** How many lines were added. */
  readonly lines: number
}

/**
 * A transcript is new, has grown, or is known in full; or it is left alone: nothing is said in it, or it is told in another session, or its session
 * was deleted, or went on here.
 */
export type ImportOutcome = 'new' | 'grown' | 'unchanged' | 'empty' | 'elsewhere' | 'deleted' | 'continued'

/** Makes a session of a transcript, or adds to it what is new. Killed at any moment, the next time goes on from there. */
export async function importTranscript(lives: LiveSessions, given: TranscriptSource): Promise<Imported> {
  const source = { ...given, transcript: await withoutKnownSubagents(lives.host, given) }
  const { agent, transcript } = source
  const { catalogue } = lives.host
  const session = sessionOf(agent, transcript.agentSession)
  const known = await catalogue.findByAgentSession(agent, transcript.agentSession)
  const other = known.find(each => each.session !== session && each.branch === null)
  if (other !== undefined) return { session: other.session, outcome: 'elsewhere', lines: 0 }
  const isNew = !(await exists(lives.host, session))
  const interpreter = await interpreterOf(lives.host, session, agent)
  if (isNew && saysNothing(interpreter, transcript)) return { session, outcome: 'empty', lines: 0 }
  if (isNew) await create(lives.host, session, source)
  return lives.use(session, async live => {
    if (live.line.state.summary.deleted) return { session, outcome: 'deleted', lines: 0 }
    return extend(live, source, isNew, interpreter)
  })
}

/** A subagent whose transcript an earlier version made a session of its own stays that, and is not told twice. */
async function withoutKnownSubagents(
  host: Host,
  { agent, transcript }: TranscriptSource,
): Promise<Transcript> {
  const { lines } = transcript
  const names = new Set(
    lines.flatMap(({ subagent }) => (subagent === undefined ? [] : [subagent.agentSession])),
  )
  const known = new Set<string>()
  for (const name of names) if (await exists(host, sessionOf(agent, name))) known.add(name)
  if (known.size === 0) return transcript
  return {
    ...transcript,
    lines: lines.filter(({ subagent }) => subagent === undefined || !known.has(subagent.agentSession)),
  }
}

/** The session of a transcript has the agent's own name for it, where that can be a name here. */
export function sessionOf(agent: string, agentSession: string): SessionId {
  try {
    return readId<SessionId>('session', agentSession)
  } catch {
    return `${agent}-${hash('sha256', agentSession, 'hex').slice(0, 32)}` as SessionId
  }
}

async function exists({ journal }: Host, session: SessionId): Promise<boolean> {
  try {
    await journal.head(session)
    return true
  } catch (error) {
    if (isDragomanError(error, 'unknown-session')) return false
    throw error
  }
}

async function interpreterOf({ agents }: Host, session: SessionId, name: string): Promise<Interpreter> {
  const known = agentNamed(agents, name)
  return createInterpreter((await known.load?.()) ?? known, readerOf(session), { isRead: true })
}

/** Some agents begin a file whenever they start, whether anybody says something or not. */
function saysNothing(before: Interpreter, transcript: Transcript): boolean {
  if (transcript.lines.some(({ prompt }) => prompt !== null)) return false
  let interpreter = before
  return transcript.lines.every(({ from, raw }) => {
    const [next, chunks] = interpret(interpreter, from, raw)
    interpreter = next
    return chunks.length === 0
  })
}

async function create(
  { journal, now }: Host,
  session: SessionId,
  { agent, transcript }: TranscriptSource,
): Promise<void> {
  const { cwd, title, lines } = transcript
  const latest = now()
  const first = lines.find(({ at }) => at !== null && at <= latest)?.at ?? latest
  const created: Event = { type: 'session-created', agent, cwd: cwd ?? '/', title, options: null }
  await journal.create(session, [created], [first])
}

async function extend(
  live: LiveSession,
  source: TranscriptSource,
  isNew: boolean,
  interpreter: Interpreter,
): Promise<Imported> {
  const { session } = live.line
  const { transcript } = source
  const names = transcript.lines.map(nameOf)
  const key = `import ${printOf(names)}`
  if (!isNew && (await live.host.journal.findByKey(session, key)) !== undefined)
    return { session, outcome: 'unchanged', lines: 0 }
  const told = isNew ? untold(interpreter) : await readBack(live.host.journal, session, interpreter)
  if (told.isContinued) return { session, outcome: 'continued', lines: 0 }
  const lines = newLines(transcript.lines, names, told.lines)
  if (lines.length === 0) return { session, outcome: 'unchanged', lines: 0 }
  await save(live, source, told, [...cut(lines)], key)
  live.host.journal.rest(session)
  return { session, outcome: isNew || told.lines.size === 0 ? 'new' : 'grown', lines: lines.length }
}

async function save(
  live: LiveSession,
  { file }: TranscriptSource,
  before: Told,
  batches: readonly (readonly TranscriptLine[])[],
  key: string,
): Promise<void> {
  const { session } = live.line
  const now = live.host.now()
  let told = before
  for (const [index, lines] of batches.entries()) {
    const isLast = index === batches.length - 1
    const { open, summary } = live.line.state
    const scene = { file, session, isLast, open, newest: summary.updatedAt, now }
    const batch = tellBatch(told, scene, lines)
    const name = isLast ? key : `${key} ${nameOf(lines[0] as TranscriptLine)} ${told.interactions}`
    await live.wish(pen => pen.appendOnce(name, batch.events, batch.times))
    told = batch.told
  }
}

/** What tells whether anything in a transcript is new. */
const printOf = (names: readonly string[]): string => hash('sha256', names.join('\n'), 'base64url')
