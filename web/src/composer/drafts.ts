import type { Attachment } from './attachment.ts'
import { readKept, type BrowserStorage } from '../drafts/browser-storage.ts'

/** Unsent input. */
export interface Draft {
  readonly text: string
  readonly attachments: readonly Attachment[]
  /** Names of files attached on a page that was closed: files are not saved with a draft. */
  readonly lost: readonly string[]
  /** The draft that was set aside when the user edited a queued prompt; it returns once that is sent. */
  readonly aside: Draft | null
}

/** An empty draft. */
export const noDraft: Draft = { text: '', attachments: [], lost: [], aside: null }

const isBlank = ({ text, attachments, lost }: Draft): boolean =>
  text.trim() === '' && attachments.length === 0 && lost.length === 0

/** A queued prompt being edited, with the draft it displaced. */
export const takenBack = (draft: Draft, text: string, attachments: readonly Attachment[]): Draft => ({
  ...noDraft,
  text,
  attachments,
  aside: isBlank(draft) ? draft.aside : draft,
})

/** The current draft, and the one that was set aside. */
export function joined({ aside, ...draft }: Draft): Draft {
  if (aside === null) return { ...draft, aside }
  return {
    text: [draft.text, aside.text].filter(each => each.trim() !== '').join('\n\n'),
    attachments: [...draft.attachments, ...aside.attachments],
    lost: [...draft.lost, ...aside.lost],
    aside: aside.aside,
  }
}

/** Drafts by session. */
export interface Drafts {
  read(session: string): Draft
  /** Saves a draft. Returns a message when it cannot be saved beyond this page. */
  write(session: string, draft: Draft): string | null
}

const keyOf = (session: string) => `dragoman draft ${session}`

/** Stores drafts: files in memory while the page is open, text and file names in browser storage. */
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

/** The stored form of a draft. */
interface Kept {
  readonly text: string
  readonly files: readonly string[]
  readonly aside?: Kept
}

function keptDraft(kept: unknown): Draft {
  const { text, files, aside } = Object(kept) as { readonly [key in keyof Kept]: unknown }
  if (typeof text !== 'string') return noDraft
  const lost = Array.isArray(files) ? files.filter(name => typeof name === 'string') : []
  return { text, attachments: [], lost, aside: aside === undefined ? null : keptDraft(aside) }
}

const toKeep = ({ text, attachments, lost, aside }: Draft): Kept => ({
  text,
  files: [...lost, ...attachments.map(({ name }) => name)],
  ...(aside !== null && { aside: toKeep(aside) }),
})

function keep(storage: BrowserStorage | null, key: string, draft: Draft): string | null {
  const kept = toKeep(draft)
  try {
    if (kept.text === '' && kept.files.length === 0 && kept.aside === undefined) storage?.removeItem(key)
    else storage?.setItem(key, JSON.stringify(kept))
    return null
  } catch {
    // Storage is full or blocked: tell the user.
    return 'This browser’s storage is full. The draft is lost when you close the page.'
  }
}
