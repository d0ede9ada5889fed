import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Json } from '../../protocol/json.ts'
import type {
  Denial,
  FoundTranscript,
  Importer,
  ReadOptions,
  Transcript,
  TranscriptLine,
} from '../importer.ts'
import { parseJson } from '../kit/parse-json.ts'
import { beginningOf, filesBelow, firstIn, readText, stemOf, type FileLine } from '../kit/transcript-files.ts'
import { readAdded, readLines, wholeGrowth, type FileEnds } from '../kit/transcript-growth.ts'
import { timeIn } from '../kit/time-in.ts'
import { mergeByTime } from '../kit/merge-by-time.ts'
import { blocksOf, textOf, textsOf, fieldsOf, type Fields } from './messages.ts'
import { promptIn } from './prompt-in.ts'
import { initialTranscript, translateTranscript, type TranscriptState } from './transcript.ts'

/** Claude Code's transcripts: one file per session, and in newer ones a file for each subagent. */
export const importer: Importer<TranscriptState> = {
  places: env => [join(env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? '/', '.claude'), 'projects')],
  find,
  ignored: ['tool-results', 'memory'],
  scope(file) {
    if (!isLines(file)) return file.endsWith('.meta.json') ? mainOf(file) : null
    return isSubagents(file) ? (mainOf(file) ?? dirname(file)) : file
  },
  initial: initialTranscript,
  translate: translateTranscript,
}

const isLines = (file: string) => /\.jsonl(\.gz)?$/.test(file)
const isSubagents = (file: string) => basename(file).startsWith('agent-')

async function* find(path: string): AsyncGenerator<FoundTranscript> {
  for await (const file of filesBelow(path)) {
    if (!isLines(file) || isSubagents(file)) continue
    const session = await sessionIn(file)
    if (session === null) continue
    const own = await namesIn(ownFolderOf(file))
    const all = await Promise.all([file, ...own].map(each => stat(each)))
    const changedAt = Math.max(...all.map(({ mtime }) => mtime.getTime()))
    const bytes = all.reduce((sum, { size }) => sum + size, 0)
    const facts = { file, agentSession: session, changedAt, bytes }
    yield { ...facts, read: options => read(file, session, options) }
  }
}

/** The file of the session that started a subagent; null in older versions, where their files are side by side. */
function mainOf(file: string): string | null {
  const folder = dirname(file)
  return basename(folder) === 'subagents' ? `${dirname(folder)}.jsonl` : null
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The session of a file, by its name or its lines; null when it is not a transcript. */
async function sessionIn(file: string): Promise<string | null> {
  let first: Fields | undefined
  for await (const line of beginningOf(file)) {
    if (typeof line['type'] !== 'string' || typeof line['sessionId'] !== 'string') continue
    first ??= line
    if (!('parentUuid' in line) && line['type'] !== 'queue-operation') continue
    const stem = stemOf(file)
    return uuid.test(stem) ? stem : textOf(first['sessionId'])
  }
  return null
}

async function read(file: string, agentSession: string, options: ReadOptions): Promise<Transcript> {
  const files = await subagentFiles(file, agentSession)
  const added = await readAdded([file, ...files], options, lines => lines.map(lineOf))
  if (added !== null) return { agentSession, cwd: null, title: null, ...added }
  const ends: FileEnds = new Map()
  const main = await readLines(file, ends, options)
  const subagents = await Promise.all(files.map(each => readSubagent(each, ends, options)))
  const all = [main, ...subagents.map(({ lines }) => lines)].flat()
  const sources = new Map([
    [file, main.map(lineOf)],
    ...subagents.map((subagent): [string, readonly TranscriptLine[]] => [
      subagent.file,
      [introduction(subagent, all), ...subagent.lines.map(lineOf)],
    ]),
  ])
  const cwd = all.map(({ fields }) => textOf(fields?.['cwd'])).find(each => each !== null) ?? null
  const lines = mergeByTime([...sources.values()])
  return { agentSession, cwd, title: titleIn(main), lines, ...wholeGrowth(ends, sources, null) }
}

function lineOf({ raw, fields }: FileLine): TranscriptLine {
  const prompt = fields === null ? null : promptIn(fields)
  const denial = fields === null ? null : denialIn(fields)
  return {
    from: prompt === null ? 'agent' : 'host',
    raw,
    at: timeIn(fields?.['timestamp']),
    prompt,
    ...(denial && { denial }),
  }
}

const rejected =
  /^The user doesn't want to proceed with this tool use\. The tool use was rejected .*the user said:\n(.*)$/s

/** The call that a person denied; newer transcripts have a field for it, older ones only the text for the model. */
function denialIn(fields: Fields): Denial | null {
  const [result] = blocksOf(fieldsOf(fields['message'])?.['content']).filter(block => block.type === 'result')
  if (result?.failed !== true || typeof result.content !== 'string') return null
  const reason = rejected.exec(result.content)?.[1]
  if (reason !== undefined) return { call: result.call, reason }
  const { decision, source } = fieldsOf(fields['permissionDecision']) ?? {}
  return decision === 'reject' && source === 'user_reject'
    ? { call: result.call, reason: result.content }
    : null
}

/** The title that a person or Claude Code gave; null without one. */
function titleIn(lines: readonly FileLine[]): string | null {
  const seen = (kind: string, field: string) =>
    lines
      .map(({ fields }) => (fields?.['type'] === kind ? textOf(fields[field]) : null))
      .findLast(each => each !== null)
  return seen('custom-title', 'customTitle') ?? seen('ai-title', 'aiTitle') ?? lastSummary(lines)
}

/** The last summary of this session. A file can also have summaries of other sessions, which end in lines that it lacks. */
function lastSummary(lines: readonly FileLine[]): string | null {
  const ids = new Set(lines.map(({ fields }) => textOf(fields?.['uuid'])))
  const last = lines.findLast(
    ({ fields }) =>
      fields?.['type'] === 'summary' &&
      textOf(fields['summary']) !== null &&
      ids.has(textOf(fields['leafUuid'])) &&
      textOf(fields['leafUuid']) !== null,
  )
  return textOf(last?.fields?.['summary'])
}

interface Subagent {
  readonly file: string
  readonly agentId: string
  readonly meta: Json
  readonly lines: readonly FileLine[]
}

/** The files of subagents: in a folder with the session's name or, in older versions, beside its file. */
async function subagentFiles(file: string, session: string): Promise<readonly string[]> {
  const folder = dirname(file)
  const own = await namesIn(ownFolderOf(file))
  const beside = await namesIn(folder)
  const theirs: string[] = []
  for (const each of beside) if (await isOf(each, session)) theirs.push(each)
  return [...own, ...theirs]
}

/** The folder with the subagents of a session. */
const ownFolderOf = (file: string) => join(dirname(file), stemOf(file), 'subagents')

async function isOf(file: string, session: string): Promise<boolean> {
  return (await firstIn(file))?.['sessionId'] === session
}

/** A missing folder has no files. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => [])
  return names
    .filter(name => isLines(name) && isSubagents(name))
    .toSorted()
    .map(name => join(folder, name))
}

async function readSubagent(file: string, ends: FileEnds, options: ReadOptions): Promise<Subagent> {
  const lines = await readLines(file, ends, options)
  const seen = lines.map(({ fields }) => textOf(fields?.['agentId'])).find(each => each !== null)
  const meta = await readText(file.replace(/\.jsonl(\.gz)?$/, '.meta.json')).catch(() => 'null')
  const agentId = seen ?? stemOf(file).slice('agent-'.length)
  return { file, agentId, meta: parseJson(meta) ?? null, lines }
}

/** A line that we add, with the owner of a subagent's lines. */
function introduction({ agentId, meta, lines }: Subagent, all: readonly FileLine[]): TranscriptLine {
  const toolUseId = textOf(fieldsOf(meta)?.['toolUseId']) ?? callOf(agentId, lines, all)
  const raw = JSON.stringify({ dragoman: 'subagent', agentId, toolUseId, meta })
  const at = lines.map(({ fields }) => timeIn(fields?.['timestamp'])).find(each => each !== null) ?? null
  return { from: 'host', raw: { raw }, at, prompt: null }
}

/** The call that started a subagent: named in its result or its progress, or found by the text of its task. */
function callOf(agentId: string, lines: readonly FileLine[], all: readonly FileLine[]): string | null {
  const task = textIn(lines[0]?.fields)
  const calls = all.flatMap(({ fields }) => (fields === null ? [] : callIn(fields, agentId, task)))
  return calls[0] ?? null
}

function callIn(fields: Fields, agentId: string, task: string | null): readonly string[] {
  if (fieldsOf(fields['data'])?.['agentId'] === agentId) return textsOf([fields['parentToolUseID'] ?? null])
  const isResult = fieldsOf(fields['toolUseResult'])?.['agentId'] === agentId
  return blocksOf(fieldsOf(fields['message'])?.['content']).flatMap(block => {
    if (block.type === 'result') return isResult ? [block.call] : []
    const asks = block.type === 'call' && task !== null && fieldsOf(block.input)?.['prompt'] === task
    return asks ? [block.call] : []
  })
}

function textIn(fields: Fields | null | undefined): string | null {
  const [first] = blocksOf(fieldsOf(fields?.['message'])?.['content'])
  return first?.type === 'text' ? first.text : null
}
