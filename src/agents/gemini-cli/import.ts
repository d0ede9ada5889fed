import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isObject, listOf, objectOf, textOf, type JsonObject } from '../acp/index.ts'
import type {
  Denial,
  FoundTranscript,
  Importer,
  ReadOptions,
  Transcript,
  TranscriptLine,
} from '../importer.ts'
import { timeIn } from '../kit/time-in.ts'
import { filesBelow, firstIn, readText, readWhole, type FileLine } from '../kit/transcript-files.ts'
import { readAdded, readLines, wholeGrowth, type FileEnds } from '../kit/transcript-growth.ts'
import { callsIn, responsesIn } from './messages.ts'
import { initialTranscript, promptOf, translateTranscript, type TranscriptState } from './transcript.ts'

/** Gemini CLI's chats: one file per session, of lines or, in older versions, of one object. */
export const importer: Importer<TranscriptState> = {
  places: env => [join(env['GEMINI_CLI_HOME'] ?? env['HOME'] ?? '/', '.gemini', 'tmp')],
  find,
  scope: file => (isChat(file) ? file : null),
  initial: initialTranscript,
  translate: translateTranscript,
}

const isChat = (file: string) => /\.jsonl?(\.gz)?$/.test(file)

async function* find(path: string): AsyncGenerator<FoundTranscript> {
  for await (const file of filesBelow(path)) {
    if (!isChat(file)) continue
    const isWhole = !/\.jsonl(\.gz)?$/.test(file)
    const head = isWhole ? await readWhole(file).catch(() => undefined) : await firstIn(file)
    if (typeof head?.['sessionId'] !== 'string' || typeof head['projectHash'] !== 'string') continue
    const { size, mtime } = await stat(file)
    const session = head['sessionId']
    const facts = { file, agentSession: session, changedAt: mtime.getTime(), bytes: size }
    yield { ...facts, read: options => read(file, session, isWhole, options) }
  }
}

async function read(
  file: string,
  agentSession: string,
  isWhole: boolean,
  options: ReadOptions,
): Promise<Transcript> {
  const added = await readAdded<Set<string>>([file], options, (more, { facts }) =>
    more.flatMap(line => linesOf(line, facts)),
  )
  if (added !== null) return { agentSession, cwd: null, title: null, ...added }
  const ends: FileEnds = new Map()
  const objects = isWhole
    ? piecesOf((await readWhole(file, options.unpackLimit)) ?? {})
    : await readLines(file, ends, options)
  const seen = new Set<string>()
  const lines = objects.flatMap(line => linesOf(line, seen))
  const growth = wholeGrowth(ends, new Map([[file, lines]]), seen)
  return { agentSession, cwd: await cwdOf(file), title: null, lines, ...growth }
}

/** A message is written again when something was added to it; its prompt and its calls count once. */
function linesOf({ raw, fields }: FileLine, seen: Set<string>): readonly TranscriptLine[] {
  if (fields === null) return [{ from: 'agent', raw, at: null, prompt: null }]
  const asked = promptOf(fields)
  const prompt = asked !== null && isFirst(seen, asked.id) ? asked : null
  const written = timeIn(fields['timestamp'] ?? fields['startTime'])
  const calls = listOf(fields['toolCalls']).filter(isObject)
  const at = Math.max(written ?? 0, ...calls.map(call => timeIn(call['timestamp']) ?? 0)) || null
  const denial = denialIn(fields)
  const line: TranscriptLine = {
    from: prompt === null ? 'agent' : 'host',
    raw,
    at,
    prompt,
    ...(denial && { denial }),
  }
  const begun = calls.filter(call => isFirst(seen, callId(call)))
  const first = begun.some(call => timeIn(call['timestamp']) !== null)
    ? JSON.stringify({ ...fields, toolCalls: calls.map(asBegun) })
    : unrunCall(denial, fields, seen)
  if (first === null) return [line]
  return [{ from: 'agent', raw: { raw: first }, at: written, prompt: null, announces: raw }, line]
}

function isFirst(seen: Set<string>, name: string): boolean {
  const isNew = !seen.has(name)
  seen.add(name)
  return isNew
}

/** The call that a person denied, by the error that the model saw. */
function denialIn(fields: JsonObject): Denial | null {
  const denied = [...callsIn(fields), ...responsesIn(fields)].find(({ status, facts }) => {
    const error = textOf(objectOf(facts['rawOutput'])['error']) ?? ''
    return status === 'failed' && /was cancell?ed by the user\.?$/.test(error)
  })
  return denied === undefined ? null : { call: denied.id, reason: null }
}

/** A call that never ran is in the file only with its result; null where there is none. */
function unrunCall(denial: Denial | null, fields: JsonObject, seen: ReadonlySet<string>): string | null {
  if (denial === null || seen.has(callId({ id: denial.call }))) return null
  const [response] = responsesIn(fields)
  const call = { id: denial.call, name: response?.facts['name'] ?? '', status: 'executing' }
  return JSON.stringify({ id: `${denial.call}.call`, type: 'gemini', content: '', toolCalls: [call] })
}

const callId = (call: JsonObject) => `call ${textOf(call['id']) ?? ''}`

/** A call is mostly written only when it has ended. */
function asBegun({
  id = '',
  name = '',
  args = {},
  description = '',
  displayName = '',
}: JsonObject): JsonObject {
  return { id, name, args, status: 'executing', description, displayName }
}

/** An older chat is one object that is written again and again, so its messages are compared. */
function piecesOf(chat: JsonObject): readonly FileLine[] {
  const { messages, lastUpdated: _, ...head } = chat
  return [head, ...listOf(messages).filter(isObject)].map(fields => ({
    raw: { raw: JSON.stringify(fields) },
    fields,
  }))
}

/** The folder of a project has a file with the project's path. */
async function cwdOf(file: string): Promise<string | null> {
  const project = dirname(dirname(file))
  const root = await readText(join(project, '.project_root')).catch(() => '')
  return textOf(root.trim()) || null
}
