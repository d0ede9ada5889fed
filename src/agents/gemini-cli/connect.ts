import { homedir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Raw } from '../../protocol/event.ts'
import { connectAcp, readSettings, type Manner, type Settings } from '../acp/index.ts'
import type { Connection, ConnectOptions } from '../agent.ts'
import { chatFiles, followChat, minuteOf, sessionIn, type ChatFile } from './chat-file.ts'

/** Starts Gemini CLI over ACP, and reads beside it the file in which it keeps the chat. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const settings = withModel(readSettings(options.options, 'gemini'))
  // On another machine, that file is out of reach.
  if (options.start) return connectAcp(options, settings)
  const home = settings.env['HOME'] ?? process.env['HOME'] ?? homedir()
  const chat = options.resume === null ? null : await followChat(home, options.resume, false)
  return connectAcp(options, settings, mannerOf(home, chat))
}

/** Its model is named when it starts; without a name it asks a model which one to ask. */
function withModel(settings: Settings): Settings {
  const { model, args } = settings
  return model === null ? settings : { ...settings, args: [...args, '-m', model], model: null }
}

function mannerOf(home: string, resumed: ChatFile | null): Manner {
  let chat = resumed
  let isStale = false
  return {
    beforeResume: (session, signal) => outliveMinute(home, session, signal),
    async beside({ raw }) {
      const session = chat === null && raw.includes('"sessionId"') ? sessionIn(raw) : undefined
      if (session !== undefined) chat = await followChat(home, session, true)
      const isChunk = raw.includes('"agent_message_chunk"') || raw.includes('"agent_thought_chunk"')
      if (chat === null || (isChunk && !isStale)) return []
      const news = await newsAt(chat, raw)
      // A call that is over is written down a little later.
      isStale = raw.includes('"tool_call') || (isStale && news.length === 0)
      return news
    },
  }
}

const lastWordsMs = 100
const lookEveryMs = 10

/** At the end of an answer the file may lack its last message for a moment. */
async function newsAt(chat: ChatFile, raw: string): Promise<readonly Raw[]> {
  const news = [...(await chat.news())]
  if (!raw.includes('"stopReason":"end_turn"')) return news
  for (let waited = 0; waited < lastWordsMs && !hasFigures(news); waited += lookEveryMs) {
    await sleep(lookEveryMs)
    news.push(...(await chat.news()))
  }
  return news
}

const hasFigures = (news: readonly Raw[]) => news.some(({ raw }) => raw.includes('"tokens"'))

/**
 * A chat that is loaded in the minute in which it was begun is wiped by Gemini CLI: its new file has the same name. So that
 * minute must pass.
 */
async function outliveMinute(home: string, session: string, signal: AbortSignal): Promise<void> {
  const minutes = (await chatFiles(home, session)).map(minuteOf)
  while (minutes.includes(new Date().toISOString().slice(0, 16).replace(':', '-')))
    await sleep(1_000, undefined, { signal })
}
