import type { Attachment } from './attachment.ts'
import { readKept, type BrowserStorage } from './browser-storage.ts'

/** What was begun and not sent. */
export interface Draft {
  readonly text: string
  readonly attachments: readonly Attachment[]
  /** Names of files that were attached on a page that is gone: they are not kept with a draft. */
  readonly lost: readonly string[]
}

/** Nothing begun. */
export const noDraft: Draft = { text: '', attachments: [], lost: [] }

/** Drafts by session. */
export interface Drafts {
  read(session: string): Draft
  /** Keeps a draft. Gives a sentence when it cannot outlive the page. */
  write(session: string, draft: Draft): string | null
}

const keyOf = (session: string) => `dragoman draft ${session}`

/** Keeps drafts: the files as long as the page is there, the words and the names of the files in the browser. */
export function createDrafts(storage: BrowserStorage | null): Drafts {
  const here = new Map<string, Draft>()
  return {
    read: session => here.get(session) ?? keptDraft(readKept(storage, keyOf(session))),
    write(session, draft) {
      here.set(session, draft)
      return keep(storage, keyOf(session), draft)
    },
  }
}

function keptDraft(kept: unknown): Draft {
  const { text, files } = Object(kept) as { readonly text?: unknown; readonly files?: unknown }
  if (typeof text !== 'string') return noDraft
  const lost = Array.isArray(files) ? files.filter(name => typeof name === 'string') : []
  return { text, attachments: [], lost }
}

function keep(
  storage: BrowserStorage | null,
  key: string,
  { text, attachments, lost }: Draft,
): string | null {
  const files = [...lost, ...attachments.map(({ name }) => name)]
  try {
    if (text === '' && files.length === 0) storage?.removeItem(key)
    else storage?.setItem(key, JSON.stringify({ text, files }))
    return null
  } catch {
    // Full, or closed to us: the person is told.
    return 'The browser has no room for this draft: it is lost when the page is closed.'
  }
}
