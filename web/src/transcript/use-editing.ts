import { useState } from 'react'
import type { Message } from 'dragoman'
import type { Session } from 'dragoman/client'
import { go } from '../places.ts'
import { usePart } from '../ui/use-part.ts'
import { messageBefore, withWords } from './edit-prompt.ts'

/** The progress of sending an edited prompt, and how to send it. */
export interface Editing {
  readonly canSend: boolean
  /** Whether the agent is running: the text after the prompt is unfinished then and can't be replaced. */
  readonly isRunning: boolean
  readonly problem: string | null
  /** In place of the messages after it. */
  readonly replace: () => void
  /** In a new session that branches off before it. */
  readonly branch: () => void
}

/** Sends an edited prompt. */
export function useEditing(session: Session, message: Message, words: string, onDone: () => void): Editing {
  const [state, setState] = useState<'ready' | 'busy' | { readonly problem: string }>('ready')
  const isRunning = usePart(session.status, ({ running }) => running !== null)
  const parts = withWords(message, words)
  const attempt = async (run: () => Promise<unknown>) => {
    setState('busy')
    try {
      await run()
      onDone()
    } catch (error) {
      setState({ problem: error instanceof Error ? error.message : String(error) })
    }
  }
  const replace = async () => session.prompt(parts, { parent: await messageBefore(session, message.id) })
  const branch = async () => go({ page: 'session', session: (await session.branch(message.id, parts)).id })
  return {
    canSend: parts.length > 0 && state !== 'busy',
    isRunning,
    problem: typeof state === 'object' ? state.problem : null,
    replace: () => void attempt(replace),
    branch: () => void attempt(branch),
  }
}
