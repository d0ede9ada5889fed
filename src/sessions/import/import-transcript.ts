import { hash } from 'node:crypto'
import type { Transcript, TranscriptLine } from '../../agents/importer.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { Event } from '../../protocol/event.ts'
import { readId, type SessionId } from '../../protocol/ids.ts'
import type { SessionSummary } from '../../projections/summary.ts'
import type { Host } from '../host.ts'
import { agentNamed } from '../find-agent.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { OwnedSessions } from '../own/owned-sessions.ts'
import { beginTranslation, translateLine, type TranslationState } from '../translation/translate-line.ts'
import { nameOf, newLines, readBack, readerOf, nothingImported, type ImportState } from './read-back.ts'
import { cut, grouped, importBatch } from './import-batch.ts'

/** A transcript, and where it comes from. */
export interface TranscriptSource {
  readonly agent: string
  readonly file: string
  readonly transcript: Transcript
}

/** The result of an import. */
export interface Imported {
  readonly session: SessionId
  readonly outcome: ImportOutcome
  /** How many lines were added. */
  readonly lines: number
}

/**
 * A transcript is new, has grown, or is unchanged. It is skipped if it has no messages, if another session has it, or if its session was
 * deleted or continued here.
 */
export type ImportOutcome = 'new' | 'grown' | 'unchanged' | 'empty' | 'elsewhere' | 'deleted' | 'continued'

/** Imports a transcript as a session, or adds its new lines. An import that was killed continues from its last commit. */
export async function importTranscript(sessions: OwnedSessions, given: TranscriptSource): Promise<Imported> {
  const source = { ...given, transcript: await withoutKnownSubagents(sessions.host, given) }
  const { agent, transcript } = source
  const session = sessionOf(agent, transcript.agentSession)
  const isNew = !(await exists(sessions.host, session))
  const known = await sessionsWith(sessions, transcript.agentSession)
  // A branch of an imported session has a copy of what the agent said about itself.
  const other = known.find(each => each.session !== session && (isNew || each.branch === null))
  if (other !== undefined)
    return { session: other.session, outcome: other.deleted ? 'deleted' : 'elsewhere', lines: 0 }
  const translation = await translationOf(sessions.host, session, agent)
  if (isNew && isEmpty(translation, transcript)) return { session, outcome: 'empty', lines: 0 }
  if (isNew) await create(sessions.host, session, source)
  return sessions.use(session, async owned => {
    if (owned.writer.state.summary.deleted) return { session, outcome: 'deleted', lines: 0 }
    return extend(owned, source, isNew, translation)
  })
}

/** Leaves out subagents that an earlier version imported as separate sessions. */
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

/** The id of a transcript's session: the agent's own id if it is valid here, or else a hash of it. */
export function sessionOf(agent: string, agentSession: string): SessionId {
  try {
    return readId<SessionId>('session', agentSession)
  } catch {
    return `${agent}-${hash('sha256', agentSession, 'hex').slice(0, 32)}` as SessionId
  }
}

/** Whether a session of an agent was imported, or ran here. */
export async function isKnown(
  sessions: OwnedSessions,
  agent: string,
  agentSession: string,
): Promise<boolean> {
  if (await exists(sessions.host, sessionOf(agent, agentSession))) return true
  return (await sessionsWith(sessions, agentSession)).length > 0
}

/**
 * The sessions that ever had an agent's own session, the deleted ones last. The same program can run here under the name of
 * another agent, for example over ACP, and write the same transcript.
 */
async function sessionsWith(sessions: OwnedSessions, agentSession: string): Promise<readonly SessionSummary[]> {
  const { host } = sessions
  // What a running session just heard may not be in the catalogue yet.
  const running = sessions.all().map(({ writer }) => writer.state.summary)
  const saved = Array.from(host.agents.keys(), agent =>
    host.catalogue.findByAgentSession(agent, agentSession, { deleted: true }),
  )
  const found = running.filter(summary => summary.agentSession === agentSession)
  return [...found, ...(await Promise.all(saved)).flat()].toSorted((one, other) => Number(one.deleted) - Number(other.deleted))
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

/** Whether a transcript has no messages: some agents create a file whenever they start. */
function isEmpty(before: TranslationState, transcript: Transcript): boolean {
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
  const { session } = owned.writer
  const { transcript } = source
  const names = transcript.lines.map(nameOf)
  const key = `import ${printOf(names)}`
  if (!isNew && (await owned.host.journal.findByKey(session, key)) !== undefined)
    return { session, outcome: 'unchanged', lines: 0 }
  const state = isNew
    ? nothingImported(translation)
    : await readBack(owned.host.journal, session, translation)
  if (state.isContinued) return { session, outcome: 'continued', lines: 0 }
  const lines = newLines(transcript.lines, names, state.lines)
  if (lines.length === 0) return { session, outcome: 'unchanged', lines: 0 }
  await save(owned, source, state, [...cut(lines)], key)
  owned.host.journal.mayPack(session)
  return { session, outcome: isNew || state.lines.size === 0 ? 'new' : 'grown', lines: lines.length }
}

async function save(
  owned: OwnedSession,
  { file }: TranscriptSource,
  before: ImportState,
  batches: readonly (readonly TranscriptLine[])[],
  key: string,
): Promise<void> {
  const { session } = owned.writer
  const now = owned.host.now()
  let imported = before
  for (const group of grouped(batches)) {
    const { state } = owned.writer
    let context = { file, session, open: state.open, newest: state.summary.updatedAt, now }
    const isLast = group.at(-1) === batches.at(-1)
    const name = isLast ? key : `${key} ${nameOf(group[0]?.[0] as TranscriptLine)} ${imported.interactions}`
    const events: Event[] = []
    const times: number[] = []
    for (const lines of group) {
      const batch = importBatch(imported, { ...context, isLast: lines === batches.at(-1) }, lines)
      for (const event of batch.events) events.push(event)
      for (const time of batch.times) times.push(time)
      context = { ...context, open: batch.open, newest: batch.newest }
      imported = batch.state
    }
    await owned.write(appender => appender.appendOnce(name, events, times))
  }
}

/** Changes if any line of a transcript is new. */
const printOf = (names: readonly string[]): string => hash('sha256', names.join('\n'), 'base64url')
