import { asObject } from '../../protocol/json.ts'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { PromptId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type {
  Denial,
  FoundTranscript,
  Importer,
  Transcript,
  TranscriptLine,
  TranscriptPrompt,
} from '../importer.ts'
import { numberOf, objectOf, textOf, textOrNull, type Fields } from '../kit/fields.ts'
import { mergeByTime } from '../kit/merge-by-time.ts'
import { filesBelow } from '../kit/transcript-files.ts'
import { openDatabase, openFolder, type StoredRows } from './stored-rows.ts'
import { initialTranscript, translateTranscript, type TranscriptState } from './transcript.ts'

/** OpenCode's stored sessions: in a database or, in older versions, in a folder with many files. */
export const importer: Importer<TranscriptState> = {
  places: env => [join(env['XDG_DATA_HOME'] ?? join(env['HOME'] ?? '/', '.local', 'share'), 'opencode')],
  find,
  ignored: ['snapshot', 'bin', 'log', 'repos', 'tool-output', 'worktree'],
  scope(file) {
    const [database] = /^opencode.*\.db(?=$|-wal$)/.exec(basename(file)) ?? []
    if (database !== undefined) return join(dirname(file), database)
    return file.endsWith('.json') ? storageOf(file) : null
  },
  initial: initialTranscript,
  translate: translateTranscript,
}

const kinds: ReadonlySet<string> = new Set(['session', 'message', 'part'])

/** The folder "storage" that a file of a session, a message or a part is in; null if it is in none. */
function storageOf(file: string): string | null {
  const names = file.split(/[/\\]/)
  const at = names.findLastIndex((name, index) => name === 'storage' && kinds.has(names[index + 1] ?? ''))
  return at < 1 || names.length < at + 3 ? null : file.slice(0, names.slice(0, at + 1).join('/').length)
}

async function* find(path: string): AsyncGenerator<FoundTranscript> {
  const folders = new Set<string>()
  for await (const file of filesBelow(path)) {
    const storage = dirname(dirname(dirname(file)))
    const isSession = /^ses_.*\.json$/.test(basename(file)) && basename(dirname(dirname(file))) === 'session'
    if (/^opencode.*\.db$/.test(basename(file))) yield* sessionsIn(file, () => openDatabase(file))
    else if (isSession && !folders.has(storage)) {
      folders.add(storage)
      yield* sessionsIn(storage, () => openFolder(storage))
    }
  }
}

/** Each session without a parent is a conversation. */
async function* sessionsIn(
  file: string,
  open: () => StoredRows | undefined,
): AsyncGenerator<FoundTranscript> {
  const rows = open()
  if (rows === undefined) return
  const [sessions, changes] = await Promise.all([rows.sessions(), rows.changes()]).finally(() => rows.close())
  const roots = sessions.filter(session => textOf(session, 'parentID') === '')
  const { size, mtime } = await stat(file)
  for (const root of roots) {
    const times = descendants(root, sessions).map(session => changes.get(textOf(session, 'id')) ?? 0)
    const changedAt = Math.max(...times) || mtime.getTime()
    const facts = { file, agentSession: textOf(root, 'id'), changedAt, bytes: size / roots.length }
    yield { ...facts, read: () => read(root, sessions, open) }
  }
}

async function read(
  root: Fields,
  sessions: readonly Fields[],
  open: () => StoredRows | undefined,
): Promise<Transcript> {
  const rows = open() ?? openFolder('')
  try {
    const family = descendants(root, sessions)
    const lines = await Promise.all(family.map(session => linesOf(rows, session, session === root)))
    return {
      agentSession: textOf(root, 'id'),
      cwd: textOrNull(root, 'directory'),
      title: textOf(root, 'title') || null,
      lines: mergeByTime(inOrder(family, lines)),
    }
  } finally {
    rows.close()
  }
}

function descendants(root: Fields, sessions: readonly Fields[]): readonly Fields[] {
  const children = sessions.filter(session => session['parentID'] === root['id'])
  return [root, ...children.flatMap(child => descendants(child, sessions))]
}

/** A subagent's session may be slightly older than the call that started it, and comes after it. */
function inOrder(
  family: readonly Fields[],
  lines: readonly (readonly TranscriptLine[])[],
): readonly (readonly TranscriptLine[])[] {
  return family.map((session, index) => {
    const mark = `"sessionId":"${textOf(session, 'id')}"`
    const call = lines.flat().find(({ raw }) => raw.raw.includes('"tool"') && raw.raw.includes(mark))
    return (lines[index] ?? []).map(line => ({ ...line, at: Math.max(line.at ?? 0, call?.at ?? 0) || null }))
  })
}

async function linesOf(
  rows: StoredRows,
  session: Fields,
  isMain: boolean,
): Promise<readonly TranscriptLine[]> {
  const id = textOf(session, 'id')
  const lines = [lineOf('session.updated', { info: session }, createdAt(session), null)]
  for (const info of await rows.messages(id)) {
    const parts = await rows.parts(id, textOf(info, 'id'))
    const at = createdAt(info)
    lines.push(lineOf('message.updated', { sessionID: id, info }, at, isMain ? promptOf(info, parts) : null))
    const starts = startsOf(parts)
    for (const [index, part] of parts.entries()) lines.push(...partLines(id, part, starts[index] ?? null))
  }
  return inTime(lines)
}

/** When parts began: OpenCode stores them in that order, but older releases update the start of a running command. */
function startsOf(parts: readonly Fields[]): readonly (number | null)[] {
  let next = Infinity
  return parts
    .map(part => timesOf(part).start)
    .reduceRight<(number | null)[]>((starts, start) => {
      next = Math.min(next, start ?? Infinity)
      return [start === null ? null : next, ...starts]
    }, [])
}

/** A part as it began and as it ended: OpenCode stores it once, with both times. */
function partLines(sessionID: string, part: Fields, start: number | null): readonly TranscriptLine[] {
  const { end } = timesOf(part)
  const plain = lineOf('message.part.updated', { sessionID, part }, end ?? start, null)
  const denial = denialIn(part)
  const line = denial === null ? plain : { ...plain, denial }
  const begun = start === null || end === null || start >= end ? null : asBegun(part, start)
  if (begun === null) return [line]
  return [
    { ...lineOf('message.part.updated', { sessionID, part: begun }, start, null), announces: line.raw },
    line,
  ]
}

const rejected =
  /^The user rejected permission to use this specific tool call(?: with the following feedback: (.*))?/s

/** The call that a person denied, by the error that the model saw. */
function denialIn(part: Fields): Denial | null {
  const [whole, reason = null] = rejected.exec(textOf(objectOf(part, 'state'), 'error')) ?? []
  return whole === undefined ? null : { call: textOf(part, 'callID'), reason }
}

/** A tool call as it began: with its input and without a result. Thinking: with its first character. */
function asBegun(part: Fields, start: number): Fields | null {
  const time = { start }
  const first = textOf(part, 'text').codePointAt(0)
  if (textOf(part, 'type') === 'reasoning' && first !== undefined)
    return { ...part, text: String.fromCodePoint(first), time }
  if (textOf(part, 'type') !== 'tool') return null
  const { input = {}, metadata = {} } = objectOf(part, 'state')
  const { sessionId } = asObject(metadata)
  const child = sessionId === undefined ? {} : { metadata: { sessionId } }
  return { ...part, state: { status: 'running', input, time, ...child } }
}

/** Parts of a message may run in parallel; a part without a time comes after all that are stored before it. */
function inTime(lines: readonly TranscriptLine[]): readonly TranscriptLine[] {
  let newest = 0
  const dated = lines.map(line => {
    newest = Math.max(newest, line.at ?? 0)
    return { ...line, at: line.at ?? (newest || null) }
  })
  return dated.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
}

const createdAt = (row: Fields) => numberOf(objectOf(row, 'time'), 'created') || null

function timesOf(part: Fields) {
  const time = objectOf(textOf(part, 'type') === 'tool' ? objectOf(part, 'state') : part, 'time')
  return { start: numberOf(time, 'start') || null, end: numberOf(time, 'end') || null }
}

/** The stored data in the form of events. */
function lineOf(
  type: string,
  properties: Fields,
  at: number | null,
  prompt: TranscriptPrompt | null,
): TranscriptLine {
  return {
    from: prompt === null ? 'agent' : 'host',
    raw: { raw: JSON.stringify({ type, properties }) },
    at,
    prompt,
  }
}

function promptOf(info: Fields, parts: readonly Fields[]): TranscriptPrompt | null {
  if (textOf(info, 'role') !== 'user') return null
  const asked = parts.flatMap((part): readonly PromptPart[] => {
    const [text, url] = [textOf(part, 'text'), textOf(part, 'url')]
    if (textOf(part, 'type') === 'file' && url !== '')
      return [{ type: 'file', url, mediaType: textOf(part, 'mime') || 'application/octet-stream' }]
    return textOf(part, 'type') === 'text' && part['synthetic'] !== true && text !== ''
      ? [{ type: 'text', text }]
      : []
  })
  return asked.length === 0 ? null : { id: textOf(info, 'id') as PromptId, parts: asked }
}
