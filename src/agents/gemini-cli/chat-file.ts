import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Raw } from '../../protocol/event.ts'
import { listOf, objectOf, textOf } from '../acp/index.ts'
import { parseJson } from '../kit/parse-json.ts'
import { createJsonShortener } from '../kit/shorten-json.ts'
import { responsesIn } from './messages.ts'

/** The file in which Gemini CLI keeps a chat, while it grows. */
export interface ChatFile {
  /** The messages that were added since the last look, as they were written. */
  news(): Promise<readonly Raw[]>
}

/** Of messages longer than this, long texts are cut: ACP has told them, but only the file has the figures. */
const longest = 4 * 1024 * 1024
const newline = 0x0a

/**
 * Follows the file of a chat. It may lie in the folder of any project, there may be more than one, and what was in them
 * before is an old conversation.
 */
export async function followChat(home: string, session: string, isNew: boolean): Promise<ChatFile> {
  const offsets = new Map<string, number>()
  const told = new Set<string>()
  if (!isNew) for (const file of await chatFiles(home, session)) offsets.set(file, await sizeOf(file))
  return {
    async news() {
      const lines: string[] = []
      for (const file of await chatFiles(home, session)) {
        const { text, end } = await readFrom(file, offsets.get(file) ?? 0)
        offsets.set(file, end)
        lines.push(...text.split('\n'))
      }
      return lines.flatMap(line => newsIn(line, session, told)).map(raw => ({ raw }))
    },
  }
}

/**
 * What is new in a line. Patches repeat what is known, and so do messages of the user, unless they hold the result of a call of
 * which nothing else is told. A message with calls is written again for each further call; only the further ones are news.
 * The header says that the file is there.
 */
function newsIn(whole: string, session: string, told: Set<string>): readonly string[] {
  if (whole === '' || whole.startsWith('{"$set"')) return []
  const line = whole.length > longest ? shortened(whole) : whole
  const message = objectOf(parseJson(line))
  const { type, sessionId } = message
  if (sessionId === session) return [line]
  if (type === 'user') return responsesIn(message).some(({ id }) => !told.has(id)) ? [line] : []
  if (typeof type !== 'string') return []
  const calls = listOf(message['toolCalls'])
  const further = calls.filter(call => {
    const { id, status } = objectOf(call)
    return !told.has(`${textOf(id)} ${textOf(status)}`)
  })
  for (const { id, status } of calls.map(objectOf))
    told.add(`${textOf(id)} ${textOf(status)}`).add(textOf(id) ?? '')
  return [further.length === calls.length ? line : JSON.stringify({ ...message, toolCalls: further })]
}

function shortened(line: string): string {
  const shortener = createJsonShortener()
  shortener.write(Buffer.from(line))
  return shortener.end() ?? ''
}

/** The files of a chat; their names end with the beginning of its id. */
export async function chatFiles(home: string, session: string): Promise<readonly string[]> {
  const projects = join(home, '.gemini', 'tmp')
  const ending = `-${session.slice(0, 8)}.jsonl`
  const folders = (await names(projects)).map(project => join(projects, project, 'chats'))
  const files = await Promise.all(
    folders.map(async folder =>
      (await names(folder)).filter(name => name.endsWith(ending)).map(name => join(folder, name)),
    ),
  )
  return files.flat().toSorted()
}

/** A folder that is not there has no files. */
const names = (folder: string) => readdir(folder).catch(() => [] as string[])

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

/** Reads whole lines only: the last one may still be being written. */
async function readFrom(
  file: string,
  from: number,
): Promise<{ readonly text: string; readonly end: number }> {
  const size = await sizeOf(file)
  if (size <= from) return { text: '', end: from }
  try {
    await using handle = await open(file)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from)
    const whole = buffer.subarray(0, buffer.subarray(0, bytesRead).lastIndexOf(newline) + 1)
    return { text: whole.toString('utf8'), end: from + whole.length }
  } catch {
    // It was removed or may not be read: ACP tells what it tells.
    return { text: '', end: from }
  }
}

/** The name of the minute in which a chat's file was begun; the file of a chat that is loaded now would be named alike. */
export function minuteOf(file: string): string | undefined {
  return /session-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2})-/.exec(file)?.[1]
}

/** The session that an answer of the agent names. */
export function sessionIn(raw: string): string | undefined {
  return textOf(objectOf(objectOf(parseJson(raw) ?? null)['result'])['sessionId'])
}
