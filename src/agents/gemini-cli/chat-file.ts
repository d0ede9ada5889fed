import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json } from '../../protocol/json.ts'
import { listOf, objectOf, textOf } from '../acp/index.ts'
import type { AgentLine } from '../agent.ts'
import { parseJson } from '../kit/parse-json.ts'
import { createJsonShortener } from '../kit/shorten-json.ts'
import { responsesIn } from './messages.ts'

/** The file in which Gemini CLI keeps a chat, while it grows. */
export interface ChatFile {
  /** The messages that were added since the last read, unchanged. */
  news(): Promise<readonly AgentLine[]>
}

/** In longer messages, long texts are cut: ACP has sent them, but only the file has the figures. */
const longest = 4 * 1024 * 1024
const newline = 0x0a

/**
 * Follows the file of a chat. It may be in the folder of any project, there may be several, and earlier lines are an
 * old conversation.
 */
export async function followChat(home: string, session: string, isNew: boolean): Promise<ChatFile> {
  const offsets = new Map<string, number>()
  const seen = new Set<string>()
  if (!isNew) for (const file of await chatFiles(home, session)) offsets.set(file, await sizeOf(file))
  return {
    async news() {
      const lines: string[] = []
      for (const file of await chatFiles(home, session)) {
        const { text, end } = await readFrom(file, offsets.get(file) ?? 0)
        offsets.set(file, end)
        lines.push(...text.split('\n'))
      }
      return lines.flatMap(line => newsIn(line, session, seen))
    },
  }
}

/**
 * What is new in a line. Patches repeat known messages, and so do messages of the user, unless they contain the
 * result of an otherwise unknown call. A message with calls is written again for each further call; only the further
 * calls are new. The header shows that the file exists.
 */
function newsIn(whole: string, session: string, seen: Set<string>): readonly AgentLine[] {
  if (whole === '' || whole.startsWith('{"$set"')) return []
  const raw = whole.length > longest ? shortened(whole) : whole
  const message = objectOf(parseJson(raw))
  const line = { raw, parsed: message }
  const { type, sessionId } = message
  if (sessionId === session) return [line]
  if (type === 'user') return responsesIn(message).some(({ id }) => !seen.has(id)) ? [line] : []
  if (typeof type !== 'string') return []
  const calls = listOf(message['toolCalls'])
  const further = calls.filter(call => {
    const { id, status } = objectOf(call)
    return !seen.has(`${textOf(id)} ${textOf(status)}`)
  })
  for (const { id, status } of calls.map(objectOf))
    seen.add(`${textOf(id)} ${textOf(status)}`).add(textOf(id) ?? '')
  return [
    further.length === calls.length ? line : { raw: JSON.stringify({ ...message, toolCalls: further }) },
  ]
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

/** A missing folder has no files. */
const names = (folder: string) => readdir(folder).catch(() => [] as string[])

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

/** Reads whole lines only: the last one may still be incomplete. */
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
    // It was removed or cannot be read: only ACP remains.
    return { text: '', end: from }
  }
}

/**
 * The name of the minute in which a chat's file was begun; the file of a chat that is loaded now would get the same
 * name.
 */
export function minuteOf(file: string): string | undefined {
  return /session-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2})-/.exec(file)?.[1]
}

/** The session in an answer of the agent. */
export function sessionIn(answer: Json | undefined): string | undefined {
  return textOf(objectOf(objectOf(answer)['result'])['sessionId'])
}
