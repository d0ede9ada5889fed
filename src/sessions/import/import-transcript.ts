import { hash } from 'node:crypto'
import type { Transcript, TranscriptLine } from '../../agents/importer.ts'
import type { Event } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Host } from '../host.ts'
import { agentNamed } from '../find-agent.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { OwnedSessions } from '../own/owned-sessions.ts'
import { beginTranslation, translateLine, type TranslationState } from '../translation/translate-line.ts'
import {
  atRest,
  nameOf,
  newLines,
  readBack,
  readerOf,
  nothingImported,
  type ImportState,
} from './read-back.ts'
import { createBreaks } from '../in-slices.ts'
import { exists, sessionOf, sessionsWith, withoutKnownSubagents } from './known-sessions.ts'
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

/** Where an import ended: with it, later lines of the transcript are added without reading the session back. */
export interface Continuation {
  readonly session: SessionId
  readonly state: ImportState
  /** The last entry. If the session has later ones, the state is outdated. */
  readonly seq: number
}

/** The result of an import that can be continued. */
export interface Followed extends Imported {
  readonly continuation: Continuation | null
}

/** Imports a transcript as a session, or adds its new lines. An import that was killed continues from its last commit. */
export async function importTranscript(sessions: OwnedSessions, given: TranscriptSource): Promise<Imported> {
  const { continuation: _, ...imported } = await importToFollow(sessions, given)
  return imported
}

/** Adds the lines that a transcript got since its last import. Null if the session was changed meanwhile: import all of it. */
export async function importAdded(
  sessions: OwnedSessions,
  { continuation, ...source }: TranscriptSource & { readonly continuation: Continuation },
): Promise<Followed | null> {
  const { session, state, seq } = continuation
  return sessions.use(session, async owned => {
    const { summary } = owned.writer.state
    if (summary.deleted || summary.seq !== seq) return null
    return addLines(owned, source, state, { lines: source.transcript.lines, isNew: false })
  })
}

/** Imports a transcript that will be followed. */
export async function importToFollow(sessions: OwnedSessions, given: TranscriptSource): Promise<Followed> {
  const source = { ...given, transcript: await withoutKnownSubagents(sessions.host, given) }
  const { agent, transcript } = source
  const session = sessionOf(agent, transcript.agentSession)
  const isNew = !(await exists(sessions.host, session))
  const known = await sessionsWith(sessions, transcript.agentSession)
  // A branch of an imported session has a copy of what the agent said about itself.
  const other = known.find(each => each.session !== session && (isNew || each.branch === null))
  if (other !== undefined) return ended(other.session, other.deleted ? 'deleted' : 'elsewhere')
  const translation = await translationOf(sessions.host, session, agent)
  if (isNew && isEmpty(translation, transcript)) return ended(session, 'empty')
  if (isNew) await create(sessions.host, session, source)
  return sessions.use(session, async owned => {
    if (owned.writer.state.summary.deleted) return ended(session, 'deleted')
    return extend(owned, source, isNew, translation)
  })
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

const ended = (session: SessionId, outcome: ImportOutcome): Followed => ({
  session,
  outcome,
  lines: 0,
  continuation: null,
})

async function extend(
  owned: OwnedSession,
  source: TranscriptSource,
  isNew: boolean,
  translation: TranslationState,
): Promise<Followed> {
  const { session } = owned.writer
  const { transcript } = source
  const names = await namesOf(transcript.lines)
  const isFollowed = transcript.growth !== undefined
  const key = keyOf(names)
  // To follow it, the state is needed even if nothing is new.
  if (!isNew && !isFollowed && (await owned.host.journal.findByKey(session, key)) !== undefined)
    return ended(session, 'unchanged')
  const state = isNew
    ? nothingImported(translation)
    : await readBack(owned.host.journal, session, translation)
  if (state.isContinued) return ended(session, 'continued')
  const lines = newLines(transcript.lines, names, state.lines)
  return addLines(owned, source, state, { lines, isNew: isNew || state.lines.size === 0, key })
}

/** Which lines are added, and under which key. */
interface Addition {
  readonly lines: readonly TranscriptLine[]
  readonly isNew: boolean
  readonly key?: string
}

async function addLines(
  owned: OwnedSession,
  source: TranscriptSource,
  before: ImportState,
  { lines, isNew, key }: Addition,
): Promise<Followed> {
  const { session } = owned.writer
  const after = lines.length === 0 ? before : await save(owned, source, before, [...cut(lines)], key)
  const { seq } = owned.writer.state.summary
  const continuation = { session, state: atRest(after), seq }
  if (lines.length === 0) return { ...ended(session, 'unchanged'), continuation }
  owned.host.journal.mayPack(session)
  return { session, outcome: isNew ? 'new' : 'grown', lines: lines.length, continuation }
}

/** Saves lines, and returns the state after them. */
async function save(
  owned: OwnedSession,
  { file }: TranscriptSource,
  before: ImportState,
  batches: readonly (readonly TranscriptLine[])[],
  given?: string,
): Promise<ImportState> {
  const { session } = owned.writer
  const now = owned.host.now()
  const key = given ?? keyOf(await namesOf(batches.flat()), owned.writer.state.summary.seq)
  const takeBreak = createBreaks()
  let imported = before
  for (const group of grouped(batches)) {
    const { state } = owned.writer
    let context = { file, session, open: state.open, newest: state.summary.updatedAt, now, takeBreak }
    const isLast = group.at(-1) === batches.at(-1)
    const name = isLast ? key : `${key} ${nameOf(group[0]?.[0] as TranscriptLine)} ${imported.interactions}`
    const events: Event[] = []
    const times: number[] = []
    for (const lines of group) {
      const batch = await importBatch(imported, { ...context, isLast: lines === batches.at(-1) }, lines)
      for (const event of batch.events) events.push(event)
      for (const time of batch.times) times.push(time)
      context = { ...context, open: batch.open, newest: batch.newest }
      imported = batch.state
    }
    await owned.write(appender => appender.appendOnce(name, events, times))
  }
  return imported
}

/** The names of lines, with breaks for other work. */
async function namesOf(lines: readonly TranscriptLine[]): Promise<readonly string[]> {
  const takeBreak = createBreaks()
  const names: string[] = []
  for (const line of lines) {
    names.push(nameOf(line))
    await takeBreak()
  }
  return names
}

/** Changes if any line is new; lines that are added on their own may be the same again at a later entry. */
const keyOf = (names: readonly string[], seq?: number): string => {
  const print = hash('sha256', names.join('\n'), 'base64url')
  return seq === undefined ? `import ${print}` : `import ${print} after ${seq}`
}
