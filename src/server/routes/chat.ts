import { guardedHeaders } from '../responses.ts'
import type { Streamed } from '../streamed.ts'
import { openChat, resumeChat } from '../ui-message-stream/chat.ts'
import type { Handlers } from './handler.ts'

/** What a stock `useChat` page calls. */
export const chat: Handlers<'chat' | 'resumeChat'> = {
  chat: async (house, received, { headers }) => answer(await openChat(house, received, headers)),
  resumeChat: async (house, received, { headers }) => answer(await resumeChat(house, received, headers)),
}

const answer = (opened: Streamed | { readonly status: 204 }): Streamed | Response =>
  'run' in opened ? opened : new Response(null, { status: opened.status, headers: guardedHeaders })
