import { hash } from 'node:crypto'
import type { Transcript, TranscriptLine } from '../../agents/importer.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { Event } from '../../protocol/event.ts'
import { readId, type SessionId } from '../../protocol/ids.ts'
import type { Host } from '../host.ts'
import { agentNamed } from '../find-agent.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { OwnedSessions } from '../own/owned-sessions.ts'
import { beginTranslation, translateLine, type TranslationState } from '../translation/translate-line.ts'
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
export async function importTranscript(sessions: OwnedSessions, given: TranscriptSource): Promise<Imported> {
  const source = { ...given, transcript: await withoutKnownSubagents(sessions.host, given) }
  const { agent, transcript } = source
  const { catalogue } = sessions.host
  const session = sessionOf(agent, transcript.agentSession)
  const known = await catalogue.findByAgentSession(agent, transcript.agentSession)
  const other = known.find(each => each.session !== session && each.branch === null)
  if (other !== undefined) return { session: other.session, outcome: 'elsewhere', lines: 0 }
  const isNew = !(await exists(sessions.host, session))
  const translation = await translationOf(sessions.host, session, agent)
  if (isNew && saysNothing(translation, transcript)) return { session, outcome: 'empty', lines: 0 }
  if (isNew) await create(sessions.host, session, source)
  return sessions.use(session, async owned => {
    if (owned.record.state.summary.deleted) return { session, outcome: 'deleted', lines: 0 }
    return extend(owned, source, isNew, translation)
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

async function translationOf({ agents }: Host, session: SessionId, name: string): Promise<TranslationState> {
  const known = agentNamed(agents, name)
  return beginTranslation((await known.load?.()) ?? known, readerOf(session), { isRead: true })
}

/** Some agents begin a file whenever they start, whether anybody says something or not. */
function saysNothing(before: TranslationState, transcript: Transcript): boolean {
  if (transcript.lines.some(({ prompt }) => prompt !== null)) return false
  let translation = before
  return transcript.lines.every(({ from, raw }) => {
    const [next, chunks] = translateLine(translation, from, raw)
    translation = next
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
  owned: OwnedSession,
  source: TranscriptSource,
  isNew: boolean,
  translation: TranslationState,
): Promise<Imported> {
  const { session } = owned.record
  const { transcript } = source
  const names = transcript.lines.map(nameOf)
  const key = `import ${printOf(names)}`
  if (!isNew && (await owned.host.journal.findByKey(session, key)) !== undefined)
    return { session, outcome: 'unchanged', lines: 0 }
  const told = isNew ? untold(translation) : await readBack(owned.host.journal, session, translation)
  if (told.isContinued) return { session, outcome: 'continued', lines: 0 }
  const lines = newLines(transcript.lines, names, told.lines)
  if (lines.length === 0) return { session, outcome: 'unchanged', lines: 0 }
  await save(owned, source, told, [...cut(lines)], key)
  owned.host.journal.rest(session)
  return { session, outcome: isNew || told.lines.size === 0 ? 'new' : 'grown', lines: lines.length }
}

async function save(
  owned: OwnedSession,
  { file }: TranscriptSource,
  before: Told,
  batches: readonly (readonly TranscriptLine[])[],
  key: string,
): Promise<void> {
  const { session } = owned.record
  const now = owned.host.now()
  let told = before
  for (const [index, lines] of batches.entries()) {
    const isLast = index === batches.length - 1
    const { open, summary } = owned.record.state
    const scene = { file, session, isLast, open, newest: summary.updatedAt, now }
    const batch = tellBatch(told, scene, lines)
    const name = isLast ? key : `${key} ${nameOf(lines[0] as TranscriptLine)} ${told.interactions}`
    await owned.write(appender => appender.appendOnce(name, batch.events, batch.times))
    told = batch.told
  }
}

/** What tells whether anything in a transcript is new. */
const printOf = (names: readonly string[]): string => hash('sha256', names.join('\n'), 'base64url')
