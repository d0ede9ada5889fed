import { homedir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAcp, readSettings, type Manner, type Settings } from '../acp/index.ts'
import type { AgentLine, Connection, ConnectOptions } from '../agent.ts'
import { chatFiles, followChat, minuteOf, sessionIn, type ChatFile } from './chat-file.ts'

/** Starts Gemini CLI over ACP, and reads the file in which it keeps the chat. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const settings = withModel(readSettings(options.options, 'gemini'))
  // On another machine, that file cannot be read.
  if (options.start) return connectAcp(options, settings)
  const home = settings.env['HOME'] ?? process.env['HOME'] ?? homedir()
  const { resume } = options
  if (resume !== null && (await isOfThisMinute(home, resume)))
    return { ...connectAcp({ ...options, resume: null }, settings, mannerOf(home, null)), resumed: false }
  const chat = resume === null ? null : await followChat(home, resume, false)
  return connectAcp(options, settings, mannerOf(home, chat))
}

/** Its model is named at the start; without a name it asks a model which one to use. */
function withModel(settings: Settings): Settings {
  const { model, args } = settings
  return model === null ? settings : { ...settings, args: [...args, '-m', model], model: null }
}

function mannerOf(home: string, resumed: ChatFile | null): Manner {
  let chat = resumed
  let isStale = false
  return {
    async beside({ raw, parsed }) {
      // A new session, also in place of one that could not be loaded.
      const session = sessionIn(parsed)
      if (session !== undefined) chat = await followChat(home, session, true)
      const isChunk = raw.includes('"agent_message_chunk"') || raw.includes('"agent_thought_chunk"')
      if (chat === null || (isChunk && !isStale)) return []
      const news = await newsAt(chat, raw)
      // An ended call is written a little later.
      isStale = raw.includes('"tool_call') || (isStale && news.length === 0)
      return news
    },
  }
}

const lastMessageMs = 100
const lookEveryMs = 10

/** At the end of an answer the file may lack its last message for a moment. */
async function newsAt(chat: ChatFile, raw: string): Promise<readonly AgentLine[]> {
  const news = [...(await chat.news())]
  if (!raw.includes('"stopReason":"end_turn"')) return news
  for (let waited = 0; waited < lastMessageMs && !hasFigures(news); waited += lookEveryMs) {
    await sleep(lookEveryMs)
    news.push(...(await chat.news()))
  }
  return news
}

const hasFigures = (news: readonly AgentLine[]) => news.some(({ raw }) => raw.includes('"tokens"'))

/**
 * Gemini CLI wipes a chat that is loaded in the minute in which its file was begun: the new file has the same name.
 * Such a chat is not loaded, and the conversation continues in a new one.
 */
async function isOfThisMinute(home: string, session: string): Promise<boolean> {
  const minutes = (await chatFiles(home, session)).map(minuteOf)
  return minutes.includes(new Date().toISOString().slice(0, 16).replace(':', '-'))
}
