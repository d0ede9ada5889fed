import { guardedHeaders } from '../responses.ts'
import type { Streamed } from '../streams/sink.ts'
import { openChat, resumeChat } from '../ui-message-stream/chat.ts'
import type { Handlers } from './handler.ts'

/** The calls of a stock `useChat` page. */
export const chat: Handlers<'chat' | 'resumeChat'> = {
  chat: async (server, received, { headers }) => answer(await openChat(server, received, headers)),
  resumeChat: async (server, received, { headers }) => answer(await resumeChat(server, received, headers)),
}

const answer = (opened: Streamed | { readonly status: 204 }): Streamed | Response =>
  'run' in opened ? opened : new Response(null, { status: opened.status, headers: guardedHeaders })
