import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readCommand, type CommandOf } from '../../protocol/command.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { readChoice } from '../arguments.ts'
import type { Configuration } from '../configuration/keys.ts'
import { parseWithoutMark } from '../parse-without-mark.ts'
import { agentFor, agentsOf } from '../configured-agents.ts'
import { openSessionsApi } from '../sessions-api/open-sessions-api.ts'
import type { Shell } from '../shell.ts'
import { counted } from '../terminal/amounts.ts'
import { jsonLine } from '../terminal/json-line.ts'

/** The supported formats of flat arrays. */
export const legacyFormats = ['anthropic', 'openai-chat', 'ui'] as const
type LegacyFormat = (typeof legacyFormats)[number]

interface Wanted {
  readonly file: string
  readonly format?: string | undefined
  readonly json: boolean
}

/** Creates a session from a flat array of messages. The same array gives the same session, so it is created only once. */
export async function importLegacy(
  configuration: Configuration,
  { file, format: named, json }: Wanted,
  shell: Shell,
): Promise<void> {
  const messages = readMessages(resolve(shell.cwd, file))
  const format = readChoice('import', 'format', named, legacyFormats) ?? formatOf(messages)
  const session = `legacy-${hash('sha256', JSON.stringify([format, messages])).slice(0, 32)}` as SessionId
  const creation = readCommand({
    type: 'create',
    session,
    agent: await agentFor(configuration, await agentsOf(configuration), shell.cwd),
    cwd: shell.cwd,
    legacy: { format, messages },
  }) as CommandOf<'create'>
  await using api = await openSessionsApi('import', configuration, shell)
  const isNew = await api.create({ ...creation, session }).then(
    () => true,
    (error: unknown) => {
      if (isDragomanError(error, 'session-exists')) return false
      throw error
    },
  )
  const outcome = isNew ? 'new' : 'unchanged'
  if (json) shell.out.write(jsonLine({ file, session, format, outcome, messages: messages.length }))
  else {
    const what = `session ${session}: ${counted(messages.length, 'message')} (${format})`
    shell.out.write(isNew ? `Imported ${what}\n` : `Already imported: ${what}\n`)
  }
}

function readMessages(file: string): readonly unknown[] {
  const read = () => parseWithoutMark(readFileSync(file, 'utf8'))
  let value: unknown
  try {
    value = read()
  } catch (error) {
    throw new DragomanError('invalid-input', `${file} is not valid JSON: ${(error as Error).message}.`)
  }
  const list = Array.isArray(value) ? value : (value as { readonly messages?: unknown } | null)?.messages
  const wrong = Array.isArray(list) ? list.findIndex(each => !isMessage(each)) : -1
  if (wrong !== -1)
    throw new DragomanError(
      'invalid-input',
      `Item ${wrong + 1} in ${file} is not a message. Each item must be an object with a "role".`,
    )
  if (Array.isArray(list)) return list as readonly unknown[]
  throw new DragomanError(
    'invalid-input',
    `${file} does not contain an array of messages, or an object with one.`,
  )
}

const isMessage = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { readonly role?: unknown }).role === 'string'

/** UI messages have parts, OpenAI's have tool messages and tool calls, and all others are Anthropic's. */
function formatOf(messages: readonly unknown[]): LegacyFormat {
  const has = (key: string) =>
    messages.some(message => typeof message === 'object' && message !== null && key in message)
  const isTool = messages.some(message => (message as { readonly role?: unknown } | null)?.role === 'tool')
  if (has('parts')) return 'ui'
  return isTool || has('tool_calls') ? 'openai-chat' : 'anthropic'
}
