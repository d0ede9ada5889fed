import type { Message, PromptPart } from 'dragoman'
import type { Session } from 'dragoman/client'

/** The text of a prompt, for editing. */
export const promptWords = ({ parts }: Message): string =>
  parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n\n')

/** A prompt with new text; its files stay. */
export function withWords({ parts }: Message, text: string): readonly PromptPart[] {
  const files = parts.flatMap(part => (part.type === 'file' ? [fileOf(part)] : []))
  return text.trim() === '' ? files : [{ type: 'text', text }, ...files]
}

const fileOf = ({ url, mediaType, filename }: Extract<PromptPart, { type: 'file' }>): PromptPart => ({
  type: 'file',
  url,
  mediaType,
  ...(filename !== undefined && { filename }),
})

/** The message before another one; null where it is the first of all, and older ones are loaded to know that. */
export async function messageBefore(session: Session, message: string): Promise<string | null> {
  for (;;) {
    const messages = session.messages.get()
    const at = messages.findIndex(({ id }) => id === message)
    if (at > 0) return messages[at - 1]?.id ?? null
    if (at < 0) throw new Error('This message was removed from the conversation.')
    if (!(await session.loadOlder())) return null
  }
}
