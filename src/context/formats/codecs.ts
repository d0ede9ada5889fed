import { anthropic } from './anthropic/codec.ts'
import type { Codec } from './codec.ts'
import type { Format } from './conversation.ts'
import { gemini } from './gemini/codec.ts'
import { openaiChat } from './openai-chat/codec.ts'
import { openaiResponses } from './openai-responses/codec.ts'
import { uiMessages } from './ui-messages/codec.ts'

const codecs: Readonly<Record<Format, Codec>> = {
  'anthropic-messages': anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
  'ui-messages': uiMessages,
}

/** All formats. */
export const formats = Object.keys(codecs) as readonly Format[]

/** The codec of a format. */
export const codecOf = (format: Format): Codec => codecs[format]
