import type { Client } from 'dragoman/client'

/** The forms in which a session can be taken along. */
export const exportForms = {
  messages: {
    title: 'Messages',
    about: 'The conversation as AI SDK UI messages, in one JSON file.',
    ending: 'messages.json',
    mediaType: 'application/json',
  },
  journal: {
    title: 'Journal',
    about: 'Every entry with the agent’s native lines, including subagents, as JSON Lines.',
    ending: 'journal.jsonl',
    mediaType: 'application/x-ndjson',
  },
  text: {
    title: 'Text',
    about: 'The conversation as Markdown, for reading. Tool calls are not included.',
    ending: 'md',
    mediaType: 'text/markdown',
  },
} as const

/** The name of one of them. */
export type ExportForm = keyof typeof exportForms

type Page = Awaited<ReturnType<typeof pageBefore>>
type ExportedMessage = Page['messages'][number]

/** Exports a whole session, however long. `onProgress` receives the number of items. */
export async function exportSession(
  client: Client,
  session: string,
  form: ExportForm,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const { mediaType: type } = exportForms[form]
  if (form === 'journal') return new Blob(await journalOf(client, session, onProgress, signal), { type })
  const messages = await messagesOf(client, session, onProgress, signal)
  const text = form === 'messages' ? JSON.stringify(messages, null, 2) : markdownOf(messages)
  return new Blob([text], { type })
}

const pageBefore = (client: Client, session: string, before: number | null, signal: AbortSignal) =>
  client.call(
    'listMessages',
    { params: { session }, query: { limit: '500', ...(before !== null && { before: String(before) }) } },
    { signal },
  )

async function messagesOf(
  client: Client,
  session: string,
  onProgress: (count: number) => void,
  signal: AbortSignal,
) {
  const pages: Page['messages'][] = []
  let before: number | null = null
  do {
    const page: Page = await pageBefore(client, session, before, signal)
    pages.unshift(page.messages)
    before = page.next
    onProgress(pages.reduce((sum, each) => sum + each.length, 0))
  } while (before !== null)
  return pages.flat()
}

async function journalOf(
  client: Client,
  session: string,
  onProgress: (count: number) => void,
  signal: AbortSignal,
) {
  const texts: string[] = []
  for (let after = 0, head = 1; after < head;) {
    const query = { after: String(after), limit: '1000', raw: '1' } as const
    const page = await client.call('listEntries', { params: { session }, query }, { signal })
    texts.push(page.entries.map(entry => `${JSON.stringify(entry)}\n`).join(''))
    head = page.entries.length === 0 ? after : page.head
    after = page.entries.at(-1)?.seq ?? head
    onProgress(after)
  }
  return texts
}

/** The text, under the name of its author. */
export function markdownOf(messages: readonly Pick<ExportedMessage, 'role' | 'parts'>[]): string {
  const paragraphs = messages.flatMap(({ role, parts }) => {
    const words = parts.flatMap(part => (part.type === 'text' ? [String(part['text'])] : [])).join('\n\n')
    return words.trim() === '' ? [] : [`## ${role === 'user' ? 'You' : 'Agent'}\n\n${words.trim()}\n`]
  })
  return paragraphs.join('\n')
}

/** A name that every file system accepts. */
export const fileName = (title: string, form: ExportForm): string => {
  const plain = title
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60)
    .toLowerCase()
  return `${plain === '' ? 'session' : plain}.${exportForms[form].ending}`
}
