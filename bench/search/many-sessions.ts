import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { claudeCode } from '../../src/agents/claude-code/index.ts'
import { catchUp } from '../../src/catalogue/catch-up.ts'
import type { Event } from '../../src/protocol/event.ts'
import type { SessionId } from '../../src/protocol/ids.ts'
import { openSessions } from '../../src/sessions/sessions.ts'
import { openStore, type SqliteStore } from '../../src/store/open-store.ts'
import { createScratchFolder } from '../harness/scratch-folder.ts'
import { createRandom } from '../load/random.ts'
import { createWords } from '../load/words.ts'

const corpus = join(import.meta.dirname, '../../../shared/corpus/claude-code')
const day = 86_400_000

/** Why there is nothing to search; null if there is. */
export const whyNoCorpus = (): string | null => (existsSync(corpus) ? null : `no corpus at ${corpus}`)

interface Session {
  readonly events: readonly Event[]
  readonly times: readonly number[]
}

/** The sessions of the corpus, imported. */
async function readCorpus(): Promise<readonly Session[]> {
  using folder = createScratchFolder()
  await using store = await openStore({ folder: folder.path, durability: 'fast' })
  await using sessions = await openSessions({ ...store, agents: [claudeCode], dataFolder: folder.path })
  const imported: Session[] = []
  for await (const found of claudeCode.importer?.find(corpus) ?? []) {
    const transcript = await found.read({ dataFolder: folder.path, skip: () => undefined })
    const { session } = await sessions.import({ agent: claudeCode.name, file: found.file, transcript })
    const events: Event[] = []
    const times: number[] = []
    for (const head = await store.journal.head(session); events.length < head;)
      for (const { event, at } of await store.journal.read(session, events.length, 1000)) {
        events.push(event)
        times.push(at)
      }
    imported.push({ events, times })
  }
  return imported
}

/** Saves so many copies of the corpus, each a day earlier, and in each one word in eight changed differently. */
export async function saveCopies(store: SqliteStore, copies: number): Promise<void> {
  const sessions = await readCorpus()
  for (let copy = 0; copy < copies; copy += 1) {
    const change = createChange(copy)
    for (const [index, { events, times }] of sessions.entries()) {
      const id = `copy-${copy}-${index}` as SessionId
      const changed = copy === 0 ? events : events.map(event => changeTexts(event, change) as Event)
      const earlier = times.map(at => at - copy * day)
      await store.journal.create(id, changed.slice(0, 1), earlier.slice(0, 1))
      for (let from = 1; from < changed.length; from += 200) {
        const once = { key: String(from), times: earlier.slice(from, from + 200) }
        await store.journal.appendOnce(id, once, changed.slice(from, from + 200))
      }
      await catchUp(store, id)
      store.journal.mayPack(id)
    }
  }
}

/** Changes one word in eight, the same way wherever the text appears. */
function createChange(copy: number): (text: string) => string {
  const random = createRandom(copy + 1)
  const other = createWords(random, 4000)(4000).split(' ')
  const kept = new Map<string, string>()
  const changed = (word: string) => {
    const known = kept.get(word)
    if (known !== undefined) return known
    const made = random() < 1 / 8 ? (other[Math.floor(random() * other.length)] ?? word) : word
    kept.set(word, made)
    return made
  }
  return text => text.replaceAll(/[a-z]{4,}/g, changed)
}

const names = new Set([
  'type',
  'id',
  'toolCallId',
  'messageId',
  'interaction',
  'connection',
  'thread',
  'prompt',
  'toolName',
  'how',
  'agent',
  'trigger',
  'outcome',
  'finishReason',
  'level',
  'role',
  'mediaType',
])

function changeTexts(value: unknown, change: (text: string) => string, name = ''): unknown {
  if (typeof value === 'string') return names.has(name) ? value : change(value)
  if (Array.isArray(value)) return value.map(each => changeTexts(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, changeTexts(each, change, key)]))
}
