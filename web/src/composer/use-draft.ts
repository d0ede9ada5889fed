import { useCallback, useEffect, useRef, useState } from 'react'
import { noRoomFor, type Attachment } from './attachment.ts'
import { browserStorage } from '../drafts/browser-storage.ts'
import { createDrafts, joined, noDraft, takenBack, type Draft } from './drafts.ts'
import { newId } from './new-id.ts'
import { readFile } from './read-file.ts'

const drafts = createDrafts(browserStorage())

/** How long the user must pause before the draft is saved. */
const pauseMs = 300

/** The text that the user is writing in a session. */
export interface UsedDraft extends Draft {
  /** Why it could not be saved, in a sentence. */
  readonly trouble: string | null
  readonly setText: (text: string) => void
  /** Reads files and adds them; returns a message for each file that cannot be added. */
  readonly attach: (files: readonly File[]) => Promise<readonly string[]>
  readonly detach: (attachment: string) => void
  /** Forgets which files an earlier page had. */
  readonly forgetLost: () => void
  /** Puts a withdrawn prompt in the field, and sets the current draft aside. */
  readonly putBack: (text: string, attachments: readonly Attachment[]) => void
  /** Appends the draft that was set aside to the current one. */
  readonly join: () => void
  /** Restores the draft that was set aside, or an empty one. */
  readonly clear: () => void
}

/** A session's draft, saved while the user types. */
export function useDraft(session: string): UsedDraft {
  const [draft, setDraft] = useState(() => drafts.read(session))
  const trouble = useKept(session, draft)
  const latest = useRef(draft)
  latest.current = draft
  const change = useCallback((next: (before: Draft) => Draft) => {
    latest.current = next(latest.current)
    setDraft(latest.current)
  }, [])
  const attach = useCallback(
    async (files: readonly File[]) => {
      const refusals: string[] = []
      for (const file of files) {
        const refusal = await attachOne(file, () => latest.current.attachments, change)
        if (refusal !== null) refusals.push(refusal)
      }
      return refusals
    },
    [change],
  )
  return {
    ...draft,
    trouble,
    attach,
    setText: useCallback(text => change(before => ({ ...before, text })), [change]),
    detach: id =>
      change(before => ({ ...before, attachments: before.attachments.filter(each => each.id !== id) })),
    forgetLost: () => change(before => ({ ...before, lost: [] })),
    putBack: (text, attachments) => change(before => takenBack(before, text, attachments)),
    join: () => change(joined),
    clear: () => change(before => before.aside ?? noDraft),
  }
}

async function attachOne(
  file: File,
  attached: () => readonly Attachment[],
  change: (next: (before: Draft) => Draft) => void,
): Promise<string | null> {
  const refusal = noRoomFor(file, attached())
  if (refusal !== null) return refusal
  try {
    const attachment = await readFile(file, newId)
    change(before => ({
      ...before,
      attachments: [...before.attachments, attachment],
      lost: before.lost.filter(name => name !== attachment.name),
    }))
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** Saves a draft after each pause, and when the user leaves the page or the session. */
function useKept(session: string, draft: Draft): string | null {
  const [trouble, setTrouble] = useState<string | null>(null)
  const latest = useRef(draft)
  const kept = useRef(draft)
  useEffect(() => {
    latest.current = draft
    const timer = setTimeout(() => {
      if (kept.current === draft) return
      kept.current = draft
      setTrouble(drafts.write(session, draft))
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [session, draft])
  useEffect(() => {
    const leave = () => {
      if (kept.current === latest.current) return
      kept.current = latest.current
      drafts.write(session, latest.current)
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [session])
  return trouble
}
