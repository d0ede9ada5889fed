import type { Received } from '../../protocol/api/api.ts'
import { DragomanError } from '../../protocol/error.ts'
import { readId, type ApprovalId, type PromptId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'

/** A message as a client of the AI SDK sends it. */
export type SentMessage = Received<'chat'>['body']['messages'][number]
type SentPart = SentMessage['parts'][number]

/** The texts and files of a person's message. Parts that a page adds for its own use are left out. */
export function readPrompt(message: SentMessage): {
  readonly id: PromptId
  readonly parts: readonly PromptPart[]
} {
  const id = readId<PromptId>('message', message.id)
  const parts = message.parts.flatMap(readPart)
  if (parts.length > 0) return { id, parts }
  throw invalid('The last message is empty. It needs a part of type "text" or "file".')
}

function readPart(part: SentPart): readonly PromptPart[] {
  if (part.type === 'text') return [{ type: 'text', text: textAt(part, 'text') }]
  if (part.type !== 'file') return []
  const { filename } = part
  return [
    {
      type: 'file',
      url: textAt(part, 'url'),
      mediaType: textAt(part, 'mediaType'),
      ...(typeof filename === 'string' && { filename }),
    },
  ]
}

function textAt(part: SentPart, key: string): string {
  const value = part[key]
  if (typeof value === 'string' && (value !== '' || key === 'text')) return value
  throw invalid(`A part of type "${part.type}" needs "${key}" as a string.`)
}

/** A person's answer to an approval, from a message. */
export interface SentAnswer {
  readonly approval: ApprovalId
  readonly approved: boolean
  readonly reason: string | undefined
}

/** The answers in a message. Approvals without an answer are skipped. */
export const readAnswers = ({ parts }: SentMessage): readonly SentAnswer[] => parts.flatMap(readAnswer)

function readAnswer({ approval }: SentPart): readonly SentAnswer[] {
  if (typeof approval !== 'object' || approval === null) return []
  const { id, approved, reason } = approval as Readonly<Record<string, unknown>>
  if (typeof id !== 'string' || typeof approved !== 'boolean') return []
  return [{ approval: id as ApprovalId, approved, reason: typeof reason === 'string' ? reason : undefined }]
}

const invalid = (message: string) => new DragomanError('invalid-input', message)
