import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isObject, listOf, textOf, type JsonObject } from '../acp/index.ts'
import type { FoundTranscript, Importer, ReadOptions, Transcript, TranscriptLine } from '../importer.ts'
import { timeIn } from '../kit/time-in.ts'
import { beginningOf, filesBelow, readObjects, readWhole, type FileLine } from '../kit/transcript-files.ts'
import { initialTranscript, promptOf, translateTranscript, type TranscriptState } from './transcript.ts'

/** Gemini CLI's chats: a file a session, of lines or, in older versions, of one object. */
export const importer: Importer<TranscriptState> = {
  places: env => [join(env['GEMINI_CLI_HOME'] ?? env['HOME'] ?? '/', '.gemini', 'tmp')],
  find,
  initial: initialTranscript,
  translate: translateTranscript,
}

async function* find(path: string): AsyncGenerator<FoundTranscript> {
  for await (const file of filesBelow(path)) {
    if (!/\.jsonl?(\.gz)?$/.test(file)) continue
    const isWhole = !/\.jsonl(\.gz)?$/.test(file)
    const head = isWhole ? await readWhole(file) : (await beginningOf(file))[0]
    if (typeof head?.['sessionId'] !== 'string' || typeof head['projectHash'] !== 'string') continue
    const { size } = await stat(file)
    const session = head['sessionId']
    yield { file, bytes: size, read: options => read(file, session, isWhole, options) }
  }
}

async function read(
  file: string,
  agentSession: string,
  isWhole: boolean,
  options: ReadOptions,
): Promise<Transcript> {
  const lines = isWhole ? piecesOf((await readWhole(file)) ?? {}) : await readObjects(file, options)
  const asked = new Set<string>()
  return { agentSession, cwd: await cwdOf(file), title: null, lines: lines.map(line => lineOf(line, asked)) }
}

/** A message is written again when something was added to it; a person asked only once. */
function lineOf({ raw, fields }: FileLine, asked: Set<string>): TranscriptLine {
  const prompt = fields === null ? null : promptOf(fields)
  const isNew = prompt !== null && !asked.has(prompt.id)
  if (prompt !== null) asked.add(prompt.id)
  const at = timeIn(fields?.['timestamp'] ?? fields?.['startTime'])
  return { from: isNew ? 'host' : 'agent', raw, at, prompt: isNew ? prompt : null }
}

/** An older chat is one object that is written again and again, so its messages are what counts. */
function piecesOf(chat: JsonObject): readonly FileLine[] {
  const { messages, lastUpdated: _, ...head } = chat
  return [head, ...listOf(messages).filter(isObject)].map(fields => ({
    raw: { raw: JSON.stringify(fields) },
    fields,
  }))
}

/** The folder of a project notes where the project is. */
async function cwdOf(file: string): Promise<string | null> {
  const project = dirname(dirname(file))
  const root = await readFile(join(project, '.project_root'), 'utf8').catch(() => '')
  return textOf(root.trim()) || null
}
